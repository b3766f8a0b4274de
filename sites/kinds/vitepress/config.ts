import {
  asBoolean,
  asString,
  asStrings,
  at,
  itemsOf,
  membersOf,
  type StaticValue,
} from '../../code/static-value.ts';
import { ModuleReader } from '../../code/read-module.ts';
import { type LeavesOut, leftOutByList } from '../left-out.ts';
import { unreadConfiguration, unreadFunction } from '../unread.ts';
import { below, folderOf, joinPath, nameOf } from '../paths.ts';
import type { SitePlace, SiteSource, Unread } from '../site-kind.ts';

/** What a VitePress configuration decides, with the files that it is written in. */
export interface VitePressConfig {
  docsFolder: string;
  base: string;
  cleanUrls: boolean;
  exclude: string[];
  /** Source pattern to target pattern; null if they are computed. */
  rewrites: [from: string, to: string][] | null;
  /** Locale key (`root` for the one without a folder) to language tag. */
  locales: Map<string, string>;
  /** `ignoreDeadLinks: true`. */
  ignoresDeadLinks: boolean;
  /** The list that `ignoreDeadLinks` may be; of links as VitePress writes them before it looks. */
  leavesOut: LeavesOut;
  /** Headings get other ids than VitePress gives. */
  hasOwnSlugs: boolean;
  language: string;
  hostname: string | null;
  /** Sidebars with the folder of the site that they are for: '' is everything. */
  sidebars: { folder: string; value: StaticValue }[];
  /** Bars at the top, of the site and of its locales. */
  bars: StaticValue[];
  files: string[];
  unread: Unread[];
}

export const VITEPRESS_CONFIG = /(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/;

export function readVitePressConfig(source: SiteSource, found: SitePlace): VitePressConfig {
  const reader = new ModuleReader(path => source.read(path));
  const config = reader.configuration(found.marker);
  const docsFolder = joinPath(found.root, asString(at(config, 'srcDir')) ?? '') ?? found.root;
  const slugify = slugFunction(config);
  const unread = [
    ...unreadConfiguration(config, found.marker, at(config, 'themeConfig')),
    ...unreadFunction(slugify, 'the ids of headings'),
    ...sidebarPlugins(at(config, 'vite', 'plugins')),
  ];
  const locales = at(config, 'locales');
  const language = asString(at(config, 'lang')) ?? 'en-US';
  const sidebars = [
    { folder: '', value: at(config, 'themeConfig', 'sidebar') },
    ...membersOf(locales).map(([key, locale]) => ({
      folder: key === 'root' ? '' : key,
      value: at(locale, 'themeConfig', 'sidebar'),
    })),
    ...additionalConfigs(source, docsFolder).map(file => ({
      folder: below(docsFolder, folderOf(file)) ?? '',
      value: at(reader.defaultExport(file), 'themeConfig', 'sidebar'),
    })),
  ];
  return {
    docsFolder,
    base: asString(at(config, 'base')) ?? '/',
    cleanUrls: asBoolean(at(config, 'cleanUrls')) ?? false,
    exclude: asStrings(at(config, 'srcExclude')),
    rewrites: readRewrites(at(config, 'rewrites'), unread),
    locales: new Map(
      membersOf(locales).map(([key, locale]) => [
        key,
        asString(at(locale, 'lang')) ?? (key === 'root' ? language : key),
      ]),
    ),
    leavesOut: leftOutByList(at(config, 'ignoreDeadLinks')),
    ignoresDeadLinks: asBoolean(at(config, 'ignoreDeadLinks')) ?? false,
    hasOwnSlugs: slugify !== undefined,
    language,
    hostname: asString(at(config, 'sitemap', 'hostname')) ?? null,
    sidebars: sidebars.flatMap(({ folder, value }) => (value ? [{ folder, value }] : [])),
    bars: [config, ...membersOf(locales).map(([, locale]) => locale)].flatMap(
      one => at(one, 'themeConfig', 'nav') ?? [],
    ),
    files: reader.files,
    unread,
  };
}

/** `slugify` of the plugin for anchors, or a function that may set up that plugin. */
function slugFunction(config: StaticValue | undefined): StaticValue | undefined {
  const markdown = at(config, 'markdown');
  return at(markdown, 'anchor', 'slugify') ?? at(markdown, 'slugify');
}

/** Plugins that write the sidebar when the site is built. */
function sidebarPlugins(plugins: StaticValue | undefined): Unread[] {
  return itemsOf(plugins).flatMap(plugin => {
    const name = plugin.kind === 'unknown' ? plugin.call?.name : undefined;
    if (name === undefined || !/sidebar|nav/i.test(name)) return [];
    const message = `The sidebar comes from a plugin, ${name}().`;
    return [{ file: plugin.file, line: plugin.line, message }];
  });
}

/** From version 2 on, each folder of pages may have a configuration of its own. */
function additionalConfigs(source: SiteSource, docsFolder: string): string[] {
  return source.paths.filter(
    path =>
      /^config\.[cm]?[jt]s$/.test(nameOf(path)) &&
      below(docsFolder, path) !== undefined &&
      !/(?:^|\/)(?:\.vitepress|node_modules)\//.test(path) &&
      /AdditionalConfig|themeConfig/.test(source.read(path) ?? ''),
  );
}

function readRewrites(
  value: StaticValue | undefined,
  unread: Unread[],
): VitePressConfig['rewrites'] {
  if (value === undefined) return [];
  const pairs = membersOf(value).flatMap(([from, to]): [string, string][] => {
    const target = asString(to);
    return target === undefined ? [] : [[from, target]];
  });
  if (value.kind === 'object' && pairs.length === value.members.size) return pairs;
  const { file, line } = value;
  unread.push({ file, line, message: 'The rewrites are computed: addresses may differ.' });
  return null;
}
