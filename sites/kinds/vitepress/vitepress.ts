import { plainText, type PageOutline, trailingBraces } from '../../outline/page-outline.ts';
import { shownPages } from '../includes.ts';
import { MODULE_IMPORTS } from '../module-imports.ts';
import { markNavigation } from '../navigation.ts';
import { basePathOf, folderOf, isExternal, joinPath, splitUrl } from '../paths.ts';
import type { SiteKind } from '../kind.ts';
import type { SitePlace, Site, SiteLink, SiteSource } from '../site-kind.ts';
import { apiReferences } from './api-references.ts';
import { readVitePressConfig, VITEPRESS_CONFIG, type VitePressConfig } from './config.ts';
import { partsOf } from './parts.ts';
import { readPages, type VitePressPage } from './pages.ts';
import { markBars, readSidebars } from './sidebar.ts';
import { slugOf } from './slug.ts';

/** VitePress: every Markdown file is a page, the sidebar is code. */
export const vitepress: SiteKind<'vitepress'> = {
  name: 'vitepress',
  title: 'VitePress',
  marker: VITEPRESS_CONFIG,
  rootOf,
  usualPages: rootOf,
  links: [
    ...MODULE_IMPORTS,
    { kind: 'include', pattern: /<!--\s*@include:\s*([^\s<>{}#]+?)(?=\s|-->|[{#])/dg },
    { kind: 'include', pattern: /^[ \t]*<<<[ \t]+([^\s{}#[\]]+)/dgm },
  ],
  read: readVitePress,
  apiReferences,
};

function rootOf(marker: string): string {
  return marker.replace(/(?:^|\/)\.vitepress\/.*$/, '');
}

function readVitePress(source: SiteSource, found: SitePlace): Site {
  const config = readVitePressConfig(source, found);
  const { pages, dynamic, excluded } = readPages(source, config);
  const { navigation, unread } = readSidebars(config, pages);
  markNavigation(pages, navigation);
  markBars(config, pages);
  const ending = config.cleanUrls ? 'without an ending' : 'with .html';
  return {
    ownChecks: {
      ...{ links: config.ignoresDeadLinks ? 'none' : 'stops', anchors: 'none', orphans: 'warns' },
      ...{ elements: [], images: true, leavesOut: link => config.leavesOut(writtenLink(link)) },
    },
    root: found.root,
    docsFolder: config.docsFolder,
    configFiles: config.files,
    basePath: basePathOf(config.base),
    address: config.hostname,
    addressRule: `A page has the path of its file ${ending}; index.md is its folder.`,
    pages,
    navigation,
    redirects: [],
    generated: [],
    excluded,
    unread: [
      ...config.unread,
      ...unread,
      ...dynamic.map(file => ({
        file,
        line: null,
        message: 'A template for dynamic routes: its pages are made by code.',
      })),
    ],
    problems: [],
    aliases: [{ prefix: '@/', folder: config.docsFolder }],
    outline: file => source.outline(file),
    shown: shownPages(source, partsOf(config.docsFolder)),
    headingIds,
    anchors: outline =>
      config.hasOwnSlugs || /<!--\s*@include/.test(outline.text)
        ? null
        : new Set([...headingIds(outline), ...outline.ids]),
    resolve: resolver(source, config, pages, dynamic),
  };
}

/** `./a` for `a.md#x`, `/b/index` for `/b/`. */
function writtenLink(link: string): string {
  const bare = link.replace(/[?#].*$/s, '').replace(/\.(?:html|md)$/, '');
  const whole = bare.endsWith('/') ? `${bare}index` : bare;
  return /^(?:\/|\.\/)/.test(whole) ? whole : `./${whole}`;
}

/** Links are read against the page's path after rewrites, as VitePress' own check reads them. */
function resolver(
  source: SiteSource,
  config: VitePressConfig,
  pages: readonly VitePressPage[],
  dynamic: readonly string[],
): Site['resolve'] {
  const byFile = new Map(pages.map(page => [page.file, page]));
  const byRoute = new Map(pages.map(page => [page.route.replace(/\.md$/, ''), page]));
  const publicFolder = joinPath(config.docsFolder, 'public') ?? 'public';
  const templates = dynamic.map(file => folderOf(file.slice(config.docsFolder.length + 1)));
  return (url, file): SiteLink => {
    if (isExternal(url) || url.includes('{{')) return { kind: 'external' };
    const { path, anchor } = splitUrl(url);
    const from = byFile.get(file);
    if (!from) return { kind: 'unchecked' };
    if (path === '') return { kind: 'page', page: from, anchor };
    const route = path.startsWith('/') ? joinPath(path) : joinPath(folderOf(from.route), path);
    if (route === undefined) return { kind: 'missing', path };
    const clean = route.replace(/\.(?:md|html)$/, '');
    const page =
      (path.endsWith('/') || clean === '' ? undefined : byRoute.get(clean)) ??
      byRoute.get(clean === '' ? 'index' : `${clean}/index`);
    if (page) return { kind: 'page', page, anchor };
    const asset = [joinPath(publicFolder, route), joinPath(folderOf(file), path)].find(
      one => one !== undefined && source.has(one),
    );
    if (asset !== undefined) return { kind: 'file', file: asset };
    if (source.has(`${publicFolder}/${clean}.html`))
      return { kind: 'file', file: `${publicFolder}/${clean}.html` };
    return templates.includes(folderOf(route))
      ? { kind: 'route', path: `/${route}` }
      : { kind: 'missing', path };
  };
}

/** As VitePress: `{#id}` wins, else its own slugger; a repeated id gets `-1`, `-2`. */
function headingIds(outline: PageOutline): string[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return outline.headings.map(({ parts, id: written }) => {
    if (written !== undefined) return written;
    const text = plainText(parts).replace(/:[a-z\d_+-]+:/g, '');
    const own = /^\{[^}]*#([^\s}]+)[^}]*\}$/.exec(trailingBraces(text))?.[1];
    const slug = own ?? slugOf(text);
    let count = counts.get(slug) ?? 0;
    let id = count === 0 ? slug : `${slug}-${count}`;
    while (used.has(id)) id = `${slug}-${(count += 1)}`;
    counts.set(slug, count);
    used.add(id);
    return id;
  });
}
