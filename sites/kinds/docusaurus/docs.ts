import { pathMatcher } from '../../glob.ts';
import { firstTitle } from '../../outline/page-outline.ts';
import { below, folderOf, joinPath, nameOf, sitePathOf, withBase } from '../paths.ts';
import { UNPLACED } from '../navigation.ts';
import type { SitePage, SiteSource } from '../site-kind.ts';
import type { DocsPlugin, DocusaurusConfig } from './config.ts';
import type { DocsVersion } from './versions.ts';

/** A page of the docs plugin, with what sidebars know it by. */
export interface Doc extends SitePage {
  kind: 'doc';
  plugin: DocsPlugin;
  docsVersion: DocsVersion;
  locale: string;
  /** Path below the version's folder. */
  source: string;
  /** What a sidebar names: the path without number prefixes, the last segment is `id`. */
  docId: string;
  unlisted: boolean;
  label: string;
  position: number | undefined;
  /** The default language's page, shown where there is no translation. */
  isFallback?: true;
}

export function readDocs(
  source: SiteSource,
  config: DocusaurusConfig,
  plugin: DocsPlugin,
  version: DocsVersion,
): { docs: Doc[]; excluded: string[] } {
  const included = pathMatcher(plugin.include, { dot: true });
  const isExcluded =
    plugin.exclude.length > 0 ? pathMatcher(plugin.exclude, { dot: true }) : () => false;
  const docs: Doc[] = [];
  const excluded: string[] = [];
  for (const locale of config.locales) {
    const isMain = locale === config.defaultLocale;
    const folder = isMain ? version.folder : localized(config, plugin, version, locale);
    for (const file of source.paths) {
      const path = below(folder, file);
      if (path === undefined || !/\.mdx?$/.test(path)) continue;
      if (!included(path) || isExcluded(path)) excluded.push(file);
      else docs.push(docAt(source, config, plugin, version, { file, path, locale }));
    }
  }
  return { docs, excluded };
}

/** Folder of a language's translations. */
function localized(
  config: DocusaurusConfig,
  plugin: DocsPlugin,
  version: DocsVersion,
  locale: string,
): string {
  const name = `docusaurus-plugin-content-docs${plugin.id === 'default' ? '' : `-${plugin.id}`}`;
  const folder = version.name === 'current' ? 'current' : `version-${version.name}`;
  return joinPath(config.root, 'i18n', locale, name, folder) ?? '';
}

function docAt(
  source: SiteSource,
  config: DocusaurusConfig,
  plugin: DocsPlugin,
  version: DocsVersion,
  { file, path, locale }: { file: string; path: string; locale: string },
): Doc {
  const outline = source.outline(file, config.syntaxOf(file));
  const { frontMatter } = outline;
  const rawName = nameOf(path).replace(/\.mdx?$/, '');
  const rawFolder = folderOf(path);
  const own = plugin.numberPrefixes ? withoutPrefix(rawName) : { name: rawName };
  const folder = plugin.numberPrefixes ? withoutPrefixes(rawFolder) : rawFolder;
  const baseId = textOf(frontMatter.id) ?? own.name;
  const slug = slugOf(textOf(frontMatter.slug), folder, baseId, isFolderPage(rawName, rawFolder));
  const route = `/${[version.route, slug].join('/')}`.replace(/\/{2,}/g, '/');
  const prefix = locale === config.defaultLocale ? '/' : `/${locale}`;
  const title = textOf(frontMatter.title) ?? firstTitle(outline) ?? baseId;
  return {
    kind: 'doc',
    file,
    plugin,
    docsVersion: version,
    locale,
    source: path,
    docId: folder === '' ? baseId : `${folder}/${baseId}`,
    path: sitePathOf(prefix, route),
    url: written(sitePathOf(prefix, route), route.endsWith('/'), config),
    language: locale,
    ...UNPLACED,
    version: version.label,
    draft: frontMatter.draft === true,
    unlisted: frontMatter.unlisted === true,
    unsearched: frontMatter.unlisted === true,
    label: textOf(frontMatter.sidebar_label) ?? title,
    position: numberOf(frontMatter.sidebar_position) ?? own.prefix,
  };
}

/** What a language shows where a page is not translated. */
export function fallbacks(docs: readonly Doc[], config: DocusaurusConfig, locale: string): Doc[] {
  if (locale === config.defaultLocale) return [];
  const own = new Set(docs.filter(doc => doc.locale === locale).map(doc => doc.source));
  return docs
    .filter(doc => doc.locale === config.defaultLocale && !own.has(doc.source))
    .map(doc => {
      const path = sitePathOf(locale, doc.path);
      const url = written(path, doc.url.endsWith('/'), config);
      return { ...doc, locale, language: locale, path, url, isFallback: true };
    });
}

/** The path as Docusaurus writes it: folder pages end with a slash unless told otherwise. */
export function written(path: string, hasSlash: boolean, config: DocusaurusConfig): string {
  const closing = config.trailingSlash ?? hasSlash;
  return withBase(sitePathOf(config.baseUrl), closing && path !== '/' ? `${path}/` : path);
}

function slugOf(
  own: string | undefined,
  folder: string,
  baseId: string,
  isFolder: boolean,
): string {
  const base = folder === '' ? '/' : `/${folder}/`;
  if (own === undefined) return isFolder ? base : `${base}${baseId}`;
  return own.startsWith('/') ? own : `${sitePathOf(base, own)}${own.endsWith('/') ? '/' : ''}`;
}

/** `index`, `README` and a file named as its folder are the folder's page. */
export function isFolderPage(name: string, folder: string): boolean {
  return ['index', 'readme', nameOf(folder).toLowerCase()].includes(name.toLowerCase());
}

const DATE_OR_VERSION = /^(?:(?:\d{2}|\d{4})[-_.]\d{2}(?:[-_.](?:\d{2}|\d{4}))?.*|\d+[-_.]\d+.*)$/;

/** `02-install` is `install` at position 2; dates and versions keep their numbers. */
export function withoutPrefix(name: string): { name: string; prefix?: number } {
  if (DATE_OR_VERSION.test(name)) return { name };
  const match = /^(\d+)\s*[-_.]+\s*([^-_.\s].*)$/.exec(name);
  return match ? { name: match[2] ?? name, prefix: Number(match[1]) } : { name };
}

export function withoutPrefixes(folder: string): string {
  return folder
    .split('/')
    .map(part => withoutPrefix(part).name)
    .join('/');
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
