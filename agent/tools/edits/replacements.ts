import type { Pattern, PatternMatcher } from '../matching/pattern-matcher.ts';
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

/** Finds what is to be replaced in a text. Throws RE2JS's own errors for an invalid pattern. */
export function openFinder(
  wanted: Wanted,
  matcherFor: (pattern: Pattern) => PatternMatcher,
): (text: string) => Replacement[] {
  if (!wanted.regex) return literalFinder(wanted);
  const { find: source, replace, case_sensitive: exact = true } = wanted;
  const matcher = matcherFor({ source, ignoreCase: !exact });
  return text => {
    // A pattern's \n is any line end.
    const plain = text.replaceAll('\r\n', '\n');
    const matches = matcher.matches(plain);
    const replacements = matcher.replacements(plain, matches, replace);
    const original = originalOffset(text);
    return matches
      .map(({ start, end }, i) => ({
        start: original(start),
        end: original(end),
        text: withLineEnds(replacements[i] ?? '', text),
        isByPattern: true,
      }))
      .filter(({ start, end, text: replacement }) => text.slice(start, end) !== replacement);
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

function literalFinder(wanted: Wanted): (text: string) => Replacement[] {
  const expressions = new Map<string, RegExp>();
  return text => {
    const find = withLineEnds(wanted.find, text);
    const expression = expressions.get(find) ?? literal(find, wanted);
    expressions.set(find, expression);
    const matches = [...text.matchAll(expression)];
    if (matches.length === 0) return [];
    const replacement = withLineEnds(wanted.replace, text);
    return matches.map(({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
      text: replacement,
      isByPattern: false,
    }));
  };
}

function literal(
  find: string,
  { whole_word: whole = false, case_sensitive: exact = true }: Wanted,
): RegExp {
  const escaped = find.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const word = '[\\p{L}\\p{N}_]';
  const left = whole && /^[\p{L}\p{N}_]/u.test(find) ? `(?<!${word})` : '';
  const right = whole && /[\p{L}\p{N}_]$/u.test(find) ? `(?!${word})` : '';
  return new RegExp(`${left}${escaped}${right}`, exact ? 'gu' : 'giu');
}

/** Of a text, as threads send them: many objects take long to receive. */
export interface PackedReplacements {
  /** Start and end of each. */
  offsets: Int32Array;
  /** What stands in place of all; or of each. */
  texts: string | string[];
  areByPattern: boolean;
}

/** Of one replacement or more. */
export function pack(replacements: readonly Replacement[]): PackedReplacements {
  const [first] = replacements;
  const areAlike = replacements.every(({ text }) => text === first?.text);
  return {
    offsets: Int32Array.from(replacements.flatMap(({ start, end }) => [start, end])),
    texts: first && areAlike ? first.text : replacements.map(({ text }) => text),
    areByPattern: first?.isByPattern === true,
  };
}

export function unpack({ offsets, texts, areByPattern }: PackedReplacements): Replacement[] {
  return Array.from({ length: offsets.length / 2 }, (_, i) => ({
    start: offsets[2 * i] ?? 0,
    end: offsets[2 * i + 1] ?? 0,
    text: typeof texts === 'string' ? texts : (texts[i] ?? ''),
    isByPattern: areByPattern,
  }));
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
