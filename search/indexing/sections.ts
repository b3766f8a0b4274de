import { trailingBraces, withoutBraces } from '../../sites/outline/page-outline.ts';
import GithubSlugger from 'github-slugger';
import type { Heading, Nodes, Root } from 'mdast';
import type { Section } from '../../db/search/index-page.ts';

/**
 * Characters of a section's text. A longer one continues in a further section under the same
 * heading: pages of 100,000 characters exist, prompts for them do not.
 */
const LONGEST = 6_000;
/** Anything longer is a mistake, not a heading. */
const LONGEST_HEADING = 300;
/** Components say things in these attributes: a card's title, a parameter's name and type. */
export const SPOKEN = [
  'title',
  'label',
  'name',
  'body',
  'query',
  'header',
  'path',
  'type',
  'default',
  'description',
  'summary',
  'caption',
  'tip',
  'alt',
];

/** The anchor of the next heading, and its text without marks; asked once for each, in order. */
export type AnchorOf = (
  written: string,
  depth: number,
) => { anchor: string | null; heading: string };

/** As GitHub makes them; `{#id}` behind a heading wins. */
function githubAnchors(): AnchorOf {
  const slugger = new GithubSlugger();
  return written => {
    const named = /^\{#([\w-]+)\}$/.exec(trailingBraces(written))?.[1];
    const heading = named === undefined ? written : withoutBraces(written);
    return { heading, anchor: named ?? slugger.slug(heading.replaceAll('`', '')) };
  };
}

/**
 * A page's texts by heading, in order, components' texts included; sections that hold no text are
 * left out.
 */
export function pageSections(
  tree: Root,
  title: string,
  anchorOf: AnchorOf = githubAnchors(),
): Section[] {
  const writer = new SectionWriter(title, anchorOf);
  writer.block(tree);
  return writer.sections.filter(section => section.text !== '');
}

class SectionWriter {
  readonly sections: Section[] = [];
  readonly #title: string;
  readonly #anchorOf: AnchorOf;
  /** Headings above the present place, with their depths. */
  #above: { depth: number; heading: string }[] = [];

  constructor(title: string, anchorOf: AnchorOf) {
    this.#title = title;
    this.#anchorOf = anchorOf;
    this.#open(null, title, []);
  }

  block(node: Nodes, marker = ''): void {
    switch (node.type) {
      case 'heading':
        return this.#heading(node);
      case 'code':
        return this.#add(node.value, 'code', piece => `\`\`\`${node.lang ?? ''}\n${piece}\n\`\`\``);
      case 'table':
        return this.#add(
          node.children.map(row => `| ${row.children.map(inline).join(' | ')} |`).join('\n'),
          'prose',
        );
      case 'list':
        for (const [i, item] of node.children.entries())
          this.block(item, node.ordered ? `${(node.start ?? 1) + i}. ` : '- ');
        return;
      case 'html':
        return this.#add(node.value.replace(/<!--.*?-->|<[^>]*>/gs, ' ').trim(), 'prose');
      case 'mdxJsxFlowElement':
        this.#add(spoken(node), 'prose');
        return this.#children(node, marker);
      case 'root':
      case 'listItem':
      case 'blockquote':
      case 'footnoteDefinition':
        return this.#children(node, marker);
      case 'yaml':
      case 'mdxjsEsm':
      case 'mdxFlowExpression':
      case 'definition':
      case 'thematicBreak':
        return;
      default:
        return this.#add(`${marker}${inline(node)}`, 'prose');
    }
  }

  /** A list item's marker stands before its first child. */
  #children(node: { children: Nodes[] }, marker: string): void {
    for (const [i, child] of node.children.entries()) this.block(child, i === 0 ? marker : '');
  }

  #heading(node: Heading): void {
    const { heading, anchor } = this.#anchorOf(inline(node).trim(), node.depth);
    // The page's own title, repeated as its first line, is the page's top.
    if (node.depth === 1 && heading === this.#title) return this.#open(null, heading, []);
    this.#above = this.#above.filter(above => above.depth < node.depth);
    this.#open(
      anchor,
      heading,
      this.#above.map(above => above.heading),
    );
    this.#above.push({ depth: node.depth, heading: heading.slice(0, LONGEST_HEADING) });
  }

  #open(anchor: string | null, heading: string, crumbs: string[]): void {
    this.sections.push({
      anchor,
      heading: heading.replaceAll('`', '').slice(0, LONGEST_HEADING),
      crumbs,
      prose: '',
      code: '',
      text: '',
    });
  }

  #add(content: string, kind: 'prose' | 'code', show = (piece: string) => piece): void {
    if (content.trim() === '') return;
    for (const piece of pieces(content)) {
      const section = this.#sectionFor(piece);
      section[kind] += `${piece}\n`;
      section.text += `${section.text === '' ? '' : '\n\n'}${show(piece)}`;
    }
  }

  #sectionFor(piece: string): Section {
    const last = this.sections.at(-1)!;
    if (last.text === '' || last.text.length + piece.length <= LONGEST) return last;
    this.#open(last.anchor, last.heading, last.crumbs);
    return this.sections.at(-1)!;
  }
}

/** The text of a node as a reader sees it; code spans keep their ticks. */
function inline(node: Nodes): string {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'inlineCode':
      return `\`${node.value}\``;
    case 'break':
      return '\n';
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'mdxJsxTextElement':
    case 'mdxJsxFlowElement':
      return `${spoken(node)} ${node.children.map(inline).join('')}`.trim();
    default:
      return 'children' in node ? node.children.map(inline).join('') : '';
  }
}

function spoken(node: Extract<Nodes, { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }>): string {
  return node.attributes
    .filter(attribute => attribute.type === 'mdxJsxAttribute' && SPOKEN.includes(attribute.name))
    .map(attribute => (typeof attribute.value === 'string' ? attribute.value : ''))
    .filter(value => value !== '')
    .join(' ');
}

/** A text in parts of at most `LONGEST` characters, cut at line ends if there are any. */
function pieces(content: string): string[] {
  const parts: string[] = [];
  let rest = content;
  while (rest.length > LONGEST) {
    const lineEnd = rest.lastIndexOf('\n', LONGEST);
    const cut = lineEnd > LONGEST / 2 ? lineEnd : LONGEST;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...parts, rest];
}
