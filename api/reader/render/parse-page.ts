import type { Element, Nodes as HastNodes } from 'hast';
import { raw } from 'hast-util-raw';
import type { Nodes, Root } from 'mdast';
import { directiveFromMarkdown } from 'mdast-util-directive';
import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx';
import { type Handlers, type State, toHast } from 'mdast-util-to-hast';
import { directive } from 'micromark-extension-directive';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { tooComplex } from '../../../sites/complexity.ts';
import { boundedMdx } from '../../../sites/mdx.ts';
import { withDirectives } from './containers.ts';

/** The element that a box such as `:::note` becomes; what a page writes itself is not it. */
export const BOX = 'docent-box';

const parsers = {
  markdown: unified().use(remarkParse).use(remarkGfm).use(containers).freeze(),
  mdx: unified().use(remarkParse).use(remarkGfm).use(boundedMdx).use(containers).freeze(),
};

export interface ParsedPage {
  root: HastNodes;
  /** Why it is shown otherwise than it is meant, as a sentence. */
  problem: string | null;
}

/** The body of a page, without its front matter, as elements. Nothing in it is run. */
export function parseBody(body: string, syntax: 'markdown' | 'mdx'): ParsedPage {
  const text = withDirectives(body);
  if (syntax === 'markdown') return markdown(text);
  try {
    const tree = tooComplex(text, 'mdx')?.tree ?? parsers.mdx.parse(text);
    return { root: toHast(tree, { handlers: HANDLERS }), problem: null };
  } catch {
    const { root, problem } = markdown(text);
    return { root, problem: problem ?? 'This page is not valid MDX. It is shown as Markdown.' };
  }
}

function markdown(text: string): ParsedPage {
  const refusal = tooComplex(text);
  const tree: Root = refusal?.tree ?? parsers.markdown.parse(text);
  const root = raw(toHast(tree, { handlers: HANDLERS, allowDangerousHtml: true }));
  return { root, problem: refusal ? refusal.message : null };
}

/** Boxes only: in text, `:name` is more often a time or an address than a directive. */
function containers(this: Processor): void {
  const box = directive().flow?.[58];
  const [container] = Array.isArray(box) ? box : [];
  if (!container) throw new Error('the parser of directives has no containers');
  const data = this.data();
  (data.micromarkExtensions ??= []).push({ flow: { 58: container } });
  (data.fromMarkdownExtensions ??= []).push(directiveFromMarkdown());
}

const element = (
  tagName: string,
  properties: Record<string, string>,
  children: Element['children'],
) => ({ type: 'element', tagName, properties, children }) satisfies Element;

const HANDLERS: Handlers = {
  mdxJsxFlowElement: jsx,
  mdxJsxTextElement: jsx,
  mdxFlowExpression: (_state, { value }: { value: string }) => expression(value),
  mdxTextExpression: (_state, { value }: { value: string }) => expression(value),
  mdxjsEsm: () => undefined,
  // What stands behind the language must outlast the parser of HTML, which keeps only attributes.
  code: (
    _state,
    { lang, meta, value }: { lang?: string | null; meta?: string | null; value: string },
  ) =>
    element('pre', {}, [
      element(
        'code',
        { ...(lang && { 'data-language': lang }), ...(meta && { 'data-meta': meta }) },
        [{ type: 'text', value: `${value}\n` }],
      ),
    ]),
  containerDirective(state, node: Nodes & { type: 'containerDirective' }) {
    const [first, ...others] = node.children;
    const isLabel = first?.type === 'paragraph' && first.data?.directiveLabel === true;
    const title = isLabel ? state.all(first) : [];
    const body = { ...node, children: isLabel ? others : node.children };
    return element(BOX, { name: node.name, ...(node.attributes?.['open'] && { open: 'true' }) }, [
      element('docent-title', {}, title),
      ...state.all(body),
    ]);
  },
};

/** Attributes that are text, or an expression that is one literal; of others only the name goes. */
function jsx(state: State, node: MdxJsxFlowElement | MdxJsxTextElement) {
  const children = state.all(node);
  if (node.name === null) return element('docent-fragment', {}, children);
  const properties: Record<string, string> = {};
  for (const attribute of node.attributes) {
    if (attribute.type !== 'mdxJsxAttribute') continue;
    const value = literal(attribute.value);
    if (value !== undefined) properties[attribute.name.toLowerCase()] = value;
  }
  return element(node.name, properties, children);
}

function literal(value: MdxJsxFlowElement['attributes'][number]['value']): string | undefined {
  if (value === null || value === undefined) return 'true';
  if (typeof value === 'string') return value;
  const code = value.value.trim();
  if (/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(code)) return code;
  // Of a list, the component that draws it reads the texts.
  return /^\[[\s\S]{0,2000}\]$/.test(code) ? code : textLiteral(code);
}

function textLiteral(code: string): string | undefined {
  const [, , text] = /^(["'`])((?:(?!\1)[^\\$])*)\1$/s.exec(code) ?? [];
  return text;
}

/** A comment is nothing, a text is text; code is shown, never run. */
function expression(value: string) {
  const code = value.trim();
  if (code === '' || /^\/\*(?:(?!\*\/)[\s\S])*\*\/$/.test(code)) return undefined;
  const text = textLiteral(code);
  if (text !== undefined) return { type: 'text' as const, value: text };
  return element('code', {}, [{ type: 'text', value: `{${code}}` }]);
}
