/**
 * Small words of languages in Latin letters, of which every text has some. No language has a word
 * that is as usual in another of these, unless both have it.
 */
const SMALL_WORDS: Record<string, string> = {
  en: 'the and of to in is for with on this that from you are',
  de: 'der die das und ist mit für auf den dem ein eine nicht sie werden',
  fr: 'le la les et des est pour dans une un vous sur avec du que pas',
  es: 'el la los las y de para con una un en por que del se',
  pt: 'o a os as e de para com uma um em não que do da você',
  it: 'il la le gli e di per con una un che non del della è in',
  nl: 'de het een en van voor met op is niet je dat zijn naar',
  pl: 'i w na do z jest nie się to że dla oraz lub',
  cs: 'a v na je se pro s do že nebo jako není pokud',
  sk: 'a v na je sa pre s do že alebo ako nie ak',
  hr: 'i u na je se za s da ili kao nije ako su',
  sv: 'och i att det är för med på en ett som av den inte',
  da: 'og i at det er for med på en et som af den ikke',
  no: 'og i å det er for med på en et som av den ikke',
  fi: 'ja on ei se että tai kun voit ovat jos myös',
  tr: 've bir bu için ile de da olarak veya her',
  id: 'dan yang di untuk dengan ini dari ke atau pada anda',
  vi: 'và của là các để cho trong được với một không',
  ro: 'și de la în pentru cu este un o nu care sau',
  hu: 'a az és egy nem hogy is ez van vagy meg',
  ca: 'el la els les i de per amb una un en que del és',
};
const SETS = new Map(
  Object.entries(SMALL_WORDS).map(([tag, words]) => [tag, new Set(words.split(' '))]),
);
/** A share of small words below it is chance. */
const CHANCE = 0.04;
/** Languages that are nearer to the best than this are not told apart, such as Danish. */
const NEAR = 0.7;

/** Whether a text may be in the language of a tag such as `fr` or `zh-CN`, by letters and words. */
export function isWrittenIn(text: string, tag: string): boolean {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`|\]\([^)\n]*\)|<[^<>\n]*>/gm, ' ');
  const letters = prose.match(/\p{L}/gu) ?? [];
  const others = letters.filter(letter => !/\p{Script=Latin}/u.test(letter)).length;
  const { language, script } = new Intl.Locale(tag).maximize();
  if (script !== 'Latn') return others > letters.length / 4;
  const words = prose.toLowerCase().match(/\p{L}+/gu) ?? [];
  const shares = new Map(
    [...SETS].map(([name, set]) => [
      name,
      words.filter(word => set.has(word)).length / (words.length || 1),
    ]),
  );
  const best = Math.max(...shares.values());
  const own = shares.get(language);
  // What has no list here is known by what it is not.
  if (own === undefined) return best < CHANCE && /(?![a-z])\p{Ll}/u.test(prose);
  return own >= CHANCE && own >= best * NEAR;
}
