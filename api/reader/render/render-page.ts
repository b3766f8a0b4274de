import GithubSlugger from 'github-slugger';
import type { PageElement, PageNode } from '../../dashboard/contract/page-tree.ts';
import type { SitePageView } from '../../dashboard/contract/site.ts';
import { publishedHeadings } from '../../../search/indexing/page-headings.ts';
import type { PublishedHeading } from '../../../db/search/published-site.ts';
import { shownOutline, shownText } from '../../../sites/kinds/includes.ts';
import type { ApiPage, Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import { readFrontMatter } from '../../../sites/outline/front-matter.ts';
import { syntaxOf, trailingBraces, withoutBraces } from '../../../sites/outline/page-outline.ts';
import { textOfNodes } from './components.ts';
import { linksOf } from './links.ts';
import { pageNodes } from './page-nodes.ts';
import { parseBody } from './parse-page.ts';

export type RenderedPage = Pick<
  SitePageView,
  'title' | 'description' | 'headings' | 'nodes' | 'problem'
>;

/** Characters of a page; a longer one is cut. */
const LONGEST = 500_000;

/** A page of a site as a tree. Never throws on content. */
export function renderPage(site: Site, source: SiteSource, file: string): RenderedPage {
  const { members, body } = readFrontMatter(shownText(site, source, file));
  const syntax = (site.syntaxOf ?? syntaxOf)(file);
  const { root, problem } = parseBody(body.slice(0, LONGEST), syntax);
  const nodes = pageNodes(root, linksOf(site, source, file));
  const own = site.apiTexts?.get(file)?.text;
  if (own !== undefined)
    nodes.push(...pageNodes(parseBody(own, 'markdown').root, linksOf(site, source, file)));
  giveIds(nodes, publishedHeadings(site, shownOutline(site, file)));
  const { title, rest } = titleOf(nodes, textOf(members['title']));
  return {
    title: title ?? site.pages.find(page => page.file === file)?.title ?? file,
    description: textOf(members['description']) ?? '',
    headings: contents(rest),
    nodes: rest,
    problem: body.length > LONGEST ? 'This page is too long. Its end is left out.' : problem,
  };
}

/** A page that the site makes of an API description. */
export function renderApiPage(
  site: Site,
  source: SiteSource,
  { file, title, text, operations }: ApiPage,
): RenderedPage {
  const { root, problem } = parseBody(text.slice(0, LONGEST), 'markdown');
  const all = pageNodes(root, linksOf(site, source, file));
  // Below the page's title, the summary of its one operation says it again.
  const nodes = all.filter((node, i) => i !== 1 || textOfNodes([node]).trim() !== title);
  giveIds(
    nodes,
    operations.map(each => ({ text: `${each.method} ${each.route}`, depth: 2, id: each.anchor })),
  );
  return { title, description: '', headings: contents(nodes), nodes, problem };
}

/** The page with its title and description, as one tree: what a review compares. */
export function wholePage(page: RenderedPage | undefined): PageNode[] {
  if (!page) return [];
  const { title, description, nodes } = page;
  return [
    { tag: 'h1', children: [title] },
    ...(description === '' ? [] : [{ tag: 'p' as const, children: [description] }]),
    ...nodes,
  ];
}

/** A first heading is the page's title, unless the front matter has another one. */
function titleOf(nodes: PageNode[], written: string | undefined) {
  const [first] = nodes;
  if (typeof first !== 'object' || first.tag !== 'h1') return { title: written, rest: nodes };
  const heading = textOfNodes([first]).trim();
  if (written !== undefined && written !== heading) return { title: written, rest: nodes };
  return { title: heading, rest: nodes.slice(1) };
}

/** The ids that the site's generator makes, met in order; GitHub's for what it does not know. */
function giveIds(nodes: PageNode[], known: readonly PublishedHeading[]): void {
  const slugger = new GithubSlugger();
  const keyOf = (depth: number, text: string) => `${depth}:${lettersOf(text)}`;
  const places = new Map<string, number[]>();
  for (const [index, { depth, text }] of [...known.entries()].toReversed()) {
    const own = places.get(keyOf(depth, text));
    if (own) own.push(index);
    else places.set(keyOf(depth, text), [index]);
  }
  let next = 0;
  for (const heading of headingsOf(nodes)) {
    const written = textOfNodes([heading]);
    const text = withoutMarks(heading, written);
    // The last place is the first one that is left: what is before the heading above is passed.
    const own = places.get(keyOf(Number(heading.tag.slice(1)), text)) ?? [];
    let at = own.pop();
    while (at !== undefined && at < next) at = own.pop();
    if (at !== undefined) next = at + 1;
    const met = at === undefined ? undefined : known[at];
    const id = heading.attributes?.id ?? met?.id ?? slugger.slug(text);
    heading.attributes = { ...heading.attributes, id };
  }
}

/** `## Title {#id}`: what generators write behind a heading is not its text. */
function withoutMarks(heading: PageElement, text: string): string {
  if (!/^\{\s*[:#./]/.test(trailingBraces(text))) return text;
  const last = heading.children?.at(-1);
  if (typeof last === 'string') heading.children?.splice(-1, 1, withoutBraces(last));
  else if (last?.tag === 'code' && textOfNodes([last]).startsWith('{')) heading.children?.pop();
  return withoutBraces(text);
}

function lettersOf(text: string): string {
  return (/^\{\s*[:#./]/.test(trailingBraces(text)) ? withoutBraces(text) : text)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

function* headingsOf(nodes: readonly PageNode[]): Generator<PageElement> {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    if (/^h[1-6]$/.test(node.tag)) yield node;
    else yield* headingsOf(node.children ?? []);
  }
}

function contents(nodes: readonly PageNode[]): SitePageView['headings'] {
  const found: SitePageView['headings'] = [];
  for (const heading of headingsOf(nodes)) {
    const depth = Number(heading.tag.slice(1));
    const { id } = heading.attributes ?? {};
    if (id !== undefined && (depth === 2 || depth === 3))
      found.push({ id, text: textOfNodes([heading]).trim(), depth });
  }
  return found;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
