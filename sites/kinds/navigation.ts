import type { NavigationItem, SitePage } from './site-kind.ts';

/** A page before the navigation was read, of a site without versions. */
export const UNPLACED = {
  ...{ version: null, draft: false },
  ...{ inNavigation: false, title: null, crumbs: [] as string[] },
};

/** Gives every page its place in the navigation: the first item that leads to it decides. */
export function markNavigation(pages: readonly SitePage[], items: readonly NavigationItem[]): void {
  const byFile = new Map(pages.map(page => [page.file, page]));
  const byPath = new Map(pages.map(page => [page.path, page]));
  for (const item of items) {
    const page =
      item.file === undefined
        ? item.path === undefined
          ? undefined
          : byPath.get(item.path)
        : byFile.get(item.file);
    if (!page || page.inNavigation) continue;
    page.inNavigation = true;
    page.title = item.title;
    page.crumbs = item.crumbs;
  }
}
