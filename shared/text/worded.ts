import { type StringOptions, type TString, Type } from '@sinclair/typebox';

/**
 * Where a schema keeps its words: a symbol, so that they are in no document that is made from it.
 */
const WORDS = Symbol('words');

/**
 * A text that matches `pattern`. Refusals are for people: they say `words` instead, after "must be
 * a string of 1 to 9 characters".
 */
export function worded(pattern: string, words: string, options: StringOptions = {}): TString {
  return Type.String({ ...options, pattern, ...{ [WORDS]: words } });
}

/** A text that says something. */
export function nonBlank(options: StringOptions): TString {
  return worded('\\S', ', not only blanks', options);
}

/** The words of a schema that `worded` made; empty for others. */
export function wordsOf(schema: object): string {
  return (Reflect.get(schema, WORDS) as string | undefined) ?? '';
}
