/** Named references that stand for a sign which begins nothing. */
const NAMED = new RegExp(
  '^&(?:amp|lt|gt|quot|apos|nbsp|copy|reg|trade|hellip|mdash|ndash|lsquo|rsquo|ldquo|rdquo|laquo|' +
    'raquo|larr|rarr|uarr|darr|harr|le|ge|ne|times|divide|plusmn|deg|micro|middot|bull|sect|para|' +
    'euro|pound|cent|yen|emsp|ensp|thinsp|check|cross|star|infin|asymp|equiv|sum|[aeiounc](?:acute|' +
    'grave|circ|uml|tilde|cedil|ring)|[AEIOUNC](?:acute|grave|circ|uml|tilde|cedil|ring)|szlig|vert|' +
    'num|ast|lsqb|rsqb|lbrack|rbrack|hyphen|rightarrow|leftarrow|alpha|beta|gamma|delta|mu|pi);',
);
const NUMBER = /^&#(?:x([\da-f]{2,5})|([1-9]\d{1,5}));/i;

/** Where a harmless reference at `at` ends; undefined for one that hides a letter or a mark. */
export function referenceEnd(text: string, at: number): number | undefined {
  const rest = text.slice(at, at + 40);
  const named = NAMED.exec(rest)?.[0];
  if (named !== undefined) return at + named.length;
  const [whole, hex, decimal] = NUMBER.exec(rest) ?? [];
  if (whole !== undefined) {
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    const char = code > 0x10ffff ? '' : String.fromCodePoint(code);
    return /^(?:["'|<>[\]*_()!#~+-]|[^\p{ASCII}\p{C}\p{Default_Ignorable_Code_Point}])$/u.test(char)
      ? at + whole.length
      : undefined;
  }
  return /^&#?\w{1,32};|^&#/.test(rest) ? undefined : at + 1;
}

/**
 * Whether a text could stand in an attribute or a title of any generator: no markup, no templates,
 * no attribute behind a quote. `generics`: `Array<string>` is a word.
 */
export function plainText(text: string, { generics = false } = {}): boolean {
  const shown = generics
    ? text.replace(/`[^`<>]*`/g, '').replace(/(?<=\w)<[\w ,|[\].]{1,60}>+/g, '')
    : text;
  const bare = shown.replace(/<\/?(?:code|b|i|em|strong|br|kbd)>/g, '');
  if (/[<`](?![\s=\d]|$)|\{[{%#<]|[%#]\}|\}\}|\{!|\[\[|<<|-8<-/.test(bare)) return false;
  // Some themes write a title into an attribute as it is.
  if (!generics && /["'][^]*[\w-]\s*=/.test(bare)) return false;
  if (/\b(?:java|vb|live)script\s*:/i.test(bare)) return false;
  for (let at = bare.indexOf('&'); at >= 0; at = bare.indexOf('&', at + 1))
    if (referenceEnd(bare, at) === undefined) return false;
  return true;
}
