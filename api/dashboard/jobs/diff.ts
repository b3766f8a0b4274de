import type { Diff } from '../contract/jobs.ts';
import { parseDiff } from '../../local-host/parse-diff.ts';

/** More would make a browser slow; the agent API has the whole diff as text. */
const MAX_LINES = 20_000;

/** A unified diff as files, up to a length. */
export function diffBody(text: string): Diff {
  const files: Diff['files'] = [];
  let left = MAX_LINES;
  const all = parseDiff(text);
  for (const file of all) {
    if (left <= 0) break;
    files.push({ ...file, from: file.from ?? null, lines: file.lines.slice(0, left) });
    left -= file.lines.length;
  }
  return { files, complete: left >= 0 && files.length === all.length };
}
