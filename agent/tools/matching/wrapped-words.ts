/** A space, or where a line was wrapped: the next line may be indented or quoted. */
const GAP = String.raw`(?: |[ \t]*\r?\n[ \t]*(?:>[ \t]?)*)`;
/** What stands on both sides of a space between words. */
const BEFORE = /[\p{L}\p{N}_.,;:!?)\]'"`’”]/u;
const AFTER = /[\p{L}\p{N}_('"`‘“[]/u;

/**
 * The pattern with each single space between two words matching a line break too: text is wrapped
 * anywhere.
 */
export function acrossWrappedLines(pattern: string): string {
  let result = '';
  let isInClass = false;
  for (let i = 0; i < pattern.length; i += 1) {
    const char = pattern.charAt(i);
    if (char === '\\') {
      result += char + pattern.charAt((i += 1));
      continue;
    }
    if (char === '[') isInClass = true;
    else if (char === ']') isInClass = false;
    const isGap =
      char === ' ' &&
      !isInClass &&
      BEFORE.test(pattern.charAt(i - 1)) &&
      AFTER.test(pattern.charAt(i + 1));
    result += isGap ? GAP : char;
  }
  return result;
}
