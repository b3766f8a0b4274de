import {
  keepingForms,
  plainForm,
  type SearchedForm,
  withPlainLineEnds,
} from '../matching/plain-form.ts';
import type { Range } from '../scope.ts';
import { withLineEnds } from '../text.ts';

export type Replaced =
  | {
      text: string;
      start: number;
      replacement: string;
      /** What stood there, if it only reads like what was looked for. */
      alike?: string;
    }
  /** Where the text begins, if it is not there exactly once. */
  | { starts: number[] };

/**
 * `text` with the only occurrence of `old` replaced. Nobody sees which of a file's lines end in
 * CRLF, so they are found as if none did, and kept. A text that does not occur is looked for as
 * people read it, and what stands around the difference keeps its characters.
 */
export function replacedOnce(text: string, old: string, by: string): Replaced {
  const exact = occurrences(withPlainLineEnds(text), old.replaceAll('\r\n', '\n'));
  const found = exact.length > 0 ? exact : occurrences(plainForm(text), plainForm(old).text);
  const [part] = found;
  if (part === undefined || found.length > 1) return { starts: found.map(({ start }) => start) };
  const replaced = text.slice(part.start, part.end);
  const {
    skip,
    text: written,
    end,
  } = exact.length > 0 ? { skip: 0, text: by, end: replaced.length } : keepingForms(replaced, by);
  const replacement = withLineEnds(written, replaced.includes('\n') ? replaced : text);
  const start = part.start + skip;
  return {
    text: text.slice(0, start) + replacement + text.slice(part.start + end),
    start,
    replacement,
    ...(exact.length === 0 && { alike: replaced }),
  };
}

/** Where `part` stands, overlapping ones left out. */
function occurrences(form: SearchedForm, part: string): Range[] {
  const found: Range[] = [];
  if (part === '') return found;
  for (
    let at = form.text.indexOf(part);
    at !== -1;
    at = form.text.indexOf(part, at + part.length)
  ) {
    const range = form.original(at, at + part.length);
    if (range) found.push(range);
  }
  return found;
}
