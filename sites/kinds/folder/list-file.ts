import { readSummary } from '../mdbook/summary.ts';
import { folderOf, joinPath } from '../paths.ts';
import type { NavigationItem, Site, SitePage, SiteSource } from '../site-kind.ts';

/** Files in which a list of links is the navigation: of GitBook, of Docsify. */
const LIST_FILES = ['SUMMARY.md', '_sidebar.md'];

/** The file that lists the pages of a folder; undefined if none does. */
export function listFile(source: SiteSource, root: string): string | undefined {
  return LIST_FILES.map(name => joinPath(root, name)).find(
    (file): file is string => file !== undefined && source.has(file),
  );
}

/** The one of a site that was read. */
export function listFileOf({ configFiles, generator }: Site): string | undefined {
  return generator === undefined
    ? undefined
    : configFiles.find(file => LIST_FILES.includes(file.slice(file.lastIndexOf('/') + 1)));
}

/** The navigation that a list file writes out; its pages are marked as listed, others are not. */
export function listedNavigation(
  source: SiteSource,
  file: string,
  pages: readonly SitePage[],
): NavigationItem[] {
  const byFile = new Map(pages.map(page => [page.file, page]));
  for (const page of pages) page.inNavigation = false;
  return readSummary(source.read(file) ?? '').flatMap(
    ({ title, target, crumbs }): NavigationItem[] => {
      if (target === null) return [];
      if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target)) return [{ title, href: target, crumbs }];
      const path = joinPath(folderOf(file), target.replace(/[?#].*$/, ''));
      const page = [path, `${path}.md`, joinPath(path ?? '', 'README.md')]
        .map(one => byFile.get(one ?? ''))
        .find(Boolean);
      if (!page) return [];
      Object.assign(page, { inNavigation: true, title, crumbs });
      return [{ title, path: page.path, file: page.file, crumbs }];
    },
  );
}
