import type { PageOutline } from '../../outline/page-outline.ts';
import { markNavigation } from '../navigation.ts';
import { basePathOf, folderOf, isExternal, joinPath, nameOf, splitUrl } from '../paths.ts';
import type {
  FoundSite,
  Site,
  SiteKind,
  SiteLink,
  SiteProblem,
  SiteRedirect,
  SiteSource,
  Unread,
} from '../site-kind.ts';
import { type MkDocsConfig, objectOf, readMkDocsConfig, textOf } from './config.ts';
import { readNavigation } from './navigation.ts';
import { type MkDocsPage, readPages } from './pages.ts';
import { hasUnknownIncludes, headingIds, outliner } from './python-markdown.ts';

/** MkDocs, with Material's conventions and the usual navigation plugins. */
export const mkdocs: SiteKind = {
  name: 'mkdocs',
  title: 'MkDocs',
  find: source =>
    source.paths
      .filter(path => /^mkdocs\.ya?ml$/.test(nameOf(path)))
      .map(marker => ({ kind: 'mkdocs', root: folderOf(marker), marker })),
  read: readMkDocs,
};

/** Plugins that make or change pages while the site is built. */
const GENERATING = ['gen-files', 'monorepo', 'mkdocstrings', 'blog', 'mkdocs-jupyter', 'multirepo'];

function readMkDocs(source: SiteSource, found: FoundSite): Site {
  const config = readMkDocsConfig(source, found);
  const { pages, excluded } = readPages(source, config);
  const bySource = new Map(pages.map(page => [page.source, page]));
  const { navigation, problems, files } = readNavigation({ source, config, pages: bySource });
  markNavigation(pages, navigation);
  const idsOf = headingIds(config);
  return {
    kind: 'mkdocs',
    ownChecks: { anchors: true, elements: [], images: true },
    root: found.root,
    docsFolder: config.docsFolder,
    configFiles: [...config.files, ...files],
    basePath: basePathOf(config.siteUrl ?? undefined),
    address: config.siteUrl === null ? null : (/^\w+:\/\/[^/]+/.exec(config.siteUrl)?.[0] ?? null),
    addressRule: config.directoryUrls
      ? 'A page is the folder of its name: a/b.md is /a/b/. index.md and README.md are their folder.'
      : 'A page has the path of its file with .html; README.md is index.html.',
    pages,
    navigation,
    redirects: readRedirects(config, bySource),
    generated: [],
    excluded,
    unread: generatingPlugins(config, found),
    problems: [...config.problems, ...problems, ...missingTargets(source, config, bySource)],
    outline: outliner(source, config),
    headingIds: idsOf,
    anchors: outline =>
      hasUnknownIncludes(outline)
        ? null
        : new Set([...idsOf(outline), ...outline.ids, ...attributeIds(outline)]),
    resolve: resolver(source, config, pages),
  };
}

/** Ids given to anything by attribute lists: `{#id}`, `{: #id }`. */
function attributeIds({ text }: PageOutline): string[] {
  return Array.from(text.matchAll(/\{:?[^}\n]*#([^\s}]+)[^}\n]*\}/g), match => match[1] ?? '');
}

function readRedirects(
  config: MkDocsConfig,
  pages: ReadonlyMap<string, MkDocsPage>,
): SiteRedirect[] {
  const maps = objectOf(config.plugins.get('redirects')?.redirect_maps);
  const file = config.files[0] ?? 'mkdocs.yml';
  const pathOf = (source: string): string => {
    const { path, anchor } = splitUrl(source);
    const page =
      pages.get(path)?.path ?? `/${path.replace(/(?:(?:^|\/)(?:index|README))?\.md$/, '')}`;
    return anchor === null ? page : `${page}#${anchor}`;
  };
  return Object.entries(maps).flatMap(([from, to]) =>
    typeof to === 'string'
      ? [{ from: pathOf(from), to: isExternal(to) ? to : pathOf(to), file, line: null }]
      : [],
  );
}

/** Redirects lead to source files; the plugin warns of one that does not exist. */
function missingTargets(
  source: SiteSource,
  config: MkDocsConfig,
  pages: ReadonlyMap<string, MkDocsPage>,
): SiteProblem[] {
  const maps = objectOf(config.plugins.get('redirects')?.redirect_maps);
  const file = config.files[0] ?? 'mkdocs.yml';
  return Object.entries(maps).flatMap(([from, to]): SiteProblem[] => {
    if (typeof to !== 'string' || isExternal(to)) return [];
    const { path } = splitUrl(to);
    if (pages.has(path) || source.has(joinPath(config.docsFolder, path) ?? path)) return [];
    const message = `The redirect from ${from} leads to ${to}, which does not exist.`;
    return [{ rule: 'redirect', file, line: null, link: to, message }];
  });
}

function generatingPlugins(config: MkDocsConfig, found: FoundSite): Unread[] {
  return GENERATING.filter(name => config.plugins.has(name)).map(name => ({
    file: found.marker,
    line: null,
    message: `The plugin ${name} makes or changes pages while the site is built.`,
  }));
}

/** As MkDocs validates: relative links name source files; absolute ones are left as they are. */
function resolver(
  source: SiteSource,
  config: MkDocsConfig,
  pages: readonly MkDocsPage[],
): Site['resolve'] {
  const byFile = new Map(pages.map(page => [page.file, page]));
  const validation = objectOf(
    objectOf(config.settings.validation).links ?? config.settings.validation,
  );
  const absolute = textOf(validation.absolute_links) ?? 'info';
  return (url, file): SiteLink => {
    if (isExternal(url) || /\{\{|\{%/.test(url)) return { kind: 'external' };
    const { path, anchor } = splitUrl(url);
    const own = byFile.get(file);
    if (path === '') return own ? { kind: 'page', page: own, anchor } : { kind: 'unchecked' };
    const isAbsolute = path.startsWith('/');
    if (isAbsolute && !absolute.startsWith('relative_to')) return { kind: 'unchecked' };
    const target = joinPath(isAbsolute ? config.docsFolder : folderOf(file), path);
    const page = target === undefined ? undefined : byFile.get(target);
    if (page) return { kind: 'page', page, anchor };
    if (target !== undefined && source.has(target)) return { kind: 'file', file: target };
    return { kind: 'missing', path };
  };
}
