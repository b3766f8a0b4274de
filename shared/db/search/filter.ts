import type { SearchFilter } from '../../search/search-request.ts';

/** The three parameters that `passes` reads: version, language, groups. */
export function filterValues(
  filter: SearchFilter | undefined,
): [string | null, string | null, string[]] {
  const { version, language, groups = [] } = filter ?? {};
  return [
    version === undefined ? null : plain(version),
    language === undefined ? null : plain(language),
    groups.map(plain),
  ];
}

/** Callers' text in a form that Postgres accepts: without NUL. */
export function plain(text: string): string {
  return text.replaceAll('\0', '');
}

/**
 * A condition on `search_pages p`. A page without a version or language belongs to all of them; one
 * that names groups needs one of them given.
 */
export function passes(version: string, language: string, groups: string): string {
  return `(${version}::text is null or p.version is null or p.version = ${version})
      and (${language}::text is null or p.language is null or p.language = ${language})
      and (p.groups is null or p.groups && ${groups}::text[])`;
}
