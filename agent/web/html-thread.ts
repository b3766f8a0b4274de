import type { Element, Nodes, Root } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { serveThread } from '../../shared/threads/serve-thread.ts';

export interface HtmlRequest {
  html: string;
  /** What relative links are relative to. */
  url: string;
}

export interface HtmlReply {
  /** Empty if the page has none. */
  title: string;
  text: string;
}

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
  const tree: Root = { type: 'root', children: main?.children ?? [] };
  strip(tree, url);
  const toMarkdown = unified().use(rehypeRemark).use(remarkGfm).use(remarkStringify);
  const text = toMarkdown.stringify(toMarkdown.runSync(tree)).trim();
  return { title: title ? textOf(title).replace(/\s+/g, ' ').trim() : '', text };
});

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
    child => child.type !== 'comment' && !(child.type === 'element' && isAside(child)),
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

function isAside({ tagName, properties }: Element): boolean {
  const { hidden, ariaHidden, style } = properties;
  return (
    ASIDE.has(tagName) ||
    (hidden !== undefined && hidden !== null && hidden !== false) ||
    ariaHidden === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(typeof style === 'string' ? style : '')
  );
}
