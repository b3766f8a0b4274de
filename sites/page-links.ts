import type { Nodes, Root } from 'mdast';
import { walk } from './markdown.ts';

/** One link of a page, as written. */
export interface PageLink {
  kind: 'link' | 'image' | 'import';
  url: string;
  /** 1-based. */
  line: number;
  /**
   * Offsets in the page's text between which `url` is written; undefined if it is escaped or
   * quoted.
   */
  range: { start: number; end: number } | undefined;
}

type JsxAttribute = Extract<Nodes, { type: 'mdxJsxFlowElement' }>['attributes'][number];

/** Links, images and imports of a page, with those in HTML and JSX attributes. */
export function pageLinks(tree: Root, text: string): PageLink[] {
  const finder = new LinkFinder(text);
  for (const node of walk(tree)) finder.visit(node);
  return finder.links;
}

class LinkFinder {
  readonly links: PageLink[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  visit(node: Nodes): void {
    const text = this.#text;
    const place = placeOf(node);
    if (node.type === 'link') {
      const afterText = placeOf(node.children.at(-1)).end || place.start;
      this.#add('link', node.url, place, afterText);
    } else if (node.type === 'definition') {
      this.#add('link', node.url, place, text.indexOf(']:', place.start));
    } else if (node.type === 'image') {
      // Behind the image may come the `](` of a link about it.
      this.#add('image', node.url, place, text.lastIndexOf('](', place.end - 1));
    } else if (node.type === 'html') {
      let from = place.start;
      for (const { lead, name, value } of htmlAddresses(node.value))
        from = this.#addAttribute(name, value, place, from, lead);
    } else if (node.type === 'mdxjsEsm') {
      let from = place.start;
      for (const [, url = ''] of node.value.matchAll(/\bfrom\s*(?:"([./][^"]*)"|'([./][^']*)')/g))
        from = this.#add('import', url, place, from);
    } else if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
      for (const attribute of node.attributes) this.#visitJsx(attribute, place);
    }
  }

  #visitJsx(attribute: JsxAttribute, element: Place): void {
    if (attribute.type !== 'mdxJsxAttribute' || !ADDRESSES.test(attribute.name)) return;
    const value =
      typeof attribute.value === 'string' ? attribute.value : literal(attribute.value?.value ?? '');
    if (value === undefined) return;
    const place = attribute.position ? placeOf(attribute) : element;
    this.#addAttribute(attribute.name, value, place, this.#text.indexOf('=', place.start));
  }

  #addAttribute(name: string, value: string, place: Place, from: number, lead = ''): number {
    if (name.toLowerCase() !== 'srcset') {
      const kind = name.toLowerCase() === 'href' ? 'link' : 'image';
      return this.#add(kind, value, place, from, lead);
    }
    const at = this.#text.indexOf(lead + value, from);
    let end = at === -1 ? this.#text.length : at + lead.length;
    for (const url of srcsetUrls(value)) end = this.#add('image', url, place, end);
    return at === -1 ? from : end;
  }

  /**
   * `lead` is what stands right before the address: `a` alone is found anywhere. Returns where to
   * look for the next one.
   */
  #add(kind: PageLink['kind'], url: string, place: Place, from: number, lead = ''): number {
    const text = this.#text;
    const at = url === '' ? -1 : text.indexOf(lead + url, from);
    const end = at + lead.length + url.length;
    const range = at === -1 || end > place.end ? undefined : { start: at + lead.length, end };
    const line = range ? lineAt(text, range.start, place) : place.line;
    this.links.push({ kind, url, line, range });
    return range?.end ?? from;
  }
}

/**
 * What looks like a link's address in a page's text, without parsing it: 1,000 pages in 50 ms,
 * where parsing takes 12 s. Code is not told apart; addresses elsewhere are left out. Tells which
 * pages are worth parsing.
 */
export function likelyLinks(text: string): string[] {
  return [...text.matchAll(LIKELY)]
    .flatMap(([, ...groups]) =>
      groups.at(-1) === undefined
        ? (groups.find(group => group !== undefined) ?? '')
        : srcsetUrls(groups.at(-1) ?? ''),
    )
    .filter(url => url !== '' && !/^[a-z][a-z\d+.-]*:/i.test(url));
}

const LIKELY = new RegExp(
  [
    /\]\(\s*(?:<([^>\n]+)>|([^)\s]+))/, // [text](url)
    // [name]: url, also in a list, a quote or a footnote
    /^[ \t>*+\-\d.)]*(?:\[\^[^\]]+\]:\s*)?\[[^\]]+\]:\s*<?([^\s>]+)/,
    /\b(?:href|src|poster)\s*=\s*(?:\{\s*)?(?:["'`]([^"'`]+)|([^\s"'`<>{}]+))/,
    /\bfrom\s*["']([./][^"']+)/,
    /\bsrcset\s*=\s*(?:\{\s*)?["'`]([^"'`]+)/, // last: its group holds several
  ]
    .map(pattern => pattern.source)
    .join('|'),
  'gim',
);

/** Attributes that hold an address. */
const ADDRESSES = /^(?:href|src|poster|srcset)$/i;

/**
 * The attributes with an address in raw HTML: `lead` is the attribute as written up to its value.
 * Without quotes only where a tag ends behind.
 */
function htmlAddresses(html: string): { name: string; value: string; lead: string }[] {
  const pattern =
    /\s(href|src|poster|srcset)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`{}]+)(?=[^<>]{0,2000}>))/gi;
  return Array.from(html.matchAll(pattern), ([written, name = '', ...values]) => {
    const value = values.find(one => one !== undefined) ?? '';
    return { name, value, lead: written.slice(1, written.lastIndexOf(value)) };
  });
}

/** The text that an expression is, or undefined if it has to be computed. */
function literal(expression: string): string | undefined {
  return /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*$/
    .exec(expression)
    ?.slice(1)
    .find(one => one !== undefined);
}

/** `a.png 1x, b.png 2x`: the addresses. */
export function srcsetUrls(value: string): string[] {
  return value
    .split(/,\s+|(?<=\s[\d.]+[wxh]),/)
    .map(one => one.trim().split(/\s/)[0] ?? '')
    .filter(url => url !== '');
}

interface Place {
  start: number;
  end: number;
  line: number;
}

function placeOf(node: { position?: Root['position'] } | undefined): Place {
  return {
    start: node?.position?.start.offset ?? 0,
    end: node?.position?.end.offset ?? 0,
    line: node?.position?.start.line ?? 1,
  };
}

function lineAt(text: string, offset: number, place: Place): number {
  return place.line + text.slice(place.start, offset).split('\n').length - 1;
}
