import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * True where the process is alive and its command line holds `word`: a process id alone may belong
 * to another program by now.
 */
export function isProcess(pid: number, word: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  return commandLine(pid).includes(word);
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return fromPs(pid); // no /proc, or no such process
  }
}

function fromPs(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
