/**
 * A text with one unit for each character, as limits on lengths mean them: JavaScript counts two
 * for an emoji.
 */
export function oneUnitEach(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
