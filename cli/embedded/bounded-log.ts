import { copyFileSync, renameSync, statSync, truncateSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';

/** Of a log file; what was before it is in a second file of the same size. */
const MOST_BYTES = 50_000_000;

/** A log file that this process writes: from `mostBytes` on, it becomes `….1`, and a new one begins. */
export function boundedLog(path: string, mostBytes = MOST_BYTES): DestinationStream {
  const file = pino.destination({ dest: path, mode: 0o600, sync: true });
  let bytes = statSync(path).size;
  return {
    write(line: string) {
      file.write(line);
      bytes += Buffer.byteLength(line);
      if (bytes < mostBytes) return;
      bytes = 0;
      renameSync(path, `${path}.1`);
      file.reopen();
    },
  };
}

/**
 * Moves what a child has logged to `….1` if it is `mostBytes` or more. The child keeps its file, and
 * must append to it. What it writes in this moment may be lost.
 */
export function boundLog(path: string, mostBytes = MOST_BYTES): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || found.size < mostBytes) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}
