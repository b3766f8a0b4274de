import { placeNaming } from '../line-of.ts';
import { isExternal, joinPath } from '../paths.ts';
import type { NavigationItem, SiteProblem } from '../site-kind.ts';
import { folderNavigation } from './folder-navigation.ts';
import { literateNavigation } from './literate-navigation.ts';
import { entryOf, type NavContext, type NavEntry } from './nav-entry.ts';
import { ownTitle } from './pages.ts';

export function readNavigation(context: NavContext): {
  navigation: NavigationItem[];
  problems: SiteProblem[];
  files: string[];
  /** Targets that no file answers. */
  missing: string[];
} {
  const { entries, files, file } = entriesOf(context);
  const navigation: NavigationItem[] = [];
  const missing: string[] = [];
  const visit = (list: readonly NavEntry[], crumbs: string[]): void => {
    for (const entry of list) {
      if (entry.children) visit(entry.children, [...crumbs, entry.title ?? '']);
      else if (entry.target !== undefined) {
        const item = itemOf(entry, entry.target, crumbs, context);
        if (item) navigation.push(item);
        else missing.push(entry.target);
      }
    }
  };
  visit(entries, []);
  const problems = missing.map(target => missingPage(context, target, [file, ...files]));
  return { navigation, problems, files, missing };
}

function entriesOf(context: NavContext): { entries: NavEntry[]; files: string[]; file: string } {
  const { config } = context;
  const file = config.files[0] ?? 'mkdocs.yml';
  const { nav } = config.settings;
  const written = Array.isArray(nav) ? nav.flatMap(entryOf) : undefined;
  if (config.plugins.has('literate-nav')) {
    const literate = literateNavigation(context, written);
    if (literate) return { ...literate, file };
  }
  const isByFolder = config.plugins.has('awesome-nav') || config.plugins.has('awesome-pages');
  if (written && !isByFolder) return { entries: written, files: [], file };
  return { ...folderNavigation(context, written), file };
}

function itemOf(
  { title }: NavEntry,
  target: string,
  crumbs: string[],
  { source, config, pages }: NavContext,
): NavigationItem | undefined {
  if (isExternal(target) || target.startsWith('/'))
    return { title: title ?? target, href: target, crumbs };
  const page = pages.get(joinPath(target) ?? target);
  if (page) {
    const shown = title ?? ownTitle(page, source.outline(page.file));
    return page.isLent
      ? { title: shown, path: page.path, crumbs, generated: true }
      : { title: shown, path: page.path, file: page.file, crumbs };
  }
  const file = joinPath(config.docsFolder, target);
  return file !== undefined && source.has(file)
    ? { title: title ?? target, href: target, crumbs }
    : undefined;
}

function missingPage(
  { source, config }: NavContext,
  target: string,
  [main = '', ...folderFiles]: string[],
): SiteProblem {
  const message = `The navigation names ${target}, which does not exist.`;
  const place = placeNaming(
    source.read,
    [...config.files, ...folderFiles],
    target,
    /^(?:nav|arrange)[ \t]*:/m,
  );
  return { rule: 'navigation', file: main, line: null, ...place, link: target, message };
}
