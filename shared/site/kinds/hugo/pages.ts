import { firstTitle, type PageOutline } from '../../outline/page-outline.ts';
import { basePathOf, below, folderOf, joinPath, nameOf, sitePathOf, withBase } from '../paths.ts';
import { objectOf, textOf } from '../mkdocs/config.ts';
import type { SitePage, SiteSource } from '../site-kind.ts';
import type { HugoConfig, HugoLanguage } from './config.ts';

export interface HugoPage extends SitePage {
  languageKey: string;
  /** Path below the content folder, without ending and language: `docs/guide/_index`. */
  source: string;
  /** The folder whose section page this is, or that it is in. */
  section: string;
  isSection: boolean;
  weight: number;
  date: string;
  ownTitle: string;
  linkTitle: string;
  aliases: string[];
  frontMatter: Record<string, unknown>;
}

export function readPages(source: SiteSource, config: HugoConfig) {
  const pages: HugoPage[] = [];
  const excluded: string[] = [];
  const files = source.paths.filter(path => /\.(?:md|markdown)$/i.test(path));
  const cascades = readCascades(source, config, files);
  for (const file of files) {
    const place = placeOf(file, config);
    if (!place) continue;
    const outline = source.outline(file);
    if (isResource(file, source, place.language) || !isBuilt(outline, cascades(place.source)))
      excluded.push(file);
    else pages.push(pageAt(file, place, outline, config));
  }
  return { pages, excluded };
}

interface Place {
  language: HugoLanguage;
  source: string;
}

/** The language and the path below the content folder. The first language that has it wins. */
function placeOf(file: string, config: HugoConfig): Place | undefined {
  const main = config.languages.find(one => one.key === config.defaultLanguage);
  const places = config.languages.flatMap(language =>
    language.mounts.flatMap(mount => {
      const path = mount.source === file ? '' : below(mount.source, file);
      const source = path === undefined ? undefined : joinPath(mount.target, path);
      return source === undefined ? [] : [{ language, source, folder: mount.source }];
    }),
  );
  const own = places.toSorted(
    (a, b) =>
      b.folder.length - a.folder.length ||
      Number(b.language === main) - Number(a.language === main),
  )[0];
  if (!own) return undefined;
  const bare = own.source.replace(/\.\w+$/, '');
  const suffix = /^(.*)\.([\w-]+)$/.exec(bare);
  const named = config.languages.find(one => one.key === suffix?.[2]?.toLowerCase());
  if (named) return { language: named, source: suffix?.[1] ?? bare };
  return { language: own.language, source: bare };
}

/** Markdown beside the `index.md` of a leaf bundle belongs to that page. */
function isResource(file: string, source: SiteSource, language: HugoLanguage): boolean {
  if (/^_?index\./.test(nameOf(file)) && nameOf(file).startsWith('_')) return false;
  let folder = /^index\./.test(nameOf(file)) ? folderOf(folderOf(file)) : folderOf(file);
  while (folder.length > language.contentFolder.length) {
    if (isLeafBundle(folder, source)) return true;
    folder = folderOf(folder);
  }
  return false;
}

function isLeafBundle(folder: string, source: SiteSource): boolean {
  return ['index.md', 'index.markdown'].some(name => source.has(`${folder}/${name}`));
}

/** What sections hand down to the pages below them. */
function readCascades(source: SiteSource, config: HugoConfig, files: readonly string[]) {
  const cascades = new Map<string, Record<string, unknown>>();
  for (const file of files) {
    if (!/^_index\./.test(nameOf(file))) continue;
    const { frontMatter } = source.outline(file);
    const place = frontMatter.cascade === undefined ? undefined : placeOf(file, config);
    const [first] = [frontMatter.cascade].flat();
    if (place) cascades.set(folderOf(place.source), objectOf(first));
  }
  return (path: string): Record<string, unknown> => {
    const all: Record<string, unknown>[] = [];
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      all.unshift(cascades.get(folder) ?? {});
      if (folder === '') return Object.assign({}, ...all) as Record<string, unknown>;
    }
  };
}

function isBuilt({ frontMatter }: PageOutline, cascade: Record<string, unknown>): boolean {
  const own = { ...cascade, ...frontMatter };
  const build = objectOf(own.build ?? own._build);
  const rendered = build.render !== 'never' && build.render !== false && build.render !== 'link';
  const published = timeOf(own.publishDate ?? own.date) <= Date.now();
  const expired = own.expiryDate !== undefined && timeOf(own.expiryDate) < Date.now();
  return own.draft !== true && own.headless !== true && rendered && published && !expired;
}

function timeOf(value: unknown): number {
  const time = Date.parse(dateOf(value));
  return Number.isNaN(time) ? 0 : time;
}

function pageAt(
  file: string,
  { language, source }: Place,
  outline: PageOutline,
  config: HugoConfig,
): HugoPage {
  const { frontMatter } = outline;
  const name = nameOf(source);
  const isSection = name === '_index';
  const folder = folderOf(source);
  const route = routeOf(source, frontMatter, config);
  const absolute = textOf(frontMatter.url)?.startsWith('/') === true;
  const path = sitePathOf(absolute ? '' : language.segment, route);
  const title =
    textOf(frontMatter.title) ??
    firstTitle(outline) ??
    humanized(isSection || name === 'index' ? nameOf(folder) : name);
  return {
    file,
    languageKey: language.key,
    source,
    section: name === 'index' ? folderOf(folder) : folder,
    isSection,
    weight: Number(frontMatter.weight ?? 0),
    date: dateOf(frontMatter.date),
    ownTitle: title,
    linkTitle: textOf(frontMatter.linkTitle) ?? title,
    aliases: [frontMatter.aliases].flat().filter(one => typeof one === 'string'),
    frontMatter,
    path,
    url: withBase(basePathOf(config.baseUrl ?? undefined), written(path, config)),
    language: language.key,
    version: null,
    inNavigation: false,
    title: null,
    crumbs: [],
    draft: false,
  };
}

function written(path: string, config: HugoConfig): string {
  if (path === '/' || /\.html?$/.test(path)) return path;
  return config.uglyUrls ? `${path}.html` : `${path}/`;
}

function routeOf(source: string, frontMatter: Record<string, unknown>, config: HugoConfig): string {
  const url = textOf(frontMatter.url);
  if (url !== undefined) return url;
  const bare = source.replace(/(?:^|\/)_?index$/, '');
  const isSection = /(?:^|\/)_index$/.test(source);
  const slug = textOf(frontMatter.slug);
  const [section = ''] = bare.split('/');
  const pattern = bare.includes('/') && !isSection ? config.permalinks.get(section) : undefined;
  if (pattern) return permalink(pattern, bare, frontMatter, config);
  const path = slug === undefined || isSection ? bare : (joinPath(folderOf(bare), slug) ?? bare);
  return urlized(path, config.keepsCase);
}

function permalink(
  pattern: string,
  path: string,
  frontMatter: Record<string, unknown>,
  config: HugoConfig,
): string {
  const date = dateOf(frontMatter.date);
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-');
  const sections = folderOf(path);
  const file = nameOf(path);
  const title = textOf(frontMatter.title) ?? file;
  const slug = textOf(frontMatter.slug);
  const values: Record<string, string> = {
    year,
    month,
    day,
    title,
    slug: slug ?? title,
    filename: file,
    contentbasename: file,
    slugorfilename: slug ?? file,
    slugorcontentbasename: slug ?? file,
    section: sections.split('/')[0] ?? '',
    sections,
  };
  const filled = pattern.replace(
    /:([a-z]+)(?:\[[^\]]*\])?/g,
    (all, name: string) => values[name] ?? all,
  );
  return urlized(filled, config.keepsCase);
}

/** As Hugo writes paths: white space becomes `-`, most marks are dropped, lower case. */
export function urlized(path: string, keepsCase: boolean): string {
  const clean = path.replace(/\s+/g, '-').replace(/[^\p{L}\p{N}\p{M}./\\_#+~@-]/gu, '');
  return keepsCase ? clean : clean.toLowerCase();
}

function dateOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : '';
}

function humanized(name: string): string {
  const words = name.replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
