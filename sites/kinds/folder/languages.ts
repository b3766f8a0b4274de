import { readFrontMatter } from '../../outline/front-matter.ts';
import { isLanguageTag } from '../language-tag.ts';
import type { SitePage, SiteSource } from '../site-kind.ts';

/** Of a folder's pages, the share that must exist beside it: `de` may also be an abbreviation. */
const ALIKE = 0.5;
/** Characters of a folder's pages that tell its language. */
const ENOUGH = 4_000;

/**
 * Languages of a tree without a generator: top folders such as `fr` or `zh-CN` whose pages exist
 * beside them too, and whose text or front matter says so: `it` and `hr` may be two departments.
 * Pages outside such folders are in English then.
 */
export function giveLanguages(pages: readonly SitePage[], source: SiteSource): void {
  const paths = new Set(pages.map(({ path }) => path));
  const folders = new Map<string, { all: number; alike: number }>();
  const tags = new Set(pages.map(({ path }) => tagOf(path)).filter(tag => tag !== undefined));
  for (const { path } of pages) {
    const tag = tagOf(path);
    if (tag === undefined) continue;
    const folder = folders.get(tag) ?? { all: 0, alike: 0 };
    folders.set(tag, folder);
    const rest = path.slice(tag.length + 1) || '/';
    const others = [...tags].filter(other => other !== tag);
    folder.all += 1;
    if ((rest !== '/' && paths.has(rest)) || others.some(one => paths.has(joined(one, rest))))
      folder.alike += 1;
  }
  const languages = [...folders].filter(
    ([tag, { all, alike }]) => alike >= all * ALIKE && saysSo(tag, pages, source),
  );
  const known = new Set(languages.map(([tag]) => tag));
  if (known.size === 0) return;
  for (const page of pages) {
    const tag = tagOf(page.path);
    if (tag !== undefined && known.has(tag)) page.language = tag;
    else if (!known.has('en')) page.language = 'en';
  }
}

function saysSo(tag: string, pages: readonly SitePage[], source: SiteSource): boolean {
  let text = '';
  for (const { path, file } of pages) {
    if (tagOf(path) !== tag) continue;
    const { members, body } = readFrontMatter(source.read(file) ?? '');
    const named = members.lang ?? members.language;
    if (typeof named === 'string') return named.toLowerCase().startsWith(tag.slice(0, 2));
    text += `${typeof members.title === 'string' ? members.title : ''}\n${body}\n`;
    if (text.length > ENOUGH) break;
  }
  return isWrittenIn(text.slice(0, ENOUGH), tag.replace('_', '-'));
}

/** The first folder of a path, if it is named as a language is. */
function tagOf(path: string): string | undefined {
  const [, tag] = /^\/([a-z]{2}(?:[-_][A-Za-z]{2,4})?)(?:\/|$)/.exec(path) ?? [];
  return tag !== undefined && isLanguageTag(tag) ? tag : undefined;
}

function joined(tag: string, rest: string): string {
  return rest === '/' ? `/${tag}` : `/${tag}${rest}`;
}

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
function isWrittenIn(text: string, tag: string): boolean {
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
