/** For `ilike`: texts that contain these words as they are; null (everything) without words. */
export function containsPattern(words: string | undefined): string | null {
  return words === undefined ? null : `%${words.replace(/[\\%_]/g, '\\$&')}%`;
}
