import { asString, at, membersOf } from '../../../sites/code/static-value.ts';
import type { Shape } from '../code-navigation/write-literal.ts';
import { codeNavigation } from '../code-navigation/code-navigation.ts';
import { mentionsIn } from '../code-navigation/mentions.ts';
import { type NavigationForm, onlyNavigationChanges } from '../code-navigation/other-changes.ts';
import type {
  Mention,
  WrittenEntry,
  WrittenNavigation,
} from '../code-navigation/written-navigation.ts';
import { ModuleReader } from '../../../sites/code/read-module.ts';
import { firstTitle } from '../../../sites/outline/page-outline.ts';
import { joinPath, nameOf } from '../../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import {
  readVitePressConfig,
  type VitePressConfig,
} from '../../../sites/kinds/vitepress/config.ts';
import { localeOf, readPages, type VitePressPage } from '../../../sites/kinds/vitepress/pages.ts';
import { pathOfLink } from '../../../sites/kinds/vitepress/sidebar.ts';
import { type Bases, type WrittenSidebar, writtenSidebars } from './written-sidebars.ts';

/** Sidebars and the menu, where entries and groups are objects with `text`, `link` and `items`. */
export const vitepressNavigation = codeNavigation(readNavigation, (site, file, before, after) =>
  onlyNavigationChanges(FORM, site, file, before, after),
);

const FORM: NavigationForm = {
  members: {
    text: 'title',
    link: 'target',
    items: 'target',
    base: 'target',
    docFooterText: 'title',
    collapsed: 'word',
    activeMatch: 'target',
  },
  parts(reader, file, isMain) {
    const config = reader.configuration(file);
    if (!isMain && at(config, 'themeConfig') === undefined) return reader.exported(file);
    const themes = [config, ...membersOf(at(config, 'locales')).map(([, one]) => one)];
    return themes.flatMap(one => [
      at(one, 'themeConfig', 'sidebar'),
      at(one, 'themeConfig', 'nav'),
    ]);
  },
};

function readNavigation(source: SiteSource, site: Site): WrittenNavigation | { refused: string } {
  const [marker] = site.configFiles;
  if (marker === undefined || !source.has(marker))
    return { refused: 'The configuration cannot be read, so its sidebar is not edited.' };
  const config = readVitePressConfig(source, { root: site.root, marker });
  const { pages } = readPages(source, config);
  const byFile = new Map(pages.map(page => [page.file, page]));
  const byPath = new Map(pages.map(page => [page.path, page.file]));
  const { lists, bases } = writtenSidebars(config, path => byPath.get(path));
  return {
    files: [marker],
    rule: `The sidebar is themeConfig.sidebar in ${marker}: entries have text and link.`,
    lists,
    redirects: [],
    redirectPlace: { missing: whyNoRedirects(source, config) },
    mentions: menuMentions(source, marker, byPath),
    unread: site.unread.filter(({ message }) => /sidebar|configuration/.test(message)),
    listsFor: file => listsFor(byFile.get(file), lists, config),
    targetOf: (file, model) => linkOf(byFile.get(file), model, bases),
    canName: (file, entry) => isBelowBase(byFile.get(file)?.path ?? '', bases.get(entry) ?? ''),
    pageShape: (file, title, model) => {
      const text = title ?? titleOf(source, file);
      const page = byFile.get(file);
      return { text, link: linkOf(page, model, bases) ?? '' };
    },
    groupShape: (text, items) => ({ text, items }) satisfies Shape,
    titledShape: ({ value }, text) => ({ text, link: asString(at(value, 'link')) ?? '' }),
    redirectShape: (from, to) => ({ value: { from, to } }),
    redirectTarget: file => byFile.get(file)?.path,
    sitePathOf: file => byFile.get(file)?.path,
    placeInFolder: () => undefined,
    numberOf: () => undefined,
    alsoMoved: () => [],
  };
}

/** The sidebar with the longest prefix of the page's path is the one that is shown on it. */
function listsFor(
  page: VitePressPage | undefined,
  lists: readonly WrittenSidebar[],
  config: VitePressConfig,
): WrittenSidebar[] {
  if (!page) return [];
  const own = lists.filter(
    ({ prefix }) =>
      (prefix === '/' || `${page.path}/`.startsWith(`${prefix}/`)) &&
      localeOf(prefix, config) === localeOf(page.path, config),
  );
  const longest = Math.max(...own.map(({ prefix }) => prefix.length));
  return own.filter(({ prefix }) => prefix.length === longest);
}

/** The `base` of a group is put before every link in it. */
function isBelowBase(path: string, base: string): boolean {
  return base === '' || `${path}/`.startsWith(`/${base.replace(/^\/|\/$/g, '')}/`);
}

/** A link as the entry beside it has it: with its `base`, ending, and slashes. */
function linkOf(
  page: VitePressPage | undefined,
  model: WrittenEntry | Mention | undefined,
  bases: Bases,
): string | undefined {
  if (!page) return undefined;
  const isEntry = model !== undefined && 'type' in model;
  const old = isEntry ? asString(at(model.value, 'link')) : undefined;
  const base = (isEntry && bases.get(model)) || '';
  const folder = page.path === '/' ? '/' : page.url.endsWith('/') ? `${page.path}/` : page.path;
  const ending = /\.(?:md|html)$/.exec(old ?? '')?.[0] ?? '';
  const path = ending !== '' && !folder.endsWith('/') ? `${folder}${ending}` : folder;
  if (base === '') return old !== undefined && !old.startsWith('/') ? path.slice(1) : path;
  const root = `/${base.replace(/^\/|\/$/g, '')}/`;
  // Elsewhere the base would lead astray: the check of the result refuses it.
  if (!path.startsWith(root)) return path;
  const rest = path.slice(root.length);
  return base.endsWith('/') && !old?.startsWith('/') ? rest : `/${rest}`;
}

function titleOf(source: SiteSource, file: string): string {
  const outline = source.outline(file);
  const own = outline.frontMatter.title;
  const fallback = nameOf(file).replace(/\.md$/, '');
  return typeof own === 'string' && own !== '' ? own : (firstTitle(outline) ?? fallback);
}

/** Links of the menu: VitePress does not check them, readers meet them on every page. */
function menuMentions(
  source: SiteSource,
  marker: string,
  byPath: ReadonlyMap<string, string>,
): Mention[] {
  const config = new ModuleReader(path => source.read(path)).configuration(marker);
  const menus = [config, ...membersOf(at(config, 'locales')).map(([, one]) => one)];
  return menus.flatMap(one =>
    mentionsIn(at(one, 'themeConfig', 'nav'), ['link'], link => byPath.get(pathOfLink(link, ''))),
  );
}

function whyNoRedirects(source: SiteSource, { docsFolder }: VitePressConfig): string {
  const file = joinPath(docsFolder, 'public/_redirects') ?? '';
  return source.has(file)
    ? `${file} is read by the host of the site and is not edited`
    : 'VitePress has no redirects';
}
