import type Anthropic from '@anthropic-ai/sdk';
import { newId } from '../../../shared/ids.ts';
import type { SearchResult } from '../../../db/search/search-request.ts';
import { passageBlocks } from '../model/prompt.ts';
import { fittingPages } from '../model/window.ts';
import type { AnswerInProgress } from './answer-in-progress.ts';
import { type Citable, citable, shown } from './citations.ts';

const MAX_INPUT = 1_000;

/** What the model may call beside the search that every answer begins with. */
export const TOOLS: Anthropic.Tool[] = [
  {
    name: 'search',
    description:
      'Searches the documentation. Use it when the results at hand do not hold the answer: ' +
      'with other words than before, and only the words that matter.',
    input_schema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Keywords or a question.' } },
      required: ['query'],
    },
  },
  {
    name: 'read_page',
    description:
      'Reads one page whole. Use it when a passage shows that its page contains the answer ' +
      'but not the part that you need.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The page’s path, such as /guides/install.' },
      },
      required: ['path'],
    },
  },
];

/** Searches the project's pages, which shows on the wire. */
export async function searchPages(
  answer: AnswerInProgress,
  query: string,
): Promise<SearchResult[]> {
  const { deps, request, out, messageId } = answer;
  const callId = newId('call');
  out.send({ type: 'search', callId, messageId, query });
  const found = await deps.search({
    projectId: request.project.id,
    query,
    pageSize: request.pageSize,
    ...(request.filter && { filter: request.filter }),
    ...(request.reader.currentPath && { currentPath: request.reader.currentPath }),
  });
  out.send({ type: 'found', callId, results: found.map(shown) });
  return found;
}

/** Runs a tool that the model called, and returns the result for the model. */
export async function runTool(
  answer: AnswerInProgress,
  use: { id: string; name: string; input: unknown },
  allowed: boolean,
): Promise<Anthropic.ToolResultBlockParam> {
  if (!allowed) return failed(use, 'That was the last search: answer from what you have.');
  if (use.name === 'search') {
    const query = textOf(use.input, 'query');
    if (query === undefined) return failed(use, 'search takes {"query": "…"}.');
    const found = await searchPages(answer, query);
    if (found.length === 0) return result(use, 'No page matches. Try other words.');
    return passages(answer, use, takePages(answer, found, answer.room));
  }
  if (use.name === 'read_page') {
    const path = textOf(use.input, 'path');
    if (path === undefined) return failed(use, 'read_page takes {"path": "/…"}.');
    const { deps, request } = answer;
    const page = await deps.readPage({
      projectId: request.project.id,
      path,
      ...(request.filter && { filter: request.filter }),
    });
    if (page)
      return passages(
        answer,
        use,
        takePages(answer, [page], Math.min(answer.room, answer.window.page)),
      );
    const quoted = JSON.stringify(path);
    return failed(use, `There is no page ${quoted}: take a path from the search results.`);
  }
  return failed(use, 'There is no such tool: use search or read_page.');
}

/** What fits of pages, for the model; the room in its window gets less by it. */
export function takePages(
  answer: AnswerInProgress,
  pages: readonly SearchResult[],
  room: number,
): Citable[] {
  const fitting = fittingPages(pages, room);
  for (const { sections } of fitting) for (const { text } of sections) answer.room -= text.length;
  return fitting.map(citable);
}

const NO_ROOM = 'There is no room for more passages: answer from what you have.';

type ToolContent = NonNullable<Anthropic.ToolResultBlockParam['content']>;

function result({ id }: { id: string }, content: ToolContent): Anthropic.ToolResultBlockParam {
  return { type: 'tool_result', tool_use_id: id, content };
}

function failed(use: { id: string }, sentence: string): Anthropic.ToolResultBlockParam {
  return { ...result(use, sentence), is_error: true };
}

function passages(
  answer: AnswerInProgress,
  use: { id: string },
  pages: Citable[],
): Anthropic.ToolResultBlockParam {
  if (pages.length === 0) return failed(use, NO_ROOM);
  const firstNumber = answer.citations.given(pages);
  return result(use, passageBlocks({ pages, firstNumber }, answer.passages));
}

function textOf(input: unknown, member: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const value = (input as Record<string, unknown>)[member];
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, MAX_INPUT) : undefined;
}
