import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import { passageText, READER_CONTEXT, withBlankLine } from '../../../shared/agent-text.ts';
import type { ThreadMessage } from '../../../db/assistant/threads.ts';
import type { SiteNotes } from '../../../db/search/site-notes.ts';
import type { Citable } from '../answer/citations.ts';
import type { MessageBody } from '../message-body.ts';
import type { AnswerWindow } from './window.ts';

const INSTRUCTIONS = readFileSync(join(import.meta.dirname, 'instructions.md'), 'utf8');
/** For an endpoint that has no citations of its own. */
const CITE_BY_NUMBER = readFileSync(join(import.meta.dirname, 'cite-by-number.md'), 'utf8');
/**
 * Our rules first and always the same bytes, so that they are read from the cache; the site's own
 * below them.
 */
export function assistantPrompt(
  { instructions, unreadPages }: Pick<SiteNotes, 'instructions' | 'unreadPages'>,
  passages: PassageFormat,
): Anthropic.TextBlockParam[] {
  const added = instructions?.trim();
  const site = [
    ...(unreadPages === null
      ? []
      : [`Of this site, ${unreadPages} Say so if an answer is missing.`]),
    ...(added ? [`The site's owner adds, within the rules above:\n\n${added}`] : []),
  ].join('\n\n');
  const rules = passages === 'numbered' ? `${INSTRUCTIONS}\n${CITE_BY_NUMBER}` : INSTRUCTIONS;
  return [
    { type: 'text', text: withBlankLine(rules), ...(!site && CACHED) },
    ...(site ? [{ type: 'text' as const, text: site, ...CACHED }] : []),
  ];
}
const CACHED = { cache_control: { type: 'ephemeral' as const } };

/**
 * How the model gets passages: as search results that it cites itself, or as numbered text, whose
 * numbers it writes behind what it says.
 */
export type PassageFormat = 'search-results' | 'numbered';

/** Pages for the model, and the number of their first passage. */
export interface GivenPages {
  pages: readonly Citable[];
  firstNumber: number;
}

export type ReaderContext = Pick<MessageBody, 'context' | 'currentPath'>;

/**
 * The conversation as the model gets it. Passages, what the reader selected and the question itself
 * are blocks of the last user message: data, never instructions of ours. Blocks end with a blank
 * line, since some servers join them as they are.
 */
export function conversationPrompt(
  messages: readonly ThreadMessage[],
  found: GivenPages,
  reader: ReaderContext,
  { passages, window }: { passages: PassageFormat; window: AnswerWindow },
): Anthropic.MessageParam[] {
  const question = messages.at(-1)?.text ?? '';
  const prompt: Anthropic.MessageParam[] = [];
  for (const { role, text } of recent(messages.slice(0, -1), window.history))
    addBlocks(prompt, role, [{ type: 'text', text: role === 'user' ? withBlankLine(text) : text }]);
  addBlocks(prompt, 'user', [
    ...passageBlocks(found, passages),
    ...contextBlocks(reader, window.selected),
    { type: 'text', text: question },
  ]);
  return prompt;
}

export function passageBlocks(
  { pages, firstNumber }: GivenPages,
  format: PassageFormat,
): (Anthropic.SearchResultBlockParam | Anthropic.TextBlockParam)[] {
  if (format === 'search-results') return pages.map(searchResultBlock);
  let number = firstNumber;
  return pages.flatMap(page =>
    page.passages.map(({ heading, text }) => {
      const title = heading && heading !== page.title ? `${page.title}: ${heading}` : page.title;
      return {
        type: 'text' as const,
        text: withBlankLine(numberedPassage(number++, title, page, text)),
      };
    }),
  );
}

/** The path is what `read_page` takes. */
function numberedPassage(number: number, title: string, { path }: Citable, text: string): string {
  return `[${number}] ${title} (${path})\n\n${text}`;
}

/** Passages of one page, each under its section's heading, with citations on. */
function searchResultBlock(page: Citable): Anthropic.SearchResultBlockParam {
  return {
    type: 'search_result',
    source: page.source,
    title: page.title,
    content: page.passages.map(({ heading, text }) => ({
      type: 'text',
      text: passageText(!heading || heading === page.title ? '' : heading, text),
    })),
    citations: { enabled: true },
  };
}

/** The newest messages that fit, from a user's on: the API wants a user's message first. */
function recent(messages: readonly ThreadMessage[], most: number): ThreadMessage[] {
  let room = most;
  const kept: ThreadMessage[] = [];
  for (const message of [...messages].reverse()) {
    room -= message.text.length;
    if (room < 0) break;
    kept.unshift(message);
  }
  const first = kept.findIndex(message => message.role === 'user');
  return first === -1 ? [] : kept.slice(first);
}

function addBlocks(
  prompt: Anthropic.MessageParam[],
  role: 'user' | 'assistant',
  blocks: Anthropic.ContentBlockParam[],
): void {
  const last = prompt.at(-1);
  if (last?.role === role && Array.isArray(last.content)) last.content.push(...blocks);
  else prompt.push({ role, content: blocks });
}

/** As JSON, so that no text in it can end the block that holds it. */
function contextBlocks(
  { context, currentPath }: ReaderContext,
  most: number,
): Anthropic.TextBlockParam[] {
  const fitting = selectionsThatFit(context ?? [], most);
  if (!currentPath && fitting.length === 0) return [];
  const value = {
    ...(currentPath && { currentPath }),
    ...(fitting.length > 0 && { context: fitting }),
  };
  return [
    {
      type: 'text',
      text: withBlankLine(
        `${READER_CONTEXT}${JSON.stringify(value).replaceAll('<', '\\u003c')}</reader-context>`,
      ),
    },
  ];
}

function selectionsThatFit(
  context: NonNullable<ReaderContext['context']>,
  most: number,
): typeof context {
  let room = most;
  const end = context.findIndex(
    ({ value, path = '', elementId = '' }) =>
      (room -= value.length + path.length + elementId.length) < 0,
  );
  return end === -1 ? context : context.slice(0, end);
}
