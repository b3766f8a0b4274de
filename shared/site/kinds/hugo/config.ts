import { parse as parseToml } from 'smol-toml';
import { joinPath, nameOf } from '../paths.ts';
import { linesOf, objectOf, textOf } from '../mkdocs/config.ts';
import { parseYaml } from '../yaml.ts';
import type { FoundSite, SiteProblem, SiteSource } from '../site-kind.ts';

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
  uglyUrls: boolean;
  /** Section to pattern. */
  permalinks: Map<string, string>;
  taxonomies: string[];
  /** Site paths of the main menu, in order. */
  menu: string[];
  staticFolders: string[];
  files: string[];
  problems: SiteProblem[];
}

const NAMES = /^(?:hugo|config)\.(?:toml|ya?ml|json)$/;

/** Whether a file is a Hugo site's configuration: `config.*` only beside a content folder. */
export function isHugoConfig(path: string, source: SiteSource): boolean {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  if (!NAMES.test(nameOf(path))) return false;
  if (/(?:^|\/)config\/_default$/.test(folder)) return true;
  const has = (name: string) => source.hasFolder(joinPath(folder, name) ?? name);
  // A theme has a configuration too, and no content.
  if (nameOf(path).startsWith('hugo.'))
    return has('content') || /\bcontentDir\b|\bmounts\b/i.test(source.read(path) ?? '');
  return has('content') && (has('layouts') || has('themes') || has('archetypes') || has('i18n'));
}

export function readHugoConfig(source: SiteSource, found: FoundSite): HugoConfig {
  const problems: SiteProblem[] = [];
  const { settings, files } = readSettings(source, found, problems);
  const contentDir = textOf(settings.contentDir) ?? 'content';
  const defaultLanguage = (textOf(settings.defaultContentLanguage) ?? 'en').toLowerCase();
  return {
    baseUrl: textOf(settings.baseURL) ?? textOf(settings.baseurl) ?? null,
    languages: readLanguages(settings, found.root, contentDir, defaultLanguage),
    defaultLanguage,
    keepsCase: settings.disablePathToLower === true,
    uglyUrls: settings.uglyURLs === true,
    permalinks: readPermalinks(settings.permalinks),
    taxonomies:
      settings.taxonomies === undefined
        ? ['tags', 'categories']
        : Object.values(objectOf(settings.taxonomies)).map(String),
    menu: readMenu(objectOf(settings.menu ?? settings.menus).main),
    staticFolders: [...linesOf(settings.staticDir ?? 'static'), 'assets'].map(
      folder => joinPath(found.root, folder) ?? 'static',
    ),
    files,
    problems,
  };
}

/** One file, or the files of `config/_default`, of which each but `hugo.*` is one member. */
function readSettings(source: SiteSource, found: FoundSite, problems: SiteProblem[]) {
  const folder = joinPath(found.root, 'config/_default') ?? 'config/_default';
  const parts = source.paths.filter(
    path => path.startsWith(`${folder}/`) && /\.(?:toml|ya?ml|json)$/.test(path),
  );
  const files = [...new Set([found.marker, ...parts])];
  const settings: Record<string, unknown> = {};
  for (const file of files) {
    const value = parsed(source.read(file) ?? '', file, problems);
    const name = nameOf(file).replace(/\.\w+$/, '');
    const language = /^(menus?|params|languages)\.([\w-]+)$/.exec(name);
    if (NAMES.test(nameOf(file))) Object.assign(settings, value);
    else if (!language) settings[name] = { ...objectOf(settings[name]), ...value };
  }
  return { settings, files };
}

function parsed(text: string, file: string, problems: SiteProblem[]): Record<string, unknown> {
  try {
    if (file.endsWith('.toml')) return parseToml(text);
    return objectOf(parseYaml(text).value);
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : ''}`;
    problems.push({ rule: 'configuration', file, line: null, link: null, message });
    return {};
  }
}

function readLanguages(
  settings: Record<string, unknown>,
  root: string,
  contentDir: string,
  defaultLanguage: string,
): HugoLanguage[] {
  const inFolder = settings.defaultContentLanguageInSubdir === true;
  const folderOf = (options: Record<string, unknown>) =>
    joinPath(root, textOf(options.contentDir) ?? contentDir) ?? contentDir;
  const languages = Object.entries(objectOf(settings.languages))
    .map(([name, value]) => ({ key: name.toLowerCase(), options: objectOf(value) }))
    .filter(({ options }) => options.disabled !== true)
    .map(({ key, options }) => ({
      key,
      segment: key === defaultLanguage && !inFolder ? '' : key,
      ...contentOf(settings, root, key, folderOf(options)),
      weight: Number(options.weight ?? 0),
    }));
  const only = { key: defaultLanguage, segment: inFolder ? defaultLanguage : '', weight: 0 };
  if (languages.length === 0)
    return [{ ...only, ...contentOf(settings, root, defaultLanguage, folderOf({})) }];
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
  return (Array.isArray(mounts) ? mounts : []).flatMap((value: unknown): HugoMount[] => {
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

/** Entries by weight, each before those that name it as their parent. */
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
    .flatMap(entry => textOf(entry.pageRef) ?? textOf(entry.url) ?? [])
    .filter(path => path.startsWith('/'));
}

/** An entry without a weight is behind those that have one. */
function menuWeight(entry: Record<string, unknown>): number {
  const weight = Number(entry.weight ?? 0);
  return weight === 0 ? Number.MAX_SAFE_INTEGER : weight;
}
