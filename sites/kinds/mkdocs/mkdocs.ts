import type { PageOutline } from '../../outline/page-outline.ts';
import { placeNaming } from '../line-of.ts';
import { markNavigation } from '../navigation.ts';
import { basePathOf, beside, isExternal, joinPath, originOf, splitUrl } from '../paths.ts';
import type { SiteKind } from '../kind.ts';
import type {
  OwnCheck,
  OwnChecks,
  SitePlace,
  Site,
  SiteProblem,
  SiteRedirect,
  SiteSource,
} from '../site-kind.ts';
import { linesOf, objectOf, textOf } from '../../values.ts';
import { MKDOCS_CONFIG, type MkDocsConfig, readMkDocsConfig } from './config.ts';
import { apiReferences } from './api-references.ts';
import { readNavigation } from './navigation.ts';
import { type SisterLanguage, sisterLanguages } from './languages.ts';
import { resolver } from './links.ts';
import { isPart } from './parts.ts';
import { MAKING, unreadParts } from './unread.ts';
import { type MkDocsPage, pagesByLanguage, readPages } from './pages.ts';
import {
  footnoteIds,
  hasUnknownParts,
  headingIds,
  shownByPython,
  unknownSlugFunction,
  writtenId,
} from './python-markdown.ts';

/** MkDocs, with Material's conventions and the usual navigation plugins. */
export const mkdocs: SiteKind<'mkdocs'> = {
  name: 'mkdocs',
  title: 'MkDocs',
  marker: MKDOCS_CONFIG,
  isMarker: (source, path) => !isPart(source, path),
  usualPages: beside('docs'),
  settings: /(?:^|\/)\.pages$/,
  links: [
    { kind: 'include', pattern: /!!swagger ([^\s<>!]+)!!/dg },
    { kind: 'include', pattern: /\[OAD\(["']?([^)"'\n]+)/dg },
  ],
  read: readMkDocs,
  apiReferences,
};

function readMkDocs(source: SiteSource, found: SitePlace): Site {
  const config = readMkDocsConfig(source, found);
  const sisters = sisterLanguages(source, config);
  const { pages, excluded } = readPages(source, config, sisters);
  const bySource = new Map(pages.map(page => [page.source, page]));
  const { navigation, problems, files, missing } = readNavigations(source, config, pages, sisters);
  markNavigation(pages, navigation);
  const isMade = makesPages(config);
  const idsOf = headingIds(config);
  const shown = shownByPython(source, config);
  return {
    // This plugin warns, too, which stops a strict build.
    ownChecks: {
      ...checksOf(config),
      elements: config.plugins.has('swagger-ui-tag') ? ['swagger-ui'] : [],
      images: true,
      frontMatter: false,
    },
    root: found.root,
    docsFolder: config.docsFolder,
    configFiles: [...config.files, ...files],
    basePath: basePathOf(config.siteUrl ?? undefined),
    address: originOf(config.siteUrl),
    addressRule: config.directoryUrls
      ? 'A page is the folder of its name: a/b.md is /a/b/. ' +
        'index.md and README.md are their folder.'
      : 'A page has the path of its file with .html; README.md is index.html.',
    pages,
    navigation,
    isListedByFolder: config.settings.nav === undefined && files.length === 0,
    redirects: readRedirects(source, config, bySource),
    generated: navigation.flatMap(({ generated, path }) => (generated && path ? [path] : [])),
    excluded,
    unread: unreadParts(config, found, isMade ? missing : []),
    problems: [
      ...config.problems,
      ...(isMade ? [] : [...problems, ...missingTargets(source, config, bySource)]),
    ],
    outline: shown.outline,
    shown,
    headingIds: idsOf,
    anchors: outline => anchorsOf(outline, config, idsOf),
    resolve: resolver(source, config, pages, new Set(isMade ? missing : []), sisters),
  };
}

function anchorsOf(
  outline: PageOutline,
  config: MkDocsConfig,
  idsOf: Site['headingIds'],
): ReadonlySet<string> | null {
  if (unknownSlugFunction(config) !== undefined || hasUnknownParts(outline, config)) return null;
  return new Set([
    ...[...idsOf(outline), ...outline.ids, ...attributeIds(outline)],
    ...(config.extensions.has('footnotes') ? footnoteIds(outline) : []),
  ]);
}

/** `validation`, whose warnings stop a strict build; its older form has no groups. */
function checksOf({ settings }: MkDocsConfig): Pick<OwnChecks, 'links' | 'anchors' | 'orphans'> {
  const validation = objectOf(settings.validation);
  const check = (group: string, name: string, usual: OwnCheck): OwnCheck => {
    const level = objectOf(validation[group])[name] ?? validation[name];
    return CHECKS[textOf(level) ?? ''] ?? usual;
  };
  return {
    links: check('links', 'not_found', 'stops'),
    anchors: check('links', 'anchors', 'warns'),
    orphans: check('nav', 'omitted_files', 'warns'),
  };
}

const CHECKS: Record<string, OwnCheck> = { warn: 'stops', info: 'warns', ignore: 'none' };

/** A list for each language; without languages there is one. */
function readNavigations(
  source: SiteSource,
  config: MkDocsConfig,
  pages: readonly MkDocsPage[],
  sisters: readonly SisterLanguage[],
): ReturnType<typeof readNavigation> {
  const lists = pagesByLanguage(pages, config, sisters).map(({ tag, pages: own }) => {
    const list = readNavigation({ source, config, pages: own });
    if (tag === null) return list;
    // Leaves out the main language's page, which the folder lacks.
    const items = list.navigation.filter(({ href }) => !/\.md$/.test(href ?? ''));
    return { ...list, navigation: items.map(item => ({ ...item, locale: tag })) };
  });
  // What one language cannot find, the others cannot find either.
  const [first] = lists;
  return {
    navigation: lists.flatMap(list => list.navigation),
    problems: first?.problems ?? [],
    missing: first?.missing ?? [],
    files: [...new Set(lists.flatMap(list => list.files))],
  };
}

/** Whether a hook or a plugin may write files that the repository does not have. */
function makesPages({ plugins, settings }: MkDocsConfig): boolean {
  return linesOf(settings.hooks).length > 0 || MAKING.some(name => plugins.has(name));
}

/** Ids given to anything by attribute lists: `{#id}`, `{: #id }`. */
function attributeIds({ text }: PageOutline): string[] {
  return Array.from(text.matchAll(/\{:?([^{}\n]*)\}/g), match => writtenId(match[1] ?? '') ?? '');
}

/** Where a redirect is written; `redirect_maps` may be in a file that this one inherits. */
function placeOfRedirect(source: SiteSource, { files }: MkDocsConfig, from: string) {
  const place = placeNaming(source.read, files, from, /redirect_maps[ \t]*:/);
  return place ?? { file: files[0] ?? 'mkdocs.yml', line: null };
}

function readRedirects(
  source: SiteSource,
  config: MkDocsConfig,
  pages: ReadonlyMap<string, MkDocsPage>,
): SiteRedirect[] {
  const maps = objectOf(config.plugins.get('redirects')?.redirect_maps);
  const pathOf = (named: string): string => {
    const { path, anchor } = splitUrl(named);
    const page =
      pages.get(path)?.path ?? `/${path.replace(/(?:(?:^|\/)(?:index|README))?\.md$/, '')}`;
    return anchor === null ? page : `${page}#${anchor}`;
  };
  return Object.entries(maps).flatMap(([from, to]) =>
    typeof to === 'string'
      ? [
          {
            from: pathOf(from),
            to: isExternal(to) ? to : pathOf(to),
            ...placeOfRedirect(source, config, from),
          },
        ]
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
  return Object.entries(maps).flatMap(([from, to]): SiteProblem[] => {
    if (typeof to !== 'string' || isExternal(to)) return [];
    const { path } = splitUrl(to);
    if (pages.has(path) || source.has(joinPath(config.docsFolder, path) ?? path)) return [];
    const message = `The redirect from ${from} leads to ${to}, which does not exist.`;
    return [{ rule: 'redirect', ...placeOfRedirect(source, config, from), link: to, message }];
  });
}
