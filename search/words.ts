/** Scripts that put no spaces between words, and whose pairs of characters serve as words. */
const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
/** Scripts that put no spaces between words, which a dictionary tells apart. */
const UNSPACED = String.raw`[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
/**
 * Runs of one family of scripts: `React入门` is two tokens. What a dictionary tells apart is bounded:
 * its time grows with the square of the length.
 */
const TOKEN = new RegExp(
  String.raw`${CJK}+|${UNSPACED}{1,1000}|(?:(?!${CJK}|${UNSPACED})[\p{L}\p{N}])+`,
  'gu',
);
const STARTS_CJK = new RegExp(`^${CJK}`, 'u');
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');
const MARKS = new RegExp(String.raw`(?!${UNSPACED})\p{Mn}`, 'gu');
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const SEGMENTER = new Intl.Segmenter('th', { granularity: 'word' });
/**
 * Longer tokens are hashes, keys and encoded data: nobody searches for them, and they swell the
 * index.
 */
const LONGEST = 40;

/**
 * The words of a text, lower-case, in order, before stemming. Identifiers give their parts and
 * themselves (`maxRetries` is `max`, `retries`, `maxretries`): PostgreSQL's own parser keeps
 * `docs.json` or `app.listen` as one token and never splits camel case. Of scripts without spaces,
 * Chinese, Japanese and Korean give pairs of characters, the others the words of a dictionary.
 */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const [token] of fold(text).matchAll(TOKEN)) {
    if (STARTS_CJK.test(token)) {
      found.push(...pairs(token));
    } else if (STARTS_UNSPACED.test(token)) {
      for (const { segment, isWordLike } of SEGMENTER.segment(token))
        if (isWordLike && segment.length <= LONGEST) found.push(segment);
    } else {
      const parts = token.split(CAMEL).filter(part => part.length <= LONGEST);
      for (const part of parts) found.push(part.toLowerCase());
      if (parts.length > 1 && token.length <= LONGEST) found.push(token.toLowerCase());
    }
  }
  return found;
}

function pairs(token: string): string[] {
  const characters = [...token];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/**
 * Without accents and other marks, which readers leave out, and without what nobody sees: soft
 * hyphens, characters without width. The marks of Thai and its neighbours are vowels and tones.
 */
function fold(text: string): string {
  return /^\p{ASCII}*$/u.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(MARKS, '')
        .replace(/\p{Cf}/gu, '')
        // One vowel of Thai and one of Lao were taken apart; the dictionary has them whole.
        .replaceAll('\u0E4D\u0E32', '\u0E33')
        .replaceAll('\u0ECD\u0EB2', '\u0EB3')
        .normalize('NFC');
}
