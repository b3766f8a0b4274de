import type Anthropic from '@anthropic-ai/sdk';
import { newId } from '../../../shared/ids.ts';
import type { SearchResult } from '../../../shared/search/search-request.ts';
import {
  type AnswerDeps,
  type Answering,
  type AnswerRequest,
  searchRequest,
} from './answer-context.ts';
import { type Citable, citable, shown } from './citations.ts';
import { searchResultBlock } from '../model/prompt.ts';

const MAX_INPUT = 1_000;
const MAX_PAGE = 40_000; // characters, some 10,000 tokens: the 95th percentile of pages is under 28,000

/** Searches, which shows on the wire. */
export async function searchFor(
  deps: AnswerDeps,
  request: AnswerRequest,
  state: Answering,
  query: string,
): Promise<SearchResult[]> {
  const callId = newId('call');
  state.out.say({ type: 'search', callId, messageId: state.messageId, query });
  const found = await deps.search(searchRequest(request, query));
  state.out.say({ type: 'found', callId, results: found.map(shown) });
  return found;
}

/** Runs a tool that the model asked for, and returns what the model gets. */
export async function runTool(
  deps: AnswerDeps,
  request: AnswerRequest,
  state: Answering,
  use: { id: string; name: string; input: unknown },
  allowed: boolean,
): Promise<Anthropic.ToolResultBlockParam> {
  const refuse = (text: string): Anthropic.ToolResultBlockParam => ({
    type: 'tool_result',
    tool_use_id: use.id,
    content: text,
    is_error: true,
  });
  if (!allowed) return refuse('That was the last search: answer from what you have.');

  if (use.name === 'search') {
    const query = textOf(use.input, 'query');
    if (query === undefined) return refuse('search takes {"query": "…"}.');
    const found = await searchFor(deps, request, state, query);
    return given(state, use.id, found.map(citable), 'No page matches. Try other words.');
  }
  if (use.name === 'read_page') {
    const path = textOf(use.input, 'path');
    if (path === undefined) return refuse('read_page takes {"path": "/…"}.');
    const page = await deps.readPage({
      projectId: request.project.id,
      path,
      ...(request.filter && { filter: request.filter }),
    });
    if (!page)
      return refuse(
        `There is no page ${JSON.stringify(path)}: take a path from the search results.`,
      );
    return given(state, use.id, [citable(shorten(page))], '');
  }
  return refuse('There is no such tool: use search or read_page.');
}

/** A page's first sections, as many as fit. */
function shorten(page: SearchResult): SearchResult {
  let room = MAX_PAGE;
  const sections = page.sections.filter(
    (section, i) => (room -= section.text.length) >= 0 || i === 0,
  );
  return {
    ...page,
    sections: sections.map(section => ({ ...section, text: section.text.slice(0, MAX_PAGE) })),
  };
}

function given(
  state: Answering,
  id: string,
  pages: Citable[],
  nothing: string,
): Anthropic.ToolResultBlockParam {
  state.citations.given(pages);
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: pages.length > 0 ? pages.map(searchResultBlock) : nothing,
  };
}

function textOf(input: unknown, member: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const value = (input as Record<string, unknown>)[member];
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, MAX_INPUT) : undefined;
}
