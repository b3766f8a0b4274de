import type { SearchFilter } from '../../db/search/search-request.ts';
import { pageSections } from '../../search/indexing/sections.ts';
import { words } from '../../search/words.ts';
import type { SitePage } from '../../sites/kinds/site-kind.ts';
import { isPagePath, parsePage } from '../../sites/markdown.ts';

/** A page that this job has changed, with its best sections for a query. */
export interface ChangedPage {
  file: string;
  title: string;
  path: string;
  sections: { heading: string; anchor: string | null; text: string }[];
}

export interface SearchedEdits {
  pages: ChangedPage[];
  /** Addresses whose pages in the index are out of date. */
  outdated: string[];
}

const MOST_SECTIONS = 3;
/** Of the query's words, in a page that is shown. */
const SHARE_OF_WORDS = 0.5;
/** Shorter words are compared as they are; of longer ones, one may have another ending. */
const STEM = 4;

/**
 * What a job has changed is not in the index: its pages are read here, in the thread of the site.
 * `before` and `now` are the pages of the site without the edits and with them.
 */
export function searchEdits(
  { before, now }: { before: readonly SitePage[]; now: readonly SitePage[] },
  edits: ReadonlyMap<string, string | null>,
  { query, filter }: { query: string; filter: SearchFilter },
): SearchedEdits {
  const wanted = [...new Set(words(query))];
  const found: { page: ChangedPage; score: number }[] = [];
  for (const place of now) {
    const text = edits.get(place.file);
    if (text == null || !isPagePath(place.file) || !passes(place, filter)) continue;
    const scored = readPage(text, place, wanted);
    if (scored.score >= SHARE_OF_WORDS) found.push(scored);
  }
  return {
    pages: found.toSorted((a, b) => b.score - a.score).map(({ page }) => page),
    outdated: before.filter(({ file }) => edits.has(file)).map(({ path }) => path),
  };
}

function readPage(
  text: string,
  { file, path, title: listed }: SitePage,
  wanted: readonly string[],
): { page: ChangedPage; score: number } {
  const { tree, frontmatter } = parsePage(file, text);
  const written = typeof frontmatter.title === 'string' ? frontmatter.title : listed;
  const title = written ?? file;
  const sections = pageSections(tree, title)
    .map(section => ({
      section,
      score: shareOf(wanted, `${title} ${section.heading} ${section.text}`),
    }))
    .toSorted((a, b) => b.score - a.score);
  const shown = sections.filter(({ score }) => score > 0).slice(0, MOST_SECTIONS);
  return {
    page: { file, title, path, sections: shown.map(({ section }) => section) },
    score: sections[0]?.score ?? 0,
  };
}

/** The share of the wanted words that a text has. */
function shareOf(wanted: readonly string[], text: string): number {
  if (wanted.length === 0) return 0;
  const has = new Set(words(text));
  const stems = new Set([...has].filter(word => word.length >= STEM).map(stemOf));
  return (
    wanted.filter(word => has.has(word) || (word.length >= STEM && stems.has(stemOf(word))))
      .length / wanted.length
  );
}

function stemOf(word: string): string {
  return word.replace(/(?:ing|ed|es|s|e)$/, '');
}

/** As the index filters: a page without a language or version belongs to all of them. */
function passes({ language, version }: SitePage, filter: SearchFilter): boolean {
  const tag = (name: string): string => name.toLowerCase().replaceAll('_', '-');
  const isLanguage =
    filter.language === undefined ||
    language === null ||
    `${tag(language)}-`.startsWith(`${tag(filter.language)}-`);
  return (
    isLanguage && (filter.version === undefined || version === null || version === filter.version)
  );
}
