import { type Coloured, common, createLowlight } from './lowlight.mjs';
import type { CodeToken, TokenKind } from '../../dashboard/contract/page-tree.ts';

/** Characters of a block; a longer one has no colours. */
const LONGEST = 50_000;

const lowlight = createLowlight(common);

/** The classes of highlight.js that have a colour. */
const KINDS: Readonly<Record<string, TokenKind>> = {
  'hljs-keyword': 'keyword',
  'hljs-built_in': 'keyword',
  'hljs-literal': 'keyword',
  'hljs-type': 'keyword',
  'hljs-selector-tag': 'keyword',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-symbol': 'string',
  'hljs-addition': 'string',
  'hljs-number': 'number',
  'hljs-comment': 'comment',
  'hljs-quote': 'comment',
  'hljs-title': 'name',
  'hljs-name': 'name',
  'hljs-attr': 'name',
  'hljs-attribute': 'name',
  'hljs-section': 'name',
  'hljs-property': 'name',
  'hljs-variable': 'name',
  'hljs-meta': 'meta',
  'hljs-deletion': 'meta',
};

/** The pieces of a code block, by what they are. */
export function highlight(code: string, language: string | undefined): CodeToken[] {
  const name = language?.toLowerCase() ?? '';
  if (code.length > LONGEST || !lowlight.registered(name)) return [['plain', code]];
  const tokens: CodeToken[] = [];
  collect(lowlight.highlight(name, code), 'plain', tokens);
  return tokens;
}

function collect(node: Coloured, kind: TokenKind, tokens: CodeToken[]): void {
  if (node.type === 'text') {
    const last = tokens.at(-1);
    if (last?.[0] === kind) last[1] += node.value ?? '';
    else tokens.push([kind, node.value ?? '']);
    return;
  }
  const names = Array.isArray(node.properties?.className) ? node.properties.className : [];
  const own = names.map(name => KINDS[String(name)]).find(found => found !== undefined) ?? kind;
  for (const child of node.children ?? []) collect(child as Coloured, own, tokens);
}
