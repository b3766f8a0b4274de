import { folderOf, joinPath, nameOf } from '../paths.ts';
import { linesOf, listOf, objectOf, textOf } from '../../values.ts';
import { parseToml } from '../toml.ts';
import { parseYaml } from '../yaml.ts';
import type { SitePlace, SiteProblem, SiteSource } from '../site-kind.ts';
import { lowerNames } from './any-case.ts';
import { type HeadingRules, headingRules } from './heading-ids.ts';
import { linksFindPages } from './references.ts';

export interface HugoLanguage {
  /** Key in the configuration, such as `zh-cn`. */
  key: string;
  /** First segment of its paths; '' for none. */
  segment: string;
  contentFolder: string;
  /** Folders and files that the configuration puts into the content folder, where any are. */
  mounts: HugoMount[];
  weight: number;
}

export interface HugoMount {
  /** In the repository. */
  source: string;
  /** Below the content folder; '' for all of it. */
  target: string;
}

export interface HugoConfig {
  baseUrl: string | null;
  languages: HugoLanguage[];
  defaultLanguage: string;
  keepsCase: boolean;
  /** Whether pages of a section have addresses with `.html`. */
  isUgly(section: string): boolean;
  /** Section to pattern. */
  permalinks: Map<string, string>;
  taxonomies: string[];
  /** Site paths of the main menu, in order. */
  menu: string[];
  staticFolders: string[];
  /** A `ref` to nothing ends the build, unless `refLinksErrorLevel` says otherwise. */
  refsStop: boolean;
  headings: HeadingRules;
  /** Links name pages as `ref` does, by the render hook that Hugo brings along. */
  linksFindPages: boolean;
  /** Members of the front matter, in lower case, that say when; the first one that does counts. */
  dates: { date: string[]; publishdate: string[]; expirydate: string[] };
  /** What the build takes along although it is not published. */
  builds: { drafts: boolean; future: boolean; expired: boolean };
  ignoreFiles: unknown;
  cascade: unknown;
  root: string;
  files: string[];
  problems: SiteProblem[];
}

export const HUGO_CONFIG = /(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml|json)$/;

/** Whether such a file is a Hugo site's configuration: `config.*` only beside a content folder. */
export function isHugoConfig(source: SiteSource, path: string): boolean {
  const folder = folderOf(path);
  if (/(?:^|\/)config\/_default$/.test(folder)) return true;
  const has = (name: string) => source.hasFolder(joinPath(folder, name) ?? name);
  // A theme has a configuration too, and no content.
  if (nameOf(path).startsWith('hugo.'))
    return has('content') || /\bcontentDir\b|\bmounts\b/i.test(source.read(path) ?? '');
  return has('content') && (has('layouts') || has('themes') || has('archetypes') || has('i18n'));
}

export function readHugoConfig(source: SiteSource, found: SitePlace): HugoConfig {
  const problems: SiteProblem[] = [];
  const { settings, files } = readSettings(source, found, problems);
  const contentDir = textOf(settings.contentdir) ?? 'content';
  const defaultLanguage = (textOf(settings.defaultcontentlanguage) ?? 'en').toLowerCase();
  const goldmark = objectOf(objectOf(settings.markup).goldmark);
  const language = objectOf(objectOf(settings.languages)[defaultLanguage]);
  const languages = readLanguages(settings, found.root, contentDir, defaultLanguage);
  const menus = [
    settings.menu,
    settings.menus,
    ...[language.menu, language.menus],
    ...[settings[`menu.${defaultLanguage}`], settings[`menus.${defaultLanguage}`]],
  ].find(one => one !== undefined);
  return {
    baseUrl: textOf(settings.baseurl) ?? textOf(language.baseurl) ?? null,
    languages,
    defaultLanguage,
    keepsCase: settings.disablepathtolower === true,
    isUgly: section => settings.uglyurls === true || objectOf(settings.uglyurls)[section] === true,
    permalinks: readPermalinks(settings.permalinks),
    taxonomies:
      settings.taxonomies === undefined
        ? ['tags', 'categories']
        : Object.values(objectOf(settings.taxonomies)).map(String),
    menu: readMenu(objectOf(menus).main),
    staticFolders: [
      ...[...linesOf(settings.staticdir ?? 'static'), 'assets'],
      ...linesOf(settings.theme).flatMap(theme => [`themes/${theme}/static`]),
    ].map(folder => joinPath(found.root, folder) ?? 'static'),
    refsStop: !/^warning$/i.test(textOf(settings.reflinkserrorlevel) ?? ''),
    headings: headingRules(goldmark),
    linksFindPages: linksFindPages(settings, goldmark, languages.length > 1),
    dates: readDates(objectOf(settings.frontmatter)),
    builds: {
      drafts: settings.builddrafts === true,
      future: settings.buildfuture === true,
      expired: settings.buildexpired === true,
    },
    ignoreFiles: settings.ignorefiles,
    cascade: settings.cascade,
    root: found.root,
    files,
    problems,
  };
}

const DATES = {
  date: ['date', 'publishdate', 'pubdate', 'published', 'lastmod', 'modified'],
  publishdate: ['publishdate', 'pubdate', 'published', 'date'],
  expirydate: ['expirydate', 'unpublishdate'],
};

/** `:default` stands for what is read without a configuration. */
function readDates(frontmatter: Record<string, unknown>): HugoConfig['dates'] {
  const fields = (name: keyof typeof DATES) =>
    frontmatter[name] === undefined
      ? DATES[name]
      : linesOf(frontmatter[name]).flatMap(field =>
          field === ':default' ? DATES[name] : [field.toLowerCase()],
        );
  return {
    date: fields('date'),
    publishdate: fields('publishdate'),
    expirydate: fields('expirydate'),
  };
}

/**
 * One file, or the files of `config/_default`, of which each but `hugo.*` is one member, and what
 * `config/production` changes.
 */
function readSettings(source: SiteSource, found: SitePlace, problems: SiteProblem[]) {
  const parts = ['config/_default', 'config/production'].flatMap(name => {
    const folder = joinPath(found.root, name) ?? name;
    return source.paths.filter(
      path => path.startsWith(`${folder}/`) && /\.(?:toml|ya?ml|json)$/.test(path),
    );
  });
  const files = [...new Set([found.marker, ...parts])];
  const settings: Record<string, unknown> = {};
  for (const file of files) {
    const text = source.read(file) ?? '';
    const value = lowerNames(
      file.endsWith('.toml') ? parseToml(text, file, problems) : objectOf(parseYaml(text).value),
    );
    const name = nameOf(file).replace(/\.\w+$/, '');
    const language = /^(menus?|params|languages)\.([\w-]+)$/.exec(name);
    if (HUGO_CONFIG.test(file)) Object.assign(settings, value);
    else if (language?.[1] === 'languages') {
      const languages = objectOf(settings.languages);
      const key = language[2]?.toLowerCase() ?? '';
      settings.languages = { ...languages, [key]: { ...objectOf(languages[key]), ...value } };
    } else if (language) settings[name.toLowerCase()] = value;
    else settings[name] = { ...objectOf(settings[name]), ...value };
  }
  return { settings, files };
}

function readLanguages(
  settings: Record<string, unknown>,
  root: string,
  contentDir: string,
  defaultLanguage: string,
): HugoLanguage[] {
  const inFolder = settings.defaultcontentlanguageinsubdir === true;
  const contentIn = (options: Record<string, unknown>) =>
    joinPath(root, textOf(options.contentdir) ?? contentDir) ?? contentDir;
  const languages = Object.entries(objectOf(settings.languages))
    .map(([name, value]) => ({ key: name.toLowerCase(), options: objectOf(value) }))
    .filter(({ options }) => options.disabled !== true)
    .map(({ key, options }) => ({
      key,
      segment: key === defaultLanguage && !inFolder ? '' : key,
      ...contentOf(settings, root, key, contentIn(options)),
      weight: Number(options.weight ?? 0),
    }));
  const only = { key: defaultLanguage, segment: inFolder ? defaultLanguage : '', weight: 0 };
  if (languages.length === 0)
    return [{ ...only, ...contentOf(settings, root, defaultLanguage, contentIn({})) }];
  return languages.toSorted((a, b) => a.weight - b.weight);
}

/** Mounts into `content` replace the content folder; without any it is all there is. */
function contentOf(
  settings: Record<string, unknown>,
  root: string,
  language: string,
  contentFolder: string,
): Pick<HugoLanguage, 'contentFolder' | 'mounts'> {
  const mounts = mountsOf(settings, root, language);
  const whole = mounts.find(mount => mount.target === '')?.source;
  return whole === undefined
    ? { contentFolder, mounts: [{ source: contentFolder, target: '' }, ...mounts] }
    : { contentFolder: whole, mounts };
}

function mountsOf(settings: Record<string, unknown>, root: string, language: string): HugoMount[] {
  const { mounts } = objectOf(settings.module);
  return listOf(mounts).flatMap((value): HugoMount[] => {
    const mount = objectOf(value);
    const matrix = objectOf(objectOf(mount.sites).matrix);
    const languages = [mount.lang, matrix.languages].flatMap(linesOf);
    const source = joinPath(root, textOf(mount.source) ?? '');
    const target = /^content(?:\/(.*))?$/.exec(textOf(mount.target) ?? '');
    const isOther = languages.length > 0 && !languages.some(one => isNamed(language, one));
    return !target || source === undefined || isOther ? [] : [{ source, target: target[1] ?? '' }];
  });
}

/** Names of languages may be globs; `**` is all of them. */
function isNamed(language: string, pattern: string): boolean {
  return pattern.toLowerCase() === language || /^\*+$/.test(pattern);
}

function readPermalinks(value: unknown): Map<string, string> {
  const members = objectOf(value);
  const pages = { ...members, ...objectOf(members.page) };
  return new Map(
    Object.entries(pages).flatMap(([section, pattern]): [string, string][] =>
      typeof pattern === 'string' ? [[section, pattern]] : [],
    ),
  );
}

/** Site paths of a menu. Entries by weight, each before those that name it as their parent. */
function readMenu(value: unknown): string[] {
  const entries = Array.isArray(value) ? value.map(objectOf) : [];
  const nameOfEntry = (entry: Record<string, unknown>) =>
    textOf(entry.identifier) ?? textOf(entry.name);
  const ordered = entries.toSorted((a, b) => menuWeight(a) - menuWeight(b));
  const seen = new Set<Record<string, unknown>>();
  const below = (parent: string | undefined): Record<string, unknown>[] =>
    ordered
      .filter(entry => textOf(entry.parent) === parent && !seen.has(entry))
      .flatMap(entry => {
        seen.add(entry);
        const name = nameOfEntry(entry);
        return [entry, ...(name === undefined ? [] : below(name))];
      });
  return below(undefined)
    .flatMap(entry => textOf(entry.pageref) ?? textOf(entry.url) ?? [])
    .filter(path => path.startsWith('/'));
}

/** An entry without a weight is behind those that have one. */
function menuWeight(entry: Record<string, unknown>): number {
  const weight = Number(entry.weight ?? 0);
  return weight === 0 ? Number.MAX_SAFE_INTEGER : weight;
}
