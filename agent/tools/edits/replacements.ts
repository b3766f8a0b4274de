import type { Pattern, PatternMatcher } from '../matching/pattern-matcher.ts';
import type { Range } from '../scope.ts';
import {
  formsIn,
  hasWords,
  keepingForms,
  plainForm,
  withPlainLineEnds,
} from '../matching/plain-form.ts';
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
    const form = withPlainLineEnds(text);
    const matches = matcher.matches(form.text);
    const replacements = matcher.replacements(form.text, matches, replace);
    return matches
      .flatMap(({ start, end }, i) => {
        const range = form.original(start, end);
        return range ? [{ ...range, text: withLineEnds(replacements[i] ?? '', text) }] : [];
      })
      .map(hit => ({ ...hit, isByPattern: true }))
      .filter(({ start, end, text: replacement }) => text.slice(start, end) !== replacement);
  };
}

function literalFinder(wanted: Wanted): (text: string) => Replacement[] {
  const find = wanted.find.replaceAll('\r\n', '\n');
  const isAsWritten = !comesInForms(wanted);
  const expression = literal(isAsWritten ? find : plainForm(find).text, wanted);
  return text => {
    const form = isAsWritten ? withPlainLineEnds(text) : plainForm(text);
    const matches = [...form.text.matchAll(expression)];
    if (matches.length === 0) return [];
    const by = withLineEnds(wanted.replace, text);
    return matches.flatMap(({ index, 0: { length } }) => {
      const range = form.original(index, index + length);
      if (!range) return [];
      const { start, end } = range;
      const part = text.slice(start, end);
      const isFound = part.replaceAll('\r\n', '\n') === find || formsIn(part) === '';
      const kept = isFound ? { skip: 0, text: by, end: part.length } : keepingForms(part, by);
      return [
        { start: start + kept.skip, end: start + kept.end, text: kept.text, isByPattern: false },
      ];
    });
  };
}

/** Not what is about the form itself: quotes, or a word in one form that is to have another. */
function comesInForms({ find, replace }: Wanted): boolean {
  return hasWords(find) && plainForm(find).text !== plainForm(replace).text;
}

/**
 * Finds the places that only read like what was looked for: a pattern matches what is written, and
 * the parts that it would put back are not the page's.
 */
export function openLeftFinder(
  wanted: Wanted,
  matcherFor: (pattern: Pattern) => PatternMatcher | undefined,
): (text: string, hits: readonly Replacement[]) => Range[] {
  if (!wanted.regex || !hasWords(wanted.find)) return () => [];
  const { find: source, case_sensitive: exact = true } = wanted;
  const matcher = matcherFor({ source: plainForm(source).text, ignoreCase: !exact });
  if (!matcher) return () => [];
  return (text, hits) => {
    const form = plainForm(text);
    if (form.text === text) return [];
    let next = 0;
    return matcher
      .matches(form.text)
      .flatMap(({ start, end }) => form.original(start, end) ?? [])
      .filter(({ start, end }) => {
        while ((hits[next]?.end ?? Infinity) <= start) next += 1;
        const isHit = (hits[next]?.start ?? Infinity) < end;
        return !isHit && formsIn(text.slice(start, end)) !== '';
      });
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

/** Those that lie in one of the ranges as a whole; both in the order of the text. */
export function within<R extends Range>(hits: readonly R[], ranges: readonly Range[]): R[] {
  let next = 0;
  return hits.filter(hit => {
    while ((ranges[next]?.end ?? Infinity) < hit.end) next += 1;
    return (ranges[next]?.start ?? Infinity) <= hit.start;
  });
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
