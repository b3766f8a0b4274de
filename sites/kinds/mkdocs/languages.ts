import { listOf, objectOf, textOf } from '../../values.ts';
import { basePathOf, below, folderOf, nameOf } from '../paths.ts';
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
  const found = [...alternates(config, main), ...inheriting(source, config, main)];
  const folders = new Set([config.docsFolder]);
  return found.filter(
    ({ folder }) => source.hasFolder(folder) && !folders.has(folder) && folders.add(folder),
  );
}

function inheriting(source: SiteSource, config: MkDocsConfig, main: string): SisterLanguage[] {
  const [own = ''] = config.files;
  return source.paths.flatMap((file): SisterLanguage[] => {
    const isConfig = /(?:^|\/)mkdocs[^/]*\.ya?ml$/.test(file) && file !== own;
    if (!isConfig || !/^INHERIT\s*:/m.test(source.read(file) ?? '')) return [];
    const other = readMkDocsConfig(source, { root: folderOf(file), marker: file });
    if (!other.files.includes(own)) return [];
    const [, named = ''] = /^mkdocs[-_.](.+)\.ya?ml$/.exec(nameOf(file)) ?? [];
    const written = mainLanguage(other);
    const tag = [written === main ? '' : (written ?? ''), nameOf(folderOf(file)), named].find(one =>
      TAG.test(one),
    );
    if (tag === undefined) return [];
    const base = basePathOf(config.siteUrl ?? undefined).slice(1);
    const segment = below(base, basePathOf(other.siteUrl ?? undefined).slice(1)) ?? '';
    const { docsFolder: folder } = other;
    return [{ tag, folder, segment: segment === '' ? tag : segment, isFilled: false }];
  });
}

function alternates({ settings, docsFolder }: MkDocsConfig, main: string): SisterLanguage[] {
  return listOf(objectOf(settings.extra).alternate).flatMap((one): SisterLanguage[] => {
    const { link, lang } = objectOf(one);
    const [, segment = ''] = /([\w-]+)\/?$/.exec(textOf(link) ?? '') ?? [];
    const parts = docsFolder.split('/');
    if (!TAG.test(segment) || segment === main || !parts.includes(main)) return [];
    const folder = parts.map(part => (part === main ? segment : part)).join('/');
    return [{ tag: textOf(lang) ?? segment, folder, segment, isFilled: true }];
  });
}
