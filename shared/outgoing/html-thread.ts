import type { Element, Nodes, Root } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { serveThread } from '../threads/serve-thread.ts';

export interface HtmlRequest {
  html: string;
  /** What relative links are relative to. */
  url: string;
}

export interface HtmlReply {
  /** Empty if the page has none. */
  title: string;
  text: string;
  /** Headings of the text, in order. */
  headings: HtmlHeading[];
  /** What every link of the page leads to, each once. */
  links: string[];
}

export interface HtmlHeading {
  text: string;
  depth: number;
  /** Its own, or that of the section that it begins. */
  id: string | null;
}

const MOST_LINKS = 2_000;

/** What no reader takes for the page's text. */
const ASIDE = new Set(
  'script style template noscript iframe object embed svg canvas form nav footer aside'.split(' '),
);

serveThread(({ html, url }: HtmlRequest): HtmlReply => {
  const root = unified().use(rehypeParse).parse(html);
  const title = first(root, ({ tagName }) => tagName === 'title');
  const main =
    first(root, ({ tagName, properties }) => tagName === 'main' || properties.role === 'main') ??
    first(root, ({ tagName }) => tagName === 'article') ??
    first(root, ({ tagName }) => tagName === 'body');
  const links = [...linksOf(root, url)].slice(0, MOST_LINKS);
  const tree: Root = { type: 'root', children: main?.children ?? [] };
  strip(tree, url);
  const headings = [...headingsOf(tree, null)];
  const toMarkdown = unified().use(rehypeRemark).use(remarkGfm).use(remarkStringify);
  const text = toMarkdown.stringify(toMarkdown.runSync(tree)).trim();
  return { title: title ? spaced(title) : '', text, headings, links };
});

const LONGEST_LINK = 2_000;

/** Addresses of the web, without their anchors. */
function linksOf(node: Nodes, url: string, found = new Set<string>()): Set<string> {
  if (node.type === 'element' && node.tagName === 'a') {
    const { href } = node.properties;
    if (typeof href === 'string' && URL.canParse(href, url)) {
      const link = new URL(href, url);
      link.hash = '';
      if (/^https?:$/.test(link.protocol) && link.href.length <= LONGEST_LINK) found.add(link.href);
    }
  }
  for (const child of 'children' in node ? node.children : []) linksOf(child, url, found);
  return found;
}

function* headingsOf(node: Nodes, section: string | null): Generator<HtmlHeading> {
  let above = section;
  for (const child of 'children' in node ? node.children : []) {
    if (child.type !== 'element') continue;
    const { id } = child.properties;
    const own = typeof id === 'string' && id !== '' ? id : null;
    const depth = /^h([1-6])$/.exec(child.tagName)?.[1];
    if (depth === undefined) yield* headingsOf(child, own ?? above);
    else {
      yield { text: spaced(child), depth: Number(depth), id: own ?? above };
      above = null;
    }
  }
}

/** Without the mark that leads to the heading itself. */
function spaced(element: Element): string {
  return textOf(element)
    .replace(/[\s\u200b]+/g, ' ')
    .replace(/ ?[#¶]$/, '')
    .trim();
}

function first(node: Nodes, matches: (element: Element) => boolean): Element | undefined {
  if (node.type === 'element' && matches(node)) return node;
  for (const child of 'children' in node ? node.children : []) {
    const found = first(child, matches);
    if (found) return found;
  }
  return undefined;
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** Takes out what is hidden or no text, and makes links whole. */
function strip(node: Root | Element, url: string): void {
  node.children = (node.children as Root['children']).filter(
    child =>
      child.type !== 'comment' &&
      !(child.type === 'element' && (isAside(child) || isMark(node, child))),
  ) as typeof node.children;
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    for (const name of ['href', 'src']) {
      const value = child.properties[name];
      if (typeof value !== 'string') continue;
      if (URL.canParse(value, url) && /^https?:/.test(new URL(value, url).protocol))
        child.properties[name] = new URL(value, url).href;
      else delete child.properties[name];
    }
    // An anchor, or a link to a script: its text is enough.
    if (child.tagName === 'a' && child.properties.href === undefined) child.tagName = 'span';
    strip(child, url);
  }
}

/** The link to a heading that generators put beside its text. */
function isMark(above: Root | Element, child: Element): boolean {
  return (
    above.type === 'element' &&
    /^h[1-6]$/.test(above.tagName) &&
    child.tagName === 'a' &&
    /^[\s\u200b]*[#¶§]?[\s\u200b]*$/u.test(textOf(child)) &&
    child.children.every(({ type }) => type === 'text')
  );
}

function isAside({ tagName, properties }: Element): boolean {
  const { hidden, ariaHidden, style } = properties;
  return (
    ASIDE.has(tagName) ||
    (hidden !== undefined && hidden !== null && hidden !== false) ||
    ariaHidden === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(typeof style === 'string' ? style : '')
  );
}
