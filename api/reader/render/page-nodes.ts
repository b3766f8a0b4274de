import type { Element, ElementContent, Nodes, Root } from 'hast';
import {
  type Attributes,
  HTML_TAGS,
  type PageElement,
  type PageNode,
  type PageTag,
} from '../../dashboard/contract/page-tree.ts';
import {
  component,
  isComponent,
  textOfNodes,
  type Properties,
  unknownComponent,
} from './components.ts';
import { highlight } from './highlight.ts';
import type { Links } from './links.ts';
import { BOX } from './parse-page.ts';

/** Levels of elements; what is deeper is left out. */
const DEEPEST = 100;
/** Elements whose text is code, or that are controls: nothing of them is shown. */
const DROPPED = new Set(
  'script style template noscript head title meta link base svg math object select option canvas map area param source track input'.split(
    ' ',
  ),
);
/** What they embed is not loaded: a link to it is shown. */
const EMBEDS = new Set(['iframe', 'video', 'audio', 'embed', 'frame']);
/** Elements with a meaning of their own that are drawn as another one. */
const ALIASES: ReadonlyMap<string, PageTag> = new Map<string, PageTag>(
  Object.entries({
    b: 'strong',
    i: 'em',
    cite: 'em',
    dfn: 'em',
    var: 'code',
    samp: 'code',
    tt: 'code',
    s: 'del',
    strike: 'del',
    u: 'ins',
    tfoot: 'tbody',
    menu: 'ul',
  }),
);
const TRANSPARENT = new Set(
  'docent-fragment section article main header footer nav hgroup picture center font body html form label fieldset legend button textarea address a-z'.split(
    ' ',
  ),
);
const TAGS: ReadonlySet<string> = new Set(HTML_TAGS);
/** Within these a line break between elements is a space. */
const PHRASING = new Set(
  'p h1 h2 h3 h4 h5 h6 span a em strong b i del ins s u code kbd td th dt dd li summary small mark'.split(
    ' ',
  ),
);
const CODE = new Set(['code', 'kbd', 'samp', 'tt', 'var']);
/** Icons and emoji by their names, such as `:material-check:{ .green }`: readers see pictures. */
const SHORTCODE = /(?<=^|[\s(])(?::[a-z][a-z\d_+-]{1,60}:)(?:\{[^{}\n]{0,100}\})?(?=$|[\s).,!?])/g;
const INLINE: ReadonlySet<PageTag> = new Set<PageTag>(
  'span br strong em del ins mark code kbd sub sup small abbr link image check-box badge'.split(
    ' ',
  ) as PageTag[],
);

/** Elements of HTML and components as the closed list has them. */
export function pageNodes(root: Nodes, links: Links): PageNode[] {
  return childrenOf(root as Root, links, 0);
}

function childrenOf(parent: Root | Element, links: Links, depth: number): PageNode[] {
  if (depth > DEEPEST) return [];
  const keepsSpace = parent.type === 'element' && PHRASING.has(parent.tagName);
  const isCode = parent.type === 'element' && CODE.has(parent.tagName);
  const nodes: PageNode[] = [];
  for (const child of parent.children) {
    if (child.type === 'text') {
      if (!keepsSpace && child.value.includes('\n') && child.value.trim() === '') continue;
      const text = isCode ? child.value : child.value.replace(SHORTCODE, '');
      if (typeof nodes.at(-1) === 'string') nodes.push((nodes.pop() as string) + text);
      else nodes.push(text);
    } else if (child.type === 'element') nodes.push(...elementNodes(child, links, depth));
  }
  return nodes;
}

function elementNodes(element: Element, links: Links, depth: number): PageNode[] {
  const name = element.tagName.toLowerCase();
  if (name === 'input') return checkBox(element);
  if (DROPPED.has(name)) return [];
  const properties = propertiesOf(element);
  if (EMBEDS.has(name)) return embed(name, properties, links);
  if (name === 'pre') return [codeBlock(element)];
  if (name === 'img') return [image(properties, links)];
  const children = childrenOf(element, links, depth + 1);
  if (name === BOX) return box(properties, children, links);
  if (name === 'docent-title') return [{ tag: 'span', attributes: { kind: 'title' }, children }];
  if (name === 'summary') return [{ tag: 'span', attributes: { kind: 'summary' }, children }];
  if (name === 'a') return link(properties, children, links);
  if (name === 'p') return paragraph(children);
  const tag = ALIASES.get(name) ?? (TAGS.has(name) ? (name as PageTag) : undefined);
  if (tag !== undefined) return [html(tag, properties, children)];
  const drawn = component(name, properties, children, links);
  if (drawn) return drawn;
  return TRANSPARENT.has(name)
    ? children
    : [unknownComponent(element.tagName, children, properties)];
}

/** Attributes as texts, their names in lower case. Other values are left out. */
function propertiesOf({ properties }: Element): Properties {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(properties ?? {})) {
    const text = Array.isArray(value) ? value.join(' ') : value;
    if (typeof text === 'string' || typeof text === 'number') texts[name.toLowerCase()] = `${text}`;
    else if (text === true) texts[name.toLowerCase()] = 'true';
  }
  return texts;
}

const COPIED: Readonly<Partial<Record<PageTag, readonly (keyof Attributes)[]>>> = {
  ol: ['start'],
  td: ['align', 'colspan', 'rowspan'],
  th: ['align', 'colspan', 'rowspan'],
  abbr: ['title'],
};

function html(tag: PageTag, properties: Properties, children: PageNode[]): PageElement {
  const attributes: Attributes = {};
  const { id } = properties;
  if (id) attributes.id = id;
  for (const name of COPIED[tag] ?? []) {
    const value = properties[name];
    if (value !== undefined) attributes[name] = value;
  }
  return { tag, ...(Object.keys(attributes).length > 0 && { attributes }), children };
}

/** A component within a paragraph stands by itself. */
function paragraph(children: PageNode[]): PageNode[] {
  // MDX puts a summary that is written in one line into a paragraph.
  const isBlock = (node: PageNode) =>
    typeof node === 'object' && (!INLINE.has(node.tag) || node.attributes?.kind === 'summary');
  if (!children.some(isBlock)) return [{ tag: 'p', children }];
  const nodes: PageNode[] = [];
  let line: PageNode[] = [];
  const endLine = () => {
    if (line.some(node => typeof node === 'object' || node.trim() !== ''))
      nodes.push({ tag: 'p', children: line });
    line = [];
  };
  for (const child of children) {
    if (!isBlock(child)) line.push(child);
    else {
      endLine();
      nodes.push(child);
    }
  }
  endLine();
  return nodes;
}

function link(properties: Properties, children: PageNode[], links: Links): PageNode[] {
  const { href, id, name, title } = properties;
  const anchor = id ?? name;
  if (href === undefined)
    return [{ tag: 'span', ...(anchor && { attributes: { id: anchor } }), children }];
  const attributes = { ...links.to(href), ...(title && { title }), ...(anchor && { id: anchor }) };
  return [{ tag: 'link', attributes, children }];
}

function image({ src, alt, title, width }: Properties, links: Links): PageElement {
  const isSize = /^\d{1,4}(?:px)?$/.test(width ?? '');
  return {
    tag: 'image',
    attributes: {
      ...links.image(src ?? ''),
      alt: alt ?? '',
      ...(title && { title }),
      ...(isSize && { width: String(Number.parseInt(width ?? '', 10)) }),
    },
  };
}

function embed(name: string, { src, title }: Properties, links: Links): PageNode[] {
  if (!src) return [];
  return [
    { tag: 'link', attributes: { ...links.to(src), kind: 'embed' }, children: [title ?? name] },
  ];
}

function checkBox({ properties }: Element): PageNode[] {
  if (properties['type'] !== 'checkbox') return [];
  const isChecked = properties['checked'] === true || properties['checked'] === '';
  return [{ tag: 'check-box', attributes: { checked: String(isChecked) } }];
}

/** `:::name[Title]`; a box of an unknown name shows it. */
function box({ name = '', open }: Properties, children: PageNode[], links: Links): PageNode[] {
  const [title, ...body] = children;
  const text = typeof title === 'object' ? textOfNodes([title]) : '';
  const properties = { ...(text && { title: text }), ...(open && { open }) };
  const known = name.toLowerCase();
  if (!isComponent(known)) return [unknownComponent(text || name, body)];
  return component(known, properties, body, links) ?? [];
}

function codeBlock(pre: Element): PageElement {
  const code = pre.children.find(child => child.type === 'element' && child.tagName === 'code');
  const text = textOf(code ?? pre).replace(/\n$/, '');
  const properties = code?.type === 'element' ? propertiesOf(code) : {};
  const written = properties['data-language'] ?? properties['datalanguage'];
  const language = written ?? /(?:^| )language-(\S+)/.exec(properties['classname'] ?? '')?.[1];
  const meta = properties['data-meta'] ?? properties['datameta'];
  const title = titleOf(meta ?? '');
  return {
    tag: 'code-block',
    attributes: { ...(language && { language }), ...(title && { title }) },
    tokens: highlight(text, language),
  };
}

/** ```` ```js title="a.js" ````, ```` ```js [a.js] ````, ```` ```js a.js ````. */
function titleOf(meta: string): string | undefined {
  const [, , quoted] = /\b(?:title|filename|name)\s*=\s*(["'])(.*?)\1/.exec(meta) ?? [];
  if (quoted) return quoted;
  const bracketed = /\[([^\]]+)\]/.exec(meta)?.[1];
  if (bracketed) return bracketed;
  const plain = meta.replace(/\{[^}]*\}/g, '').trim();
  return /^[\w./ +-]{1,80}$/.test(plain) && !/=|^(?:wrap|lines|expandable)\b/.test(plain)
    ? plain
    : undefined;
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}
