import { trailingBraces, withoutBraces } from '../../sites/outline/page-outline.ts';
import { toString } from 'mdast-util-to-string';
import { parsePage } from '../../sites/markdown.ts';
import { type NavigationEntry } from '../../sites/navigation.ts';
import { readFrontMatter } from '../../sites/outline/front-matter.ts';
import type { IndexPage } from '../../db/search/index-page.ts';
import type { PageText } from '../../db/search/published.ts';
import type { PublishedHeading, PublishedPage } from '../../db/search/published-site.ts';
import { type AnchorOf, pageSections } from './sections.ts';

// What an index of Postgres holds of a page must fit in 2,700 bytes, whatever a repository brings.
const LONGEST_NAME = 64;
const MOST_GROUPS = 12;

/** One file as the index takes it: address, anchors, language and version are the site's. */
export function parsePublishedPage(page: PublishedPage, written: string): IndexPage {
  const source = page.apiText === null ? written : withOperation(page, written, page.apiText);
  const { language, version, path, url, oldVersion, translations, headings } = page;
  const place = {
    ...(language !== null && { language }),
    ...(version !== null && { version }),
    ...(page.boost !== null && { boost: page.boost }),
  };
  const more = { ...(url !== path && { url }), oldVersion, translations, crumbs: page.crumbs };
  if (!headings) return { ...parseIndexPage(page.file, path, source, place), ...more };
  const file = page.isGenerated ? 'operation.md' : page.file;
  const parsed = parseIndexPage(file, path, source, place, {
    title: page.title,
    anchorOf: generatorAnchors(headings),
  });
  return {
    ...parsed,
    language: shortName(language) ?? parsed.language,
    version: shortName(version) ?? parsed.version,
    ...more,
  };
}

/** A page as its site publishes it: its file is in a format that is not read. */
export function parsePageText(page: PublishedPage, read: PageText): IndexPage {
  const { title, headings } = read;
  return parsePublishedPage({ ...page, file: 'published.md', title, headings }, read.text);
}

/** In MDX a brace would begin code: descriptions of APIs are Markdown. */
function withOperation(page: PublishedPage, written: string, operation: string): string {
  if (page.isGenerated) return operation;
  return `${written}\n\n${/\.mdx$/i.test(page.file) ? operation.replace(/[{}<]/g, '\\$&') : operation}`;
}

/** Headings that the site knows, met in order; another one leads to the top of its page. */
function generatorAnchors(headings: readonly PublishedHeading[]): AnchorOf {
  let next = 0;
  return (written, depth) => {
    const heading = withoutMarks(written);
    const name = lettersOf(heading);
    const at = headings.findIndex(
      (known, i) => i >= next && known.depth === depth && lettersOf(known.text) === name,
    );
    if (at >= 0) next = at + 1;
    return { heading, anchor: headings[at]?.id ?? null };
  };
}

/** A heading without the id or the attributes in braces behind it. */
function withoutMarks(heading: string): string {
  return /^\{\s*[:#./]/.test(trailingBraces(heading)) ? withoutBraces(heading) : heading;
}

/** Parsers differ in marks, entities and spaces. */
function lettersOf(heading: string): string {
  return withoutMarks(heading)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** One file as the index takes it: frontmatter decides, then the page's place in the navigation. */
export function parseIndexPage(
  file: string,
  path: string,
  source: string,
  place?: Pick<NavigationEntry, 'version' | 'language' | 'boost'>,
  site?: { title: string | null; anchorOf: AnchorOf },
): IndexPage {
  const { frontmatter, tree, content } = site
    ? parseGenerated(file, source)
    : parseFile(file, source);
  const heading = tree.children.find(node => node.type === 'heading' && node.depth === 1);
  const title = (
    text(frontmatter.title) ??
    text(toString(heading)) ??
    text(site?.title) ??
    text(frontmatter.sidebarTitle) ??
    nameOf(path)
  ).slice(0, 300);
  const description = (text(frontmatter.description) ?? '').slice(0, 2_000);
  const sections = pageSections(tree, title, site?.anchorOf);
  const summary = description === '' ? title : description;
  const hidden = frontmatter.hidden === true || frontmatter.noindex === true;
  return {
    path,
    title,
    description,
    keywords: list(frontmatter.keywords) ?? [],
    version: shortName(frontmatter.version) ?? shortName(place?.version) ?? null,
    language:
      shortName(frontmatter.language) ??
      shortName(frontmatter.lang) ??
      shortName(place?.language) ??
      null,
    // Fewer or other groups let fewer readers in, never more.
    groups:
      list(frontmatter.groups)
        ?.slice(0, MOST_GROUPS)
        .map(group => group.slice(0, LONGEST_NAME)) ?? null,
    boost: boost(frontmatter.boost) ?? boost(place?.boost) ?? 1,
    searchable: typeof frontmatter.searchable === 'boolean' ? frontmatter.searchable : !hidden,
    content,
    sections:
      sections.length > 0
        ? sections
        : [{ anchor: null, heading: title, crumbs: [], prose: '', code: '', text: summary }],
  };
}

function parseFile(file: string, source: string) {
  const { frontmatter, tree, bodyOffset } = parsePage(file, source);
  return { frontmatter, tree, content: source.slice(bodyOffset) };
}

/** Generators also take TOML between `+++`, which is text to the parser of pages. */
function parseGenerated(file: string, source: string) {
  if (!/^\uFEFF?\+\+\+[ \t]*\r?\n/.test(source)) return parseFile(file, source);
  const { members, body } = readFrontMatter(source);
  return { ...parseFile(file, body), frontmatter: members };
}

function nameOf(path: string): string {
  const name = path.split('/').at(-1)?.replace(/[-_]+/g, ' ').trim() ?? '';
  return name === '' ? 'Home' : `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  // YAML and JSON can spell a NUL, which Postgres refuses.
  return value.replaceAll('\0', '\ufffd').trim();
}

function shortName(value: unknown): string | undefined {
  return text(value)?.slice(0, LONGEST_NAME);
}

/**
 * A list of names, also written as one string with commas; null if there is none. An empty list
 * of groups is none.
 */
function list(value: unknown): string[] | null {
  const items = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  const names = items.map(text).filter(item => item !== undefined);
  return names.length > 0 ? names : null;
}

function boost(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.min(10, Math.max(0.1, value))
    : undefined;
}
