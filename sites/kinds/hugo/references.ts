import { objectOf, textOf } from '../../values.ts';
import type { LinkSyntax } from '../kind.ts';
import { folderOf, nameOf } from '../paths.ts';
import type { Site, SitePage } from '../site-kind.ts';

const QUOTED = `(?:"([^"\\n]+)"|'([^'\\n]+)'|\`([^\`\\n]+)\`|([^\\s"'\`>%=]+)(?=[\\s>%]))`;

/** `{{< ref "a/b" >}}`, `{{% relref path="a/b" %}}` */
export const REFERENCES: readonly LinkSyntax[] = [
  `\\{\\{[<%][ \\t]*(?:rel)?ref[ \\t]+${QUOTED}`,
  `\\{\\{[<%][ \\t]*(?:rel)?ref[ \\t][^<>{}\\n]*?\\bpath[ \\t]*=[ \\t]*${QUOTED}`,
].map(source => ({ kind: 'name', pattern: new RegExp(source, 'dgm') }));

const maps = new WeakMap<readonly SitePage[], Map<string, SitePage>>();

function byFile(pages: readonly SitePage[]): ReadonlyMap<string, SitePage> {
  const known = maps.get(pages) ?? new Map(pages.map(page => [page.file, page]));
  maps.set(pages, known);
  return known;
}

/** The page that Hugo finds: beside this one, from the top, then by a name that only one page has. */
export function pageReferred(
  pages: readonly SitePage[],
  resolve: Site['resolve'],
  url: string,
  from: string,
): string | undefined {
  const file = namedPage(pages, resolve, url, from);
  const known = byFile(pages);
  const page = (path: string | undefined) => known.get(path ?? '');
  const language = page(from)?.language;
  if (language === undefined || language === page(file)?.language) return file;
  // A page in another language leads to the translation, and to nothing without one.
  const suffix = /\.[\w-]+(?=\.\w+$)/.exec(nameOf(from))?.[0] ?? '';
  const translated = file?.replace(/\.\w+$/, ending => suffix + ending);
  return suffix === '' ? undefined : page(translated)?.file;
}

function namedPage(
  pages: readonly SitePage[],
  resolve: Site['resolve'],
  url: string,
  from: string,
): string | undefined {
  const [path = ''] = url.split(/[?#]/);
  for (const one of [url, `/${url}`]) {
    const target = resolve(one, from);
    if (target.kind === 'page') return target.page.file;
    if (target.kind === 'file') return target.file;
  }
  if (path.includes('/')) return undefined;
  const names = [path, `${path}.md`];
  const named = pages.filter(
    ({ file }) =>
      names.includes(nameOf(file)) ||
      (/^(?:_?index)\.md$/.test(nameOf(file)) && nameOf(folderOf(file)) === path),
  );
  return named.length === 1 ? named[0]?.file : undefined;
}

/**
 * Whether links in Markdown name pages, by the render hook that Hugo brings along. Without a setting
 * this is so on sites of several languages on one host.
 */
export function linksFindPages(
  settings: Record<string, unknown>,
  goldmark: Record<string, unknown>,
  hasLanguages: boolean,
): boolean {
  const hook = objectOf(objectOf(goldmark.renderhooks).link);
  const use = textOf(hook.useembedded)?.toLowerCase() ?? 'auto';
  if (use !== 'auto' || hook.enabledefault === true) return use !== 'never';
  const hosts = Object.values(objectOf(settings.languages)).some(
    language => objectOf(language).baseurl !== undefined,
  );
  return hasLanguages && !hosts && goldmark.duplicateresourcefiles !== true;
}
