import type { PageOutline } from '../../outline/page-outline.ts';
import { linkResolver } from '../links.ts';
import { MODULE_IMPORTS } from '../module-imports.ts';
import { behindPlugins } from '../link-plugins.ts';
import { markNavigation } from '../navigation.ts';
import { importedMarkdown } from '../imported-markdown.ts';
import { shownPages } from '../includes.ts';
import { basePathOf, below, beside, folderOf, joinPath, sitePathOf } from '../paths.ts';
import { readHostRedirects } from '../host-redirects.ts';
import type { SiteKind } from '../kind.ts';
import type { SitePlace, Site, SitePage, SiteSource } from '../site-kind.ts';
import { tsconfigAliases } from '../tsconfig-aliases.ts';
import { apiReferences } from './api-references.ts';
import { readStarlightConfig, type StarlightConfig } from './config.ts';
import { headingIds, readPages, type StarlightRoute } from './pages.ts';
import { readSidebar } from './sidebar.ts';

/** Starlight: the content collection `docs` of an Astro project. */
export const starlight: SiteKind<'starlight'> = {
  name: 'starlight',
  title: 'Starlight',
  marker: /(?:^|\/)astro\.config\.[cm]?[jt]s$/,
  isMarker: (source, path) => /starlight/i.test(source.read(path) ?? ''),
  usualPages: beside('src/content/docs'),
  settings: /(?:^|\/)_redirects$/,
  links: MODULE_IMPORTS,
  read: readStarlight,
  apiReferences,
};

function readStarlight(source: SiteSource, found: SitePlace): Site {
  const config = readStarlightConfig(source, found);
  const { pages, routes } = readPages(source, config);
  const { navigation, problems } = readSidebar(config, routes);
  markNavigation(pages, navigation);
  placeOthers(pages, source, config);
  const hostRedirects = readHostRedirects(source, [config.publicFolder], found.root);
  const redirects = [...config.redirects, ...hostRedirects];
  return {
    ownChecks: {
      ...{ links: 'stops', orphans: 'warns', images: true },
      anchors: config.checksAnchors ? 'stops' : 'none',
      // The plugin looks at the path alone; its older releases at all of the link.
      leavesOut: link => config.leavesOut(link) || config.leavesOut(link.replace(/[?#].*$/s, '')),
      elements: ['LinkCard', 'LinkButton'],
    },
    root: found.root,
    docsFolder: config.docsFolder,
    configFiles: [...config.files, ...new Set(hostRedirects.map(one => one.file))],
    basePath: basePathOf(config.base),
    address: config.address,
    addressRule:
      'A page has the path of its file in lower case; index is its folder; ' +
      '`slug` in front matter replaces the path.',
    pages,
    navigation,
    redirects,
    generated: generatedPaths(source, found, config, routes),
    excluded: source.paths.filter(
      path =>
        /\.(?:md|mdx)$/.test(path) && /(?:^|\/)[_.]/.test(below(config.docsFolder, path) ?? ''),
    ),
    unread: config.unread,
    problems,
    outline: file => source.outline(file),
    shown: shownPages(source, [importedMarkdown(importedBy(source, found.root))]),
    headingIds,
    anchors: outline => anchorsOf(outline),
    resolve: resolver(
      source,
      found,
      config,
      pages,
      routes,
      redirects.map(one => one.from),
    ),
  };
}

function resolver(
  source: SiteSource,
  found: SitePlace,
  config: StarlightConfig,
  pages: readonly SitePage[],
  routes: readonly StarlightRoute[],
  redirects: readonly string[],
): Site['resolve'] {
  const patterns = redirects.filter(from => !/^\/(?::\w+\/)?\*$/.test(from));
  const resolve = linkResolver({
    source,
    pages,
    docsFolder: config.docsFolder,
    basePath: basePathOf(config.base),
    candidates: path => [`${path}.md`, `${path}.mdx`, `${path}/index.md`, `${path}/index.mdx`],
    generated: [
      ...generatedPaths(source, found, config, routes),
      ...patterns.map(from => sitePathOf(from)),
    ],
    staticFolders: [config.publicFolder],
    relativeToAddress: true,
    // Aliases of the bundler.
    unchecked: path => /^(?:@|~\/)/.test(path),
  });
  return behindPlugins(source, found.marker, resolve);
}

/** Pages that have no Markdown file: fallbacks of other languages, Astro's own, those of plugins. */
function generatedPaths(
  source: SiteSource,
  found: SitePlace,
  config: StarlightConfig,
  routes: readonly StarlightRoute[],
): string[] {
  const folder = found.root === '' ? 'src/pages' : `${found.root}/src/pages`;
  const astroPages = source.paths.flatMap(path => {
    const page = below(folder, path);
    if (page === undefined || !/\.(?:astro|[jt]s|md|mdx)$/.test(page)) return [];
    const route = page.replace(/\.(?:astro|md|mdx|[jt]s)$/, '').replace(/(^|\/)index$/, '$1');
    return [sitePathOf(route.replace(/\[[^/]*$/, '*'))];
  });
  const fallbacks = routes.filter(one => one.isFallback).map(one => sitePathOf(one.id));
  return [...fallbacks, ...astroPages, ...pluginRoutes(source, config)];
}

/** Text that components insert may hold headings: then an unknown anchor proves nothing. */
function anchorsOf(outline: PageOutline): ReadonlySet<string> | null {
  const partials = outline.imports.some(({ path }) => /\.mdx?$/.test(path));
  return partials ? null : new Set(['_top', ...headingIds(outline), ...outline.ids]);
}

/** Specifiers as the bundler reads them: relative, from the top, or by an alias of tsconfig.json. */
function importedBy(source: SiteSource, root: string) {
  const aliases = tsconfigAliases(source, root);
  return (path: string, from: string): string | undefined => {
    // An alias may be for everything, and is never for a relative path.
    const alias = path.startsWith('.')
      ? undefined
      : aliases.find(({ prefix }) => path.startsWith(prefix));
    const file = alias
      ? joinPath(alias.folder, path.slice(alias.prefix.length))
      : joinPath(path.startsWith('/') ? root : folderOf(from), path);
    return file !== undefined && source.has(file) ? file : undefined;
  };
}

/** Plugins whose pages are all below one path, which the configuration names. */
const BELOW_ONE_PATH = /\bstarlight-(?:changelogs|typedoc|obsidian)\b/;

/** Paths of the pages that plugins make, in every language; `/*` stands for all below. */
function pluginRoutes(source: SiteSource, config: StarlightConfig): string[] {
  const contentConfigs = ['ts', 'mts', 'js', 'mjs'].flatMap(ending => {
    const folder = config.docsFolder.replace(/\/docs$/, '');
    return [`${folder}.config.${ending}`, `${folder}/config.${ending}`];
  });
  const texts = [...config.files, ...contentConfigs].flatMap(file => source.read(file) ?? []);
  const all = texts.join('\n');
  const routes = [...(BELOW_ONE_PATH.test(all) ? prefixesIn(all) : []), ...blogRoutes(all)];
  const folders = ['', ...config.locales.flatMap(({ key }) => key ?? [])];
  return folders.flatMap(folder => routes.map(route => sitePathOf(folder, route)));
}

function prefixesIn(text: string): string[] {
  const written = text.matchAll(/\b(?:base|output)\s*:\s*(["'`])\/?([\w.-]+(?:\/[\w.-]+)*)\/?\1/g);
  return Array.from(written, ([, , path = '']) => [path, `${path}/*`]).flat();
}

/** Posts of starlight-blog, which lists them itself, and the page for what is missing. */
function placeOthers(pages: readonly SitePage[], source: SiteSource, config: StarlightConfig) {
  const blog = blogPrefix(config.files.map(file => source.read(file) ?? '').join('\n'));
  const locales = config.locales.flatMap(({ key }) => key ?? []);
  for (const page of pages) {
    const [first = '', ...rest] = page.path.slice(1).split('/');
    const path = locales.includes(first) ? rest.join('/') : page.path.slice(1);
    if (blog !== undefined && below(blog, path) !== undefined) page.kind = 'blog';
    if (path === '404') page.unlisted = true;
  }
}

function blogPrefix(text: string): string | undefined {
  if (!/\bstarlight-blog\b/.test(text)) return undefined;
  return /\bprefix\s*:\s*["']\/?([\w/-]+?)\/?["']/.exec(text)?.[1] ?? 'blog';
}

/** starlight-blog: its list and those of tags and authors. */
function blogRoutes(text: string): string[] {
  const prefix = blogPrefix(text);
  if (prefix === undefined) return [];
  return [prefix, `${prefix}/tags/*`, `${prefix}/authors/*`, `${prefix}/rss.xml`];
}
