import { common, createLowlight } from 'lowlight';
import type { CodeToken, TokenKind } from '../../../../api/dashboard/contract/page-tree.ts';

/** What the thread is asked: pieces of source in one language. */
export interface HighlightRequest {
  id: number;
  language: string;
  texts: string[];
}
/** By text and line. */
export interface HighlightAnswer {
  id: number;
  lines: CodeToken[][][];
}

const lowlight = createLowlight(common);

const KINDS: readonly [RegExp, TokenKind][] = [
  [/^hljs-(?:keyword|built_in|literal|type|selector-\w+|section|bullet)$/, 'keyword'],
  [/^hljs-(?:string|regexp|symbol|addition|link|code)$/, 'string'],
  [/^hljs-number$/, 'number'],
  [/^hljs-(?:comment|quote)$/, 'comment'],
  [/^hljs-(?:title|name|attr|attribute|property|variable)$/, 'name'],
  [/^hljs-(?:meta|deletion)$/, 'meta'],
];

interface Coloured {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly unknown[];
}

onmessage = ({ data: { id, language, texts } }: MessageEvent<HighlightRequest>) => {
  const answer: HighlightAnswer = { id, lines: texts.map(text => linesOf(text, language)) };
  postMessage(answer);
};

function linesOf(text: string, language: string): CodeToken[][] {
  // Front matter: to a grammar of Markdown, its end is the underline of a heading.
  const [, front] = /^(---\n[^]*?\n---)(?=\n|$)/.exec(text) ?? [];
  if (language !== 'markdown') return coloured(text, language);
  if (front !== undefined)
    return [...coloured(front, 'yaml'), ...coloured(text.slice(front.length + 1), language)];
  return beginsInCode(text)
    ? coloured(`\`\`\`\n${text}`, language).slice(1)
    : coloured(text, language);
}

/**
 * Whether a piece of a page begins inside a block of code: its first fence ends one. A fence that
 * begins one mostly names a language.
 */
function beginsInCode(text: string): boolean {
  const fences = [...text.matchAll(/^ {0,3}(?:`{3,}|~{3,})(.*)$/gm)].map(([, info = '']) => info);
  const named = fences.findIndex(info => info.trim() !== '');
  return named === -1 ? fences.length % 2 === 1 : named % 2 === 1;
}

function coloured(text: string, language: string): CodeToken[][] {
  const lines: CodeToken[][] = [[]];
  collect(lowlight.highlight(language, text), 'plain', lines);
  return lines;
}

function collect(node: Coloured, kind: TokenKind, lines: CodeToken[][]): void {
  if (node.type === 'text') {
    const [first = '', ...more] = (node.value ?? '').split('\n');
    lines.at(-1)?.push([kind, first]);
    for (const line of more) lines.push([[kind, line]]);
    return;
  }
  const names = Array.isArray(node.properties?.className) ? node.properties.className : [];
  const found = KINDS.find(([known]) => names.some(name => known.test(String(name))));
  for (const child of node.children ?? [])
    collect(child as Coloured, found ? found[1] : kind, lines);
}
