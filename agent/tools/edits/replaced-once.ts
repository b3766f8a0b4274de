import { withLineEnds } from '../text.ts';

export type Replaced =
  | { text: string; start: number; replacement: string }
  /** Where the text is, if it is not there exactly once. */
  | { starts: number[]; plain: string };

/**
 * `text` with the only occurrence of `old` replaced. Nobody sees which of a file's lines end in
 * CRLF, so they are found as if none did, and kept.
 */
export function replacedOnce(text: string, old: string, by: string): Replaced {
  const plain = text.replaceAll('\r\n', '\n');
  const wanted = old.replaceAll('\r\n', '\n');
  const starts = occurrences(plain, wanted);
  const [first] = starts;
  if (first === undefined || starts.length > 1) return { starts, plain };
  const start = writtenAt(text, first);
  const end = writtenAt(text, first + wanted.length);
  const replaced = text.slice(start, end);
  const replacement = withLineEnds(by, replaced.includes('\n') ? replaced : text);
  return { text: text.slice(0, start) + replacement + text.slice(end), start, replacement };
}

/** Offsets at which `part` begins, overlapping ones left out. */
function occurrences(text: string, part: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length))
    starts.push(at);
  return starts;
}

/** Where `text` has what is at `offset` of it once each CRLF is one character. */
function writtenAt(text: string, offset: number): number {
  let at = offset;
  for (let cut = text.indexOf('\r\n'); cut !== -1 && cut < at; cut = text.indexOf('\r\n', cut + 2))
    at += 1;
  return at;
}
