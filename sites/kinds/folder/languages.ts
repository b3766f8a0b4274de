import type { SitePage } from '../site-kind.ts';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
/** Of a folder's pages, the share that must exist beside it: `de` may also be an abbreviation. */
const ALIKE = 0.5;

/**
 * Languages of a tree without a generator: top folders such as `fr` or `zh-CN` whose pages exist
 * beside them too. Pages outside such folders are in English then.
 */
export function giveLanguages(pages: readonly SitePage[]): void {
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
  const languages = [...folders].filter(([, { all, alike }]) => alike >= all * ALIKE);
  const known = new Set(languages.map(([tag]) => tag));
  if (known.size === 0) return;
  for (const page of pages) {
    const tag = tagOf(page.path);
    if (tag !== undefined && known.has(tag)) page.language = tag;
    else if (!known.has('en')) page.language = 'en';
  }
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
