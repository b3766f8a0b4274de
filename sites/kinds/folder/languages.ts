import { readFrontMatter } from '../../outline/front-matter.ts';
import type { SitePage, SiteSource } from '../site-kind.ts';
import { isWrittenIn } from './text-language.ts';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
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
  return tag !== undefined && nameOf(tag.replace('_', '-')) !== undefined ? tag : undefined;
}

function nameOf(tag: string): string | undefined {
  try {
    return NAMES.of(tag);
  } catch {
    return undefined; // such as `en-usa`
  }
}

function joined(tag: string, rest: string): string {
  return rest === '/' ? `/${tag}` : `/${tag}${rest}`;
}
