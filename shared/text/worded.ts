import { type StringOptions, type TString, Type } from '@sinclair/typebox';

/**
 * The member of a schema that contains its words: a symbol, so that no generated document has it.
 */
const WORDS = Symbol('words');

/**
 * A text that matches `pattern`. Error messages show `words` instead of the pattern, after "must be
 * a string of 1 to 9 characters".
 */
export function worded(pattern: string, words: string, options: StringOptions = {}): TString {
  return Type.String({ ...options, pattern, ...{ [WORDS]: words } });
}

/** A text with at least one character that is not blank. */
export function nonBlank(options: StringOptions): TString {
  return worded('\\S', ', not only blanks', options);
}

/** The words of a schema that `worded` made; empty for others. */
export function wordsOf(schema: object): string {
  return (Reflect.get(schema, WORDS) as string | undefined) ?? '';
}
