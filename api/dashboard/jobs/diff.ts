import type { Diff } from '../contract/jobs.ts';
import { parseDiff } from '../../../hosts/git/parse-diff.ts';

/** More would make a browser slow; the agent API has the whole diff as text. */
const MAX_LINES = 20_000;
/** A line may be a whole bundle, and a diff of lines like that 50 MB. */
const MAX_CHARACTERS = 4_000_000;

/** A unified diff as files, up to a length. */
export function diffBody(text: string): Diff {
  const files: Diff['files'] = [];
  let lines = MAX_LINES;
  let characters = MAX_CHARACTERS;
  const all = parseDiff(text);
  for (const file of all) {
    if (lines <= 0 || characters <= 0) break;
    const fits = (line: string) => (lines -= 1) >= 0 && (characters -= line.length) >= 0;
    const end = file.lines.findIndex(line => !fits(line));
    const shown = end < 0 ? file.lines : file.lines.slice(0, end);
    files.push({ ...file, from: file.from ?? null, lines: shown });
  }
  return { files, complete: lines >= 0 && characters >= 0 && files.length === all.length };
}
