import { type PageSyntax, syntaxOf } from '../../outline/page-outline.ts';
import { ModuleReader } from '../../code/read-module.ts';
import {
  asString,
  asStrings,
  at,
  itemsOf,
  membersOf,
  type StaticValue,
} from '../../code/static-value.ts';
import { linkPlugins } from '../link-plugins.ts';
import { joinPath } from '../paths.ts';
import { unreadConfiguration, unreadFunction } from '../unread.ts';
import type { OwnCheck, OwnChecks, SitePlace, SiteSource, Unread } from '../site-kind.ts';

/** One use of the docs plugin. */
export interface DocsPlugin {
  /** `default`, or the name that the configuration gives it. */
  id: string;
  folder: string;
  routeBasePath: string;
  /** A file; null: everything by folder; false: no sidebar. */
  sidebarFile: string | null | false;
  include: string[];
  exclude: string[];
  /** Whether `01-` is removed from names. */
  numberPrefixes: boolean;
  lastVersion: string | undefined;
  includeCurrent: boolean;
  onlyVersions: string[] | undefined;
  versionPaths: Map<string, string>;
}

export interface BlogPlugin {
  folder: string;
  routeBasePath: string;
}

export interface DocusaurusConfig {
  marker: string;
  root: string;
  address: string | null;
  baseUrl: string;
  trailingSlash: boolean | undefined;
  defaultLocale: string;
  locales: string[];
  docs: DocsPlugin[];
  blogs: BlogPlugin[];
  pagesFolder: string | null;
  redirects: { from: string; to: string; file: string; line: number }[];
  /** What the build does about links that lead nowhere. */
  checks: Pick<OwnChecks, 'links' | 'anchors'>;
  /** How a page is read: as MDX unless the configuration says otherwise. */
  syntaxOf(file: string): PageSyntax;
  /** Text is changed before it is parsed, by code. */
  hasPreprocessor: boolean;
  reader: ModuleReader;
  unread: Unread[];
}

const DEFAULT_EXCLUDE = [
  '**/_*.{js,jsx,ts,tsx,md,mdx}',
  '**/_*/**',
  '**/*.test.{js,jsx,ts,tsx}',
  '**/__tests__/**',
];

export function readDocusaurusConfig(source: SiteSource, found: SitePlace): DocusaurusConfig {
  const reader = new ModuleReader(path => source.read(path));
  const config = reader.configuration(found.marker);
  const unread = [
    ...unreadConfiguration(config, found.marker, at(config, 'themeConfig')),
    ...unreadFunction(at(config, 'markdown', 'parseFrontMatter'), 'the front matter of pages'),
    ...pluginUses(config).flatMap(([, options]) => unreadOptions(options)),
    ...unreadPresets(config),
    ...linkPlugins(source, found.marker),
  ];
  const { docs, blogs, hasPages } = readPlugins(config, found.root);
  const trailingSlash = at(config, 'trailingSlash');
  const defaultLocale = asString(at(config, 'i18n', 'defaultLocale')) ?? 'en';
  const locales = asStrings(at(config, 'i18n', 'locales'));
  const preprocessor = at(config, 'markdown', 'preprocessor');
  return {
    marker: found.marker,
    root: found.root,
    address: asString(at(config, 'url'))?.replace(/\/+$/, '') ?? null,
    baseUrl: asString(at(config, 'baseUrl')) ?? '/',
    trailingSlash:
      trailingSlash?.kind === 'literal' && typeof trailingSlash.value === 'boolean'
        ? trailingSlash.value
        : undefined,
    defaultLocale,
    locales: locales.length > 0 ? locales : [defaultLocale],
    docs,
    blogs,
    pagesFolder: hasPages ? (joinPath(found.root, 'src/pages') ?? null) : null,
    redirects: readRedirects(config, unread),
    checks: {
      links: CHECKS[asString(at(config, 'onBrokenLinks')) ?? 'throw'] ?? 'stops',
      anchors: CHECKS[asString(at(config, 'onBrokenAnchors')) ?? 'warn'] ?? 'warns',
    },
    syntaxOf: pageSyntax(asString(at(config, 'markdown', 'format'))),
    hasPreprocessor: preprocessor?.kind === 'unknown',
    reader,
    unread,
  };
}

/** Presets that are computed, and with them perhaps all docs. */
function unreadPresets(config: StaticValue | undefined): Unread[] {
  const presets = at(config, 'presets');
  const all = [...(presets?.kind === 'array' ? presets.items : [presets]), at(config, 'plugins')];
  return all.flatMap(one => {
    if (one?.kind !== 'unknown' || pathOf(one) !== undefined) return [];
    return [{ file: one.file, line: one.line, message: `A part of the configuration ${one.why}.` }];
  });
}

/** What functions decide of the docs of a plugin or preset. */
function unreadOptions(options: StaticValue | undefined): Unread[] {
  return [options, at(options, 'docs')].flatMap(docs => {
    const sidebar = at(docs, 'sidebarPath');
    return [
      ...unreadFunction(at(docs, 'sidebarItemsGenerator'), 'the sidebar'),
      ...unreadFunction(at(docs, 'numberPrefixParser'), 'the addresses of pages'),
      ...(sidebar && pathOf(sidebar) === undefined
        ? unreadFunction(sidebar, 'which file has the sidebar')
        : []),
    ];
  });
}

/** The values of `onBrokenLinks` and `onBrokenAnchors`. */
const CHECKS: Record<string, OwnCheck> = {
  ...{ throw: 'stops', warn: 'warns', log: 'none', ignore: 'none' },
};

/** `format` is `mdx` (the default: `.md` files as well), `md`, or `detect` by the ending. */
function pageSyntax(format: string | undefined): (file: string) => PageSyntax {
  if (format === 'detect') return syntaxOf;
  return () => (format === 'md' ? 'markdown' : 'mdx');
}

function readPlugins(config: StaticValue | undefined, root: string) {
  const docs: DocsPlugin[] = [];
  const blogs: BlogPlugin[] = [];
  let hasPages = false;
  for (const [name, options] of pluginUses(config)) {
    const isClassic = /(?:^|\/preset-)classic$/.test(name);
    const docsOptions = isClassic ? at(options, 'docs') : options;
    const blogOptions = isClassic ? at(options, 'blog') : options;
    if ((isClassic && !isFalse(docsOptions)) || /(?:^|plugin-)content-docs$/.test(name))
      docs.push(docsPlugin(docsOptions, root));
    if ((isClassic && !isFalse(blogOptions)) || /(?:^|plugin-)content-blog$/.test(name))
      blogs.push(blogPlugin(blogOptions, root));
    if ((isClassic && !isFalse(at(options, 'pages'))) || /(?:^|plugin-)content-pages$/.test(name))
      hasPages = true;
  }
  return { docs, blogs, hasPages };
}

/** Every preset and plugin of a configuration, with its options. */
export function pluginUses(config: StaticValue | undefined): [string, StaticValue | undefined][] {
  return [...uses(at(config, 'presets')), ...uses(at(config, 'plugins'))];
}

/** Presets and plugins with their options: `'name'` or `['name', {…}]`. */
function uses(list: StaticValue | undefined): [string, StaticValue | undefined][] {
  return itemsOf(list).flatMap((item): [string, StaticValue | undefined][] => {
    const [first, options] = item.kind === 'array' ? item.items : [item];
    const name = first && pathOf(first);
    return name === undefined ? [] : [[name.replace(/\/(?:lib|dist)\/.*$/, ''), options]];
  });
}

function docsPlugin(options: StaticValue | undefined, root: string): DocsPlugin {
  const sidebar = at(options, 'sidebarPath');
  const sidebarPath = sidebar && pathOf(sidebar);
  const prefixes = at(options, 'numberPrefixParser');
  const only = at(options, 'onlyIncludeVersions');
  const include = asStrings(at(options, 'include'));
  return {
    id: asString(at(options, 'id')) ?? 'default',
    folder: joinPath(root, asString(at(options, 'path')) ?? 'docs') ?? 'docs',
    routeBasePath: asString(at(options, 'routeBasePath')) ?? 'docs',
    sidebarFile: isFalse(sidebar)
      ? false
      : sidebarPath === undefined
        ? null
        : (joinPath(root, sidebarPath) ?? null),
    include: include.length > 0 ? include : ['**/*.{md,mdx}'],
    exclude: at(options, 'exclude') ? asStrings(at(options, 'exclude')) : DEFAULT_EXCLUDE,
    numberPrefixes: !isFalse(prefixes),
    lastVersion: asString(at(options, 'lastVersion')),
    includeCurrent: !isFalse(at(options, 'includeCurrentVersion')),
    onlyVersions: only ? asStrings(only) : undefined,
    versionPaths: new Map(
      membersOf(at(options, 'versions')).flatMap(([name, version]): [string, string][] => {
        const path = asString(at(version, 'path'));
        return path === undefined ? [] : [[name, path]];
      }),
    ),
  };
}

function blogPlugin(options: StaticValue | undefined, root: string): BlogPlugin {
  return {
    folder: joinPath(root, asString(at(options, 'path')) ?? 'blog') ?? 'blog',
    routeBasePath: asString(at(options, 'routeBasePath')) ?? 'blog',
  };
}

/** A path written as text, or as `require.resolve(…)` or `path.join(__dirname, …)`. */
function pathOf(value: StaticValue): string | undefined {
  if (value.kind !== 'unknown') return asString(value);
  if (value.call?.name !== 'resolve' && value.call?.name !== 'join') return undefined;
  const parts = value.call.arguments.map(asString);
  return parts.includes(undefined) ? undefined : parts.join('/').replace(/^\.\/(?=@)/, '');
}

/** Options of the plugin for redirects. */
export function redirectOptions(config: StaticValue | undefined): StaticValue | undefined {
  const plugin = uses(at(config, 'plugins')).find(([name]) =>
    /(?:^|plugin-)client-redirects$/.test(name),
  );
  return plugin?.[1];
}

function readRedirects(
  config: StaticValue | undefined,
  unread: Unread[],
): DocusaurusConfig['redirects'] {
  const options = redirectOptions(config);
  const computed = at(options, 'createRedirects');
  if (computed) {
    const message = 'Some redirects are made by a function.';
    unread.push({ file: computed.file, line: computed.line, message });
  }
  return itemsOf(at(options, 'redirects')).flatMap(item => {
    const to = asString(at(item, 'to'));
    const { file, line } = item;
    return to === undefined
      ? []
      : asStrings(at(item, 'from')).map(from => ({ from, to, file, line }));
  });
}

function isFalse(value: StaticValue | undefined): boolean {
  return value?.kind === 'literal' && value.value === false;
}
