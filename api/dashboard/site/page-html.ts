import { type Attributes, HTML_TAGS, type PageNode } from '../contract/page-tree.ts';
import { Html, html } from '../../html.ts';

/** Where pages and images of a site are, as addresses. */
export interface Places {
  page(path: string, hash?: string): string;
  image(file: string): string;
}

const TAGS: ReadonlySet<string> = new Set(HTML_TAGS);
const EMPTY: ReadonlySet<string> = new Set(['br', 'hr']);
/** The page has one heading of the first level: its title. */
const LOWER: Readonly<Record<string, string>> = { h1: 'h2' };

/** The nodes of a page as HTML, to be read without scripts. Names are those of closed lists. */
export function pageHtml(nodes: readonly PageNode[], places: Places): Html[] {
  return nodes.map(node => nodeHtml(node, places));
}

function nodeHtml(node: PageNode, places: Places): Html {
  if (typeof node === 'string') return html`${node}`;
  const { tag, attributes = {}, children = [], tokens } = node;
  const inside = pageHtml(children, places);
  switch (tag) {
    case 'code-block':
      return html`<pre><code>${(tokens ?? []).map(([, text]) => text).join('')}</code></pre>`;
    case 'link':
      return link(attributes, inside, places);
    case 'image':
      return image(attributes, places);
    case 'check-box':
      return html`${attributes.checked === 'true' ? '☑' : '☐'} `;
    case 'badge':
      return html`<span class="badge">${inside}</span>`;
    case 'tabs':
    case 'cards':
    case 'steps':
    case 'unknown':
      return html`<div>${inside}</div>`;
    case 'callout':
    case 'card':
    case 'tab':
    case 'step':
    case 'field':
    case 'details':
      return titled(attributes, inside, places);
    default:
      return TAGS.has(tag) ? element(tag, attributes, inside) : html`${inside}`;
  }
}

function element(name: string, attributes: Attributes, inside: Html[]): Html {
  const tag = new Html(LOWER[name] ?? name);
  const { id, title, start, colspan, rowspan } = attributes;
  const given = Object.entries({ id, title, start, colspan, rowspan });
  const written = given.map(([key, value]) =>
    value === undefined ? html`` : html` ${key}="${value}"`,
  );
  return EMPTY.has(name) ? html`<${tag}>` : html`<${tag}${written}>${inside}</${tag}>`;
}

function link(attributes: Attributes, inside: Html[], places: Places): Html {
  const { page, hash, href } = attributes;
  if (page !== undefined) return html`<a href="${places.page(page, hash)}">${inside}</a>`;
  if (href === undefined || !/^(?:https?|mailto):/.test(href)) return html`<span>${inside}</span>`;
  return html`<a href="${href}" rel="noopener noreferrer nofollow">${inside}</a>`;
}

function image({ file, href, alt = '' }: Attributes, places: Places): Html {
  if (file !== undefined)
    return html`<img src="${places.image(file)}" alt="${alt}" loading="lazy">`;
  return href === undefined ? html`${alt}` : link({ href }, [html`${alt || 'Image'}`], places);
}

function titled(attributes: Attributes, inside: Html[], places: Places): Html {
  const { title, name, page, href } = attributes;
  const text = html`${title ?? name ?? ''}`;
  const shown = (page ?? href) ? link(attributes, [text], places) : text;
  return html`<div><p><strong>${shown}</strong></p>${inside}</div>`;
}
