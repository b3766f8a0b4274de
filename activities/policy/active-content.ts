import { posix } from 'node:path';
import type { Program } from 'estree';
import type { Nodes } from 'mdast';
import { parsePage, walk } from '../../shared/site/markdown.ts';
import { rememberByContent } from '../content-cache.ts';
import { isHarmless, textsOf } from './harmless.ts';
import type { PolicyRule } from './violation.ts';

/**
 * Something in a page that runs, or that loads from elsewhere. Two with the same key are the same
 * thing.
 */
export interface ActiveItem {
  rule: Extract<PolicyRule, 'mdx-code' | 'script' | 'embed'>;
  key: string;
  /** What it is, for people: `an import`. */
  what: string;
  /** 1-based. */
  line: number;
}

type Attributes = [name: string, value: string][];

const SCRIPT_ELEMENTS = /^(?:script|style|link|meta|base|noscript|template)$/;
const SCRIPT_COMPONENTS = /^(?:script|head|helmet)$/i;
const EMBED_ELEMENTS = /^(?:iframe|object|embed|frame|frameset|applet|portal|fencedframe)$/;
const EMBED_COMPONENTS = /^(?:iframe|object|embed)$/i;
const MEDIA_ELEMENTS = /^(?:video|audio|source|track|form|button|input)$/;
const ADDRESS_ATTRIBUTES =
  /^(?:href|src|srcset|data|action|formaction|poster|xlink:href|xlinkhref|to|url|code|codebase)$/i;
const HTML_ATTRIBUTES = /^(?:dangerouslysetinnerhtml|srcdoc|set:html|v-html|innerhtml)$/i;

/** Everything active in a page or SVG file. MDX that cannot be parsed is judged line by line. */
export const activeItems = rememberByContent(findActiveItems, 2_000);

function findActiveItems(path: string, text: string): ActiveItem[] {
  // Parsing takes 10 ms a page and up; most pages contain nothing active.
  if (!/[<{]|\b(?:import|export)\b|^head\s*:|(?:script|data)\s*(?::|&)/im.test(text)) return [];
  if (/\.svg$/i.test(path)) return htmlItems(text, 1);
  const page = parsePage(path, text);
  const items: ActiveItem[] =
    page.error && page.error.rule !== 'frontmatter' ? lineItems(text) : [];
  for (const node of walk(page.tree)) items.push(...nodeItems(node, path, text));
  if (page.frontmatter.head !== undefined) {
    items.push({
      rule: 'script',
      key: `head ${JSON.stringify(page.frontmatter.head)}`,
      what: "a frontmatter member `head`, which puts elements into the page's head",
      line: 1,
    });
  }
  return items;
}

function nodeItems(node: Nodes, path: string, text: string): ActiveItem[] {
  const line = node.position?.start.line ?? 1;
  switch (node.type) {
    case 'mdxjsEsm':
      return statements(node.data?.estree, path, text, line);
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      return isHarmless(node.data?.estree)
        ? []
        : [{ rule: 'mdx-code', key: `{${squeeze(node.value)}}`, what: 'an expression', line }];
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return [
        ...jsxExpressions(node, line),
        ...elementItems(node.name ?? '', literalAttributes(node), line),
      ];
    case 'html':
      return htmlItems(node.value, line);
    case 'link':
    case 'image':
    case 'definition':
      return isScriptAddress(node.url)
        ? [{ rule: 'script', key: squeeze(node.url), what: 'a link that runs a script', line }]
        : [];
    case 'paragraph': {
      // Some generators compile `.md` as MDX too, where a paragraph that reads like this is a
      // program.
      const source = text.slice(node.position?.start.offset, node.position?.end.offset);
      return ESM.test(source) && !/\.mdx$/i.test(path)
        ? [{ rule: 'mdx-code', key: squeeze(source), what: 'an import or export', line }]
        : [];
    }
    default:
      return [];
  }
}

/**
 * One item a statement; a relative import is known by the file it names, so that a moved page
 * brings nothing new.
 */
function statements(
  program: Program | null | undefined,
  path: string,
  text: string,
  firstLine: number,
): ActiveItem[] {
  return (program?.body ?? []).map(statement => {
    const { start = 0, end = 0 } = statement as { start?: number; end?: number };
    const source = squeeze(text.slice(start, end)).replace(
      /(["'])(\.\.?\/[^"']*)\1/,
      (_, quote: string, file: string) => quote + posix.join(posix.dirname(path), file) + quote,
    );
    const what = statement.type === 'ImportDeclaration' ? 'an import' : 'an export';
    return { rule: 'mdx-code', key: source, what, line: statement.loc?.start.line ?? firstLine };
  });
}

/** How an import or export of a module begins. */
const ESM = new RegExp(
  [
    String.raw`^import\s*(?:["'{*]|[\w$]+(?:\s*,[^;]*?)?\s+from\s*["'])`,
    String.raw`^export\s+(?:default|const|let|var|function|async|class|\*|\{)`,
  ].join('|'),
);

type JsxNode = Extract<Nodes, { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }>;

function jsxExpressions(node: JsxNode, line: number): ActiveItem[] {
  const items: ActiveItem[] = [];
  for (const attribute of node.attributes) {
    if (attribute.type === 'mdxJsxExpressionAttribute')
      items.push({
        rule: 'mdx-code',
        key: `{${squeeze(attribute.value)}}`,
        what: 'an expression',
        line,
      });
    else if (
      typeof attribute.value === 'object' &&
      attribute.value !== null &&
      !isHarmless(attribute.value.data?.estree)
    ) {
      items.push({
        rule: 'mdx-code',
        key: `${attribute.name}={${squeeze(attribute.value.value)}}`,
        what: `an expression in attribute ${attribute.name}`,
        line,
      });
    }
  }
  return items;
}

function literalAttributes(node: JsxNode): Attributes {
  return node.attributes.flatMap((attribute): Attributes => {
    if (attribute.type !== 'mdxJsxAttribute') return [];
    if (typeof attribute.value === 'string') return [[attribute.name, attribute.value]];
    const texts = textsOf(attribute.value?.data?.estree);
    return texts.length === 0
      ? [[attribute.name, '']]
      : texts.map(value => [attribute.name, value]);
  });
}

function elementItems(name: string, attributes: Attributes, line: number): ActiveItem[] {
  const items: ActiveItem[] = [];
  const isComponent = /^[A-Z]/.test(name) || name.includes('.');
  const add = (rule: ActiveItem['rule'], what: string, detail: string): void => {
    items.push({ rule, key: `${name} ${squeeze(detail)}`, what, line });
  };
  const addresses = attributes
    .filter(([attribute]) => ADDRESS_ATTRIBUTES.test(attribute))
    .map(([, value]) => value);
  if ((isComponent ? SCRIPT_COMPONENTS : SCRIPT_ELEMENTS).test(name))
    add('script', `an element <${name}>`, attributes.flat().join(' '));
  const isEmbed = (isComponent ? EMBED_COMPONENTS : EMBED_ELEMENTS).test(name);
  if (isEmbed && (addresses.length === 0 || addresses.some(isRemote)))
    add('embed', `an embed <${name}>`, addresses.join(' '));
  else if (MEDIA_ELEMENTS.test(name.toLowerCase()) && addresses.some(isRemote))
    add('embed', `a remote <${name}>`, addresses.join(' '));
  for (const [attribute, value] of attributes) {
    if (isComponent ? /^on[A-Z]/.test(attribute) : /^on[a-z]/i.test(attribute))
      add('script', `an event handler ${attribute}`, `${attribute}=${value}`);
    if (HTML_ATTRIBUTES.test(attribute))
      add('script', `an attribute ${attribute}`, `${attribute}=${value}`);
    if (isScriptAddress(value))
      add('script', `a script in attribute ${attribute}`, `${attribute}=${value}`);
  }
  return items;
}

/** Tags of raw HTML, also in comments: readers disagree on where those end. */
function htmlItems(html: string, firstLine: number): ActiveItem[] {
  const items: ActiveItem[] = [];
  for (const match of html.matchAll(/<([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^>"'])*)/gi)) {
    const attributes: Attributes = [
      ...(match[2] ?? '').matchAll(/([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g),
    ].map(([, name = '', double, single, bare]) => [
      name,
      decodeEntities(double ?? single ?? bare ?? ''),
    ]);
    items.push(
      ...elementItems(
        (match[1] ?? '').toLowerCase().replace(/^.*:/, ''),
        attributes,
        firstLine + html.slice(0, match.index).split('\n').length - 1,
      ),
    );
  }
  return items;
}

const MAY_BE_CODE = new RegExp(
  [
    String.raw`^\s*(?:import|export)\b`,
    '[{}]',
    String.raw`<(?:script|iframe|object|embed|style)\b`,
    String.raw`\son\w+\s*=`,
    '(?:java|vb)script',
    'data:',
  ].join('|'),
  'i',
);

/** If the parser gives up, nothing is known to be harmless: each line that may be code counts. */
function lineItems(text: string): ActiveItem[] {
  return text.split('\n').flatMap((line, index) =>
    MAY_BE_CODE.test(line)
      ? [
          {
            rule: 'mdx-code' as const,
            key: squeeze(line),
            what: 'a line that may be code, in a page that cannot be parsed',
            line: index + 1,
          },
        ]
      : [],
  );
}

function isRemote(address: string): boolean {
  return /^\s*(?:[a-z][a-z\d+.-]*:|\/\/|\\\\)/i.test(address);
}

const SCRIPT_SCHEME =
  /^(?:javascript:|vbscript:|data:(?:text\/html|image\/svg|application\/xhtml|text\/xml))/i;

function isScriptAddress(address: string): boolean {
  // Browsers drop these characters before they read the scheme.
  const scheme = address.replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\ufeff]/g, '');
  return SCRIPT_SCHEME.test(scheme);
}

function decodeEntities(value: string): string {
  return value
    .replace(/&#(x?)([\da-f]+);?/gi, (_, hex: string, digits: string) =>
      String.fromCodePoint(Math.min(parseInt(digits, hex === '' ? 10 : 16) || 0, 0x10ffff)),
    )
    .replace(
      /&(?:colon|Tab|NewLine|lpar|rpar);/g,
      entity =>
        ({ '&colon;': ':', '&Tab;': '\t', '&NewLine;': '\n', '&lpar;': '(', '&rpar;': ')' })[
          entity
        ] ?? entity,
    );
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
