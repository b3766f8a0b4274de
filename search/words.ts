/** Scripts that put no spaces between words. */
const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
/** Runs of one family of scripts: `React入门` is two tokens. */
const TOKEN = new RegExp(String.raw`${CJK}+|(?:(?!${CJK})[\p{L}\p{N}])+`, 'gu');
const STARTS_CJK = new RegExp(`^${CJK}`, 'u');
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/**
 * Longer tokens are hashes, keys and encoded data: nobody searches for them, and they swell the
 * index.
 */
const LONGEST = 40;

/**
 * The words of a text, lower-case, in order, before stemming. Identifiers give their parts and
 * themselves (`maxRetries` is `max`, `retries`, `maxretries`): PostgreSQL's own parser keeps
 * `docs.json` or `app.listen` as one token and never splits camel case. Chinese, Japanese and
 * Korean, which put no spaces, give pairs of characters.
 */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const [token] of fold(text).matchAll(TOKEN)) {
    if (STARTS_CJK.test(token)) {
      found.push(...pairs(token));
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

/** Without accents and other marks: readers leave them out. */
function fold(text: string): string {
  return /^\p{ASCII}*$/u.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/\p{Mn}/gu, '')
        .normalize('NFC');
}
