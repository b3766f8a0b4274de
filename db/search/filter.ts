import { cleanSitePath } from '../../sites/page-path.ts';
import type { SearchFilter } from './search-request.ts';

/** The three parameters that `passes` reads: version, language, groups. */
export function filterValues(
  filter: SearchFilter | undefined,
): [string | null, string | null, string[]] {
  const { version, language, groups = [] } = filter ?? {};
  return [
    version === undefined ? null : plain(version),
    language === undefined ? null : plain(language).toLowerCase().replaceAll('_', '-'),
    groups.map(plain),
  ];
}

/** Callers' text in a form that Postgres accepts: without NUL. */
export function plain(text: string): string {
  return text.replaceAll('\0', '');
}

/** A language as sites write it (`zh_CN`, `pt-BR`) in the one form that filters are compared in. */
export function languageTag(column: string): string {
  return `replace(lower(${column}), '_', '-')`;
}

/**
 * A condition on `search_pages p`. A page without a version or language belongs to all of them; one
 * that names groups needs one of them given. `zh` also asks for `zh-CN`.
 */
export function passes(version: string, language: string, groups: string): string {
  return `(${version}::text is null or p.version is null or p.version = ${version})
      and (${language}::text is null or p.language is null
           or ${languageTag('p.language')} = ${language}
           or starts_with(${languageTag('p.language')}, ${language} || '-'))
      and (p.groups is null or p.groups && ${groups}::text[])`;
}

/**
 * A condition on `search_pages p` for a search that names no language or version: pages of the
 * reader's language, of the site's own where there is no translation, and of no old version but the
 * one that the reader is in.
 */
export function preferred(version: string, language: string, scope: string): string {
  return `(${version}::text is not null or p.version is null
           or case when ${scope}.old_version is null then not p.old_version
                   else p.version = ${scope}.old_version end)
      and (${language}::text is not null or p.language is null or ${scope}.language is null
           or p.language = ${scope}.language
           or (p.language = ${scope}.default_language
               and not p.translations @> array[${scope}.language]))`;
}

/**
 * The forms in which a path may be written: site path, preferred first, or an address as the
 * site writes it.
 */
export function namesOf(written: string): { paths: string[]; urls: string[] } {
  const path = plain(written).replace(/^[a-z]+:\/\/[^/]*|[?#].*$/gis, '');
  const bare = `/${path.replace(/^\/+|\/+$/g, '')}`;
  const exact = bare.replace(/\.(?:mdx?|html)$/, '');
  return {
    paths: [...new Set([exact, plain(cleanSitePath(written))])],
    urls: [bare, `${bare}/`, `${exact}.html`],
  };
}
