import { listOf, objectOf, textOf } from '../../values.ts';
import { isLanguageTag } from '../language-tag.ts';
import { basePathOf, below, folderOf, nameOf, originOf } from '../paths.ts';
import type { SiteSource } from '../site-kind.ts';
import { type MkDocsConfig, readMkDocsConfig } from './config.ts';

/** Languages of the plugin `i18n` (mkdocs-static-i18n), the default one first. */
export interface MkDocsLanguages {
  tags: string[];
  main: string;
  /** `fr/page.md`, else `page.fr.md`. */
  byFolder: boolean;
  /** Pages without a translation are shown in the default language. */
  fallsBack: boolean;
}

export function languagesOf(config: MkDocsConfig): MkDocsLanguages | undefined {
  const options = config.plugins.get('i18n');
  const languages = Array.isArray(options?.languages) ? options.languages.map(objectOf) : [];
  const built = languages.filter(one => one.build !== false);
  const tags = built.flatMap(one => textOf(one.locale) ?? []);
  const main = textOf(built.find(one => one.default === true)?.locale) ?? tags[0];
  if (main === undefined) return undefined;
  return {
    tags: [main, ...tags.filter(tag => tag !== main)],
    main,
    byFolder: options?.docs_structure === 'folder',
    fallsBack: options?.fallback_to_default !== false,
  };
}

/** A source path without its language, and that language. */
export function splitLanguage(
  path: string,
  { tags, main, byFolder }: MkDocsLanguages,
): { tag: string; path: string } {
  const named = byFolder ? /^([^/]+)\/(.*)$/.exec(path) : /^(.*)\.([\w-]+)(\.\w+)$/.exec(path);
  const [tag, rest] = byFolder
    ? [named?.[1], named?.[2]]
    : [named?.[2], named && `${named[1]}${named[3]}`];
  return tag !== undefined && tags.includes(tag)
    ? { tag, path: rest ?? path }
    : { tag: main, path };
}

/** Another language of the site, whose pages are in a docs folder of their own. */
export interface SisterLanguage {
  tag: string;
  folder: string;
  /** The first part of its addresses. */
  segment: string;
  /** The build puts pages of the main language where a translation lacks. */
  isFilled: boolean;
}

const TAG = /^[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?$/;

export function mainLanguage({ settings }: MkDocsConfig): string | undefined {
  return textOf(objectOf(settings.theme).language);
}

/**
 * Languages with configurations that inherit the main one, and those of `extra.alternate` whose
 * folder differs from the main one only by the tag: `docs/de/docs` beside `docs/en/docs`.
 */
export function sisterLanguages(source: SiteSource, config: MkDocsConfig): SisterLanguage[] {
  if (languagesOf(config)) return [];
  const main = mainLanguage(config) ?? 'en';
  const found = [...alternates(config, main), ...inheriting(source, config)];
  const folders = new Set([config.docsFolder]);
  return found.filter(
    ({ folder }) => source.hasFolder(folder) && !folders.has(folder) && folders.add(folder),
  );
}

function inheriting(source: SiteSource, config: MkDocsConfig): SisterLanguage[] {
  return source.paths.flatMap((file): SisterLanguage[] => {
    const isConfig = /(?:^|\/)mkdocs[^/]*\.ya?ml$/.test(file);
    if (!isConfig || !/^INHERIT\s*:/m.test(source.read(file) ?? '')) return [];
    const language = inheritingLanguage(source, config, file);
    return language ? [language] : [];
  });
}

/**
 * The language that another configuration adds to the main one, which it inherits: that of its
 * theme; or that of its name or folder, if the main one names it or is in a folder of that kind.
 */
export function inheritingLanguage(
  source: SiteSource,
  config: MkDocsConfig,
  file: string,
): SisterLanguage | undefined {
  const [own = ''] = config.files;
  const other = readMkDocsConfig(source, { root: folderOf(file), marker: file });
  const { docsFolder: folder, files } = other;
  const origins = new Set([config, other].flatMap(one => originOf(one.siteUrl) ?? []));
  if (file === own || !files.includes(own) || origins.size > 1) return undefined;
  if (languagesOf(config) || folder === config.docsFolder) return undefined;
  const main = mainLanguage(config) ?? 'en';
  const written = mainLanguage(other) ?? main;
  const [, suffix = ''] = /^mkdocs[-_.](.+)\.ya?ml$/.exec(nameOf(file)) ?? [];
  const selected = selector(config).flatMap(({ lang, segment }) => [lang, segment]);
  const isBeside =
    nameOf(folderOf(own)) === main && folderOf(folderOf(own)) === folderOf(folderOf(file));
  const tag = [written, nameOf(folderOf(file)), suffix].find(
    one =>
      TAG.test(one) &&
      one !== main &&
      (one === written || selected.includes(one) || (isBeside && isLanguageTag(one))),
  );
  if (tag === undefined) return undefined;
  const base = basePathOf(config.siteUrl ?? undefined).slice(1);
  const segment = below(base, basePathOf(other.siteUrl ?? undefined).slice(1)) ?? '';
  return { tag, folder, segment: segment === '' ? tag : segment, isFilled: false };
}

/** What the main configuration offers readers to choose from. */
function selector({ settings }: MkDocsConfig): { lang: string | undefined; segment: string }[] {
  return listOf(objectOf(settings.extra).alternate).map(one => {
    const { link, lang } = objectOf(one);
    const [, segment = ''] = /([\w-]+)\/?$/.exec(textOf(link) ?? '') ?? [];
    return { lang: textOf(lang), segment };
  });
}

function alternates(config: MkDocsConfig, main: string): SisterLanguage[] {
  const parts = config.docsFolder.split('/');
  if (!parts.includes(main)) return [];
  return selector(config).flatMap(({ lang, segment }): SisterLanguage[] => {
    if (!TAG.test(segment) || segment === main) return [];
    const folder = parts.map(part => (part === main ? segment : part)).join('/');
    return [{ tag: lang ?? segment, folder, segment, isFilled: true }];
  });
}
