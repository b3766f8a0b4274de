import type { PageOutline } from '../../outline/page-outline.ts';
import { linkResolver } from '../links.ts';
import { markNavigation } from '../navigation.ts';
import { basePathOf, folderOf, sitePathOf } from '../paths.ts';
import { objectOf } from '../mkdocs/config.ts';
import type { SiteKind } from '../kind.ts';
import type { FoundSite, NavigationItem, Site, SitePage, SiteSource } from '../site-kind.ts';
import { type HugoConfig, isHugoConfig, readHugoConfig } from './config.ts';
import { type HugoPage, readPages } from './pages.ts';
import { hugoNavigation } from './edit-navigation.ts';
import { headingIds } from './heading-ids.ts';

/** Hugo: a tree of sections; the navigation is the theme's, by weight. */
export const hugo: SiteKind = {
  name: 'hugo',
  title: 'Hugo',
  find: source =>
    source.paths
      .filter(path => isHugoConfig(path, source))
      .map(marker => ({ kind: 'hugo', root: rootOf(marker), marker })),
  read: (source, found) => ({ ...readHugo(source, found), isListedByFolder: true }),
  navigation: hugoNavigation,
};

function rootOf(marker: string): string {
  return folderOf(marker).replace(/(?:^|\/)config\/_default$/, '');
}

function readHugo(source: SiteSource, found: FoundSite): Site {
  const config = readHugoConfig(source, found);
  const { pages, excluded } = readPages(source, config);
  const navigation = config.languages.flatMap(({ key }) =>
    navigationOf(
      pages.filter(page => page.languageKey === key),
      config,
      key,
    ),
  );
  markNavigation(pages, navigation);
  const redirects = pages.flatMap(page =>
    page.aliases.map(alias => ({
      from: alias.startsWith('/') ? sitePathOf(alias) : sitePathOf(folderOf(page.path), alias),
      to: page.path,
      file: page.file,
      line: null,
    })),
  );
  const main = config.languages.find(one => one.key === config.defaultLanguage);
  const docsFolder = (main ?? config.languages[0])?.contentFolder ?? found.root;
  const generated = taxonomyPaths(config);
  return {
    kind: 'hugo',
    ownChecks: { anchors: false, elements: [], images: false },
    root: found.root,
    docsFolder,
    configFiles: config.files,
    basePath: basePathOf(config.baseUrl ?? undefined),
    address: /^\w+:\/\/[^/]+/.exec(config.baseUrl ?? '')?.[0] ?? null,
    addressRule:
      'A page has the path of its file in lower case; _index.md and index.md are their folder; ' +
      '`slug` and `url` in front matter change it.',
    pages,
    navigation,
    redirects,
    generated,
    excluded,
    unread: [],
    problems: config.problems,
    outline: outliner(source),
    headingIds,
    anchors: outline =>
      /\{\{[<%]/.test(outline.text) ? null : new Set([...headingIds(outline), ...outline.ids]),
    resolve: resolver(source, config, pages, docsFolder, [
      ...generated,
      ...redirects.map(one => one.from),
    ]),
  };
}

function resolver(
  source: SiteSource,
  config: HugoConfig,
  pages: readonly SitePage[],
  docsFolder: string,
  generated: readonly string[],
): Site['resolve'] {
  const hasHook = source.paths.some(path => /\/_markup\/render-link\b[^/]*$/.test(path));
  const resolve = linkResolver({
    source,
    pages,
    docsFolder,
    basePath: basePathOf(config.baseUrl ?? undefined),
    candidates: path => [`${path}.md`, `${path}/_index.md`, `${path}/index.md`],
    generated,
    // Files beside pages are published as they are.
    staticFolders: [
      ...config.staticFolders,
      ...config.languages.flatMap(language => language.mounts.map(mount => mount.source)),
    ],
    relativeToAddress: true,
    ignoresCase: !config.keepsCase,
    // Output formats make further files; a theme's own hook may give a bare name a meaning.
    unchecked: path => /^\/.*\.(?:xml|txt|json|ics)$/.test(path) || (hasHook && !/[./]/.test(path)),
  });
  return (url, file) => {
    const link = resolve(url, file);
    // A hook finds pages from the top of the content as well.
    if (link.kind !== 'missing' || !hasHook || url.startsWith('/')) return link;
    const fromTop = resolve(`/${url}`, file);
    return fromTop.kind === 'page' ? fromTop : link;
  };
}

function taxonomyPaths(config: HugoConfig): string[] {
  return config.languages.flatMap(({ segment }) =>
    config.taxonomies.flatMap(name => [
      sitePathOf(segment, name),
      `${sitePathOf(segment, name)}/*`,
    ]),
  );
}

/** One language's pages by section: weight, then the newest, then by title, as Hugo sorts. */
function navigationOf(
  pages: readonly HugoPage[],
  config: HugoConfig,
  locale: string,
): NavigationItem[] {
  const sections = new Map(pages.filter(page => page.isSection).map(page => [page.section, page]));
  const items: NavigationItem[] = [];
  const visit = (section: string, crumbs: string[]): void => {
    const children = pages.filter(page =>
      page.isSection
        ? page.section !== section && folderOf(page.section) === section && page.section !== ''
        : nearestSection(page, sections) === section,
    );
    for (const page of sorted(children, section === '' ? config.menu : [])) {
      if (!isHidden(page)) {
        const { path, file, linkTitle: title } = page;
        items.push({ title, path, file, crumbs, ...(config.languages.length > 1 && { locale }) });
      }
      if (page.isSection) visit(page.section, [...crumbs, page.linkTitle]);
    }
  };
  visit('', []);
  return items;
}

/** A folder without a section page belongs to the section above it. */
function nearestSection(page: HugoPage, sections: ReadonlyMap<string, HugoPage>): string {
  let section = page.section;
  while (section !== '' && !sections.has(section)) section = folderOf(section);
  return section;
}

/** What the usual themes leave out of their navigation. */
function isHidden({ frontMatter }: HugoPage): boolean {
  const sidebar = objectOf(frontMatter.sidebar);
  return (
    sidebar.exclude === true ||
    sidebar.hide === true ||
    frontMatter.toc_hide === true ||
    frontMatter.bookHidden === true ||
    frontMatter.hidden === true
  );
}

function sorted(pages: readonly HugoPage[], menu: readonly string[]): HugoPage[] {
  const weight = (page: HugoPage) => {
    const inMenu = menu.indexOf(page.path.replace(`/${page.languageKey}/`, '/'));
    if (menu.length > 0 && inMenu >= 0) return inMenu - 1e6;
    return page.weight === 0 ? Number.MAX_SAFE_INTEGER : page.weight;
  };
  const collator = collatorOf(pages[0]?.languageKey);
  return pages.toSorted(
    (a, b) =>
      weight(a) - weight(b) ||
      (a.date === b.date ? 0 : a.date < b.date ? 1 : -1) ||
      Number(isOtherScript(a.linkTitle)) - Number(isOtherScript(b.linkTitle)) ||
      collator.compare(a.linkTitle, b.linkTitle) ||
      (a.path < b.path ? -1 : 1),
  );
}

/** Go puts Latin letters first in every language; ICU puts some languages' own script first. */
function isOtherScript(title: string): boolean {
  return /^(?!\p{Script=Latin})\p{L}/u.test(title);
}

function collatorOf(language: string | undefined): Intl.Collator {
  try {
    return new Intl.Collator(language);
  } catch {
    return new Intl.Collator('en');
  }
}

/** Pages with the links that shortcodes make: `{{< ref "/a/b#c" >}}`. */
function outliner(source: SiteSource): Site['outline'] {
  const kept = new Map<string, PageOutline>();
  return file => {
    const known = kept.get(file);
    if (known) return known;
    const outline = source.outline(file);
    const refs = outline.text.split('\n').flatMap((text, index) =>
      Array.from(text.matchAll(/\{\{[<%] *(?:rel)?ref +"([^"\n]+)"/g), ([, url = '']) => ({
        kind: 'link' as const,
        url,
        line: index + 1,
        element: 'ref',
      })),
    );
    const whole = refs.length === 0 ? outline : { ...outline, links: [...outline.links, ...refs] };
    kept.set(file, whole);
    return whole;
  };
}
