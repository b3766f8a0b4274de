import { Matcher } from '../matching/match.ts';
import type { Range } from '../scope.ts';
import { withLineEnds } from '../text.ts';

/** A part of a text, and what stands in its place afterwards. */
export interface Replacement extends Range {
  text: string;
  isByPattern: boolean;
}

export interface Wanted {
  find: string;
  replace: string;
  regex?: boolean;
  whole_word?: boolean;
  case_sensitive?: boolean;
}

/** Finds what is to be replaced, text by text. Close it. */
export interface Finder {
  /** Throws `PatternError`. */
  find(text: string): Promise<Replacement[]>;
  close(): void;
}

export function openFinder(wanted: Wanted): Finder {
  if (!wanted.regex) return { find: async text => literally(wanted, text), close: () => undefined };
  const { find: source, replace, case_sensitive: exact = true } = wanted;
  const matcher = new Matcher({ source, ignoreCase: !exact }, replace);
  return {
    async find(text) {
      // A pattern's \n is any line end.
      const matches = await matcher.matches(text.replaceAll('\r\n', '\n'));
      const original = originalOffset(text);
      return matches
        .map(match => ({
          start: original(match.start),
          end: original(match.end),
          text: withLineEnds(match.text ?? '', text),
          isByPattern: true,
        }))
        .filter(({ start, end, text: replacement }) => text.slice(start, end) !== replacement);
    },
    close: () => matcher.close(),
  };
}

/** From offsets in the text with plain line ends, asked for in order, to those in the text itself. */
function originalOffset(text: string): (offset: number) => number {
  let next = text.indexOf('\r\n');
  let before = 0;
  return offset => {
    while (next !== -1 && next - before < offset) {
      before += 1;
      next = text.indexOf('\r\n', next + 2);
    }
    return offset + before;
  };
}

function literally(wanted: Wanted, text: string): Replacement[] {
  const replacement = withLineEnds(wanted.replace, text);
  return [...text.matchAll(literal(wanted, text))].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
    text: replacement,
    isByPattern: false,
  }));
}

function literal(
  { find, whole_word: whole = false, case_sensitive: exact = true }: Wanted,
  text: string,
): RegExp {
  const escaped = withLineEnds(find, text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const word = '[\\p{L}\\p{N}_]';
  const left = whole && /^[\p{L}\p{N}_]/u.test(find) ? `(?<!${word})` : '';
  const right = whole && /[\p{L}\p{N}_]$/u.test(find) ? `(?!${word})` : '';
  return new RegExp(`${left}${escaped}${right}`, exact ? 'gu' : 'giu');
}

/** Those that lie in one of the ranges as a whole. */
export function within(hits: readonly Replacement[], ranges: readonly Range[]): Replacement[] {
  return hits.filter(hit => ranges.some(({ start, end }) => hit.start >= start && hit.end <= end));
}

/** The text with all of them made. */
export function substitute(text: string, hits: readonly Replacement[]): string {
  let changed = '';
  let from = 0;
  for (const { start, end, text: replacement } of hits) {
    changed += text.slice(from, start) + replacement;
    from = end;
  }
  return changed + text.slice(from);
}
