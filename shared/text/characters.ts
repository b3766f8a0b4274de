/** As many units at a time become text: a call takes only so many arguments. */
const CHUNK = 8_192;

/**
 * A text with one unit for each character, as limits on lengths mean them: JavaScript counts two
 * for an emoji. A regular expression would take 0.15 s for a million of them. Workflows use it, so
 * it needs nothing of Node's.
 */
export function oneUnitEach(text: string): string {
  const units = new Uint16Array(text.length);
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isPair = (unit & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    units[kept++] = isPair ? 0xfffd : unit;
    if (isPair) at += 1;
  }
  const chunks: string[] = [];
  for (let at = 0; at < kept; at += CHUNK)
    chunks.push(String.fromCharCode(...units.subarray(at, Math.min(at + CHUNK, kept))));
  return chunks.join('');
}
