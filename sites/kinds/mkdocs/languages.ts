import { objectOf, textOf } from '../../values.ts';
import type { MkDocsConfig } from './config.ts';

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
