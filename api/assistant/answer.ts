import type Anthropic from '@anthropic-ai/sdk';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../shared/config.ts';
import type { Pool } from '../../shared/db/pool.ts';
import type { Project } from '../../shared/db/projects.ts';
import { newId } from '../../shared/ids.ts';
import type { SearchFilter, SearchRequest, SearchResult } from '../../shared/search.ts';
import { citable, Citations, shown } from './citations.ts';
import { type Merged, searchQuery } from './conversation.ts';
import type { AnswerEvent, AnswerUsage, FinishReason } from './events.ts';
import { callModel } from './model-call.ts';
import { emptyTurn } from './model-stream.ts';
import { conversationPrompt, type ReaderContext, systemPrompt, TOOLS } from './prompt.ts';
import { remember, rememberQuestion } from './remember.ts';
import { AnswerError, sentenceOf } from './sentences.ts';
import { suggestions } from './suggestions.ts';
import { runTool } from './tools.ts';

export interface AnswerDeps {
  config: Config;
  pool: Pool;
  client: Anthropic;
  model: string;
  log: FastifyBaseLogger;
  search(request: SearchRequest): Promise<SearchResult[]>;
  /** One page in its sections; undefined where there is none, or the filter leaves it out. */
  readPage(request: { projectId: string; path: string; filter?: SearchFilter }): Promise<SearchResult | undefined>;
  siteInstructions(projectId: string): Promise<string | null>;
}

export interface AnswerRequest {
  project: Project;
  apiKeyId: string;
  thread: { id: string; projectId: string; fp: string };
  conversation: Merged;
  pageSize: number;
  filter: SearchFilter | undefined;
  reader: ReaderContext;
}

/** An answer while it is made. */
export interface Answering {
  messageId: string;
  citations: Citations;
  /** Pages of the first search, best first: what suggestions are taken from. */
  found: SearchResult[];
  /** Everything said so far, without the suggestions. */
  text: string;
  /** The text part that is open on the wire, and how many there were. */
  openText: string | undefined;
  texts: number;
  usage: AnswerUsage;
  reason: FinishReason;
  /** Ledger rows on their way to the database. */
  ledger: Promise<void>[];
}

/**
 * Answers a question from the project's pages. The first event comes before anything slow is done. A fault of the
 * model becomes an `error` event with a sentence for the reader; when `signal` says that the reader has left, the
 * events just end. What was said is kept in the thread in either case.
 */
export async function* answer(deps: AnswerDeps, request: AnswerRequest, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  const state: Answering = {
    messageId: newId('tmsg'), citations: new Citations(), found: [], text: '', openText: undefined, texts: 0,
    usage: { inputTokens: 0, outputTokens: 0 }, reason: 'stop', ledger: [],
  };
  let remembered = false;
  try {
    yield { type: 'start', messageId: state.messageId, threadId: request.thread.id };
    try {
      yield* converse(deps, request, state, signal);
      yield* say(state, suggestions(state.found, state.citations));
      yield* endText(state, true);
    } catch (error) {
      if (signal.aborted) return;
      deps.log.warn({ err: error }, 'an answer failed');
      yield* endText(state, true);
      yield { type: 'error', sentence: sentenceOf(error) };
      state.reason = 'error';
    }
    remembered = true;
    await remember(deps, request, state);
    yield { type: 'finish', threadId: request.thread.id, sources: state.citations.sources(), usage: state.usage, reason: state.reason };
  } finally {
    if (!remembered) await remember(deps, request, { ...state, reason: 'error' });
  }
}

/** Searches, then lets the model speak; it may search again, or read a page, within the bound. */
async function* converse(deps: AnswerDeps, request: AnswerRequest, state: Answering, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  const { conversation, project, reader } = request;
  const query = searchQuery(conversation.messages, (reader.context ?? []).map(item => item.value));
  const callId = newId('call');
  yield { type: 'search', callId, messageId: state.messageId, query };
  const [found, instructions] = await Promise.all([
    deps.search(searchRequest(request, query)),
    deps.siteInstructions(project.id),
    rememberQuestion(deps, request),
  ]);
  state.found = found;
  yield { type: 'found', callId, results: found.map(shown) };

  const pages = found.map(citable);
  state.citations.given(pages);
  const messages = conversationPrompt(conversation.messages, pages, reader);
  for (let searches = 1; ; ) {
    const turn = emptyTurn(deps.model);
    const mayLook = searches < deps.config.ASSISTANT_MAX_SEARCHES;
    const call = callModel(deps, request, state, {
      model: deps.model,
      max_tokens: deps.config.ASSISTANT_MAX_OUTPUT_TOKENS,
      system: systemPrompt(instructions),
      tools: TOOLS,
      messages,
      ...(!mayLook && { tool_choice: { type: 'none' } }),
    }, turn, signal);
    for await (const event of call) {
      if (event.type === 'text') yield* say(state, event.text);
      else state.citations.cite(event.citation);
    }
    if (turn.stopReason === 'refusal') throw new AnswerError('declined');
    if (turn.stopReason === 'max_tokens') state.reason = 'length';
    if (turn.toolUses.length === 0) break;

    yield* endText(state, false);
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const use of turn.toolUses) {
      searches += 1;
      results.push(yield* runTool(deps, request, state, use, searches <= deps.config.ASSISTANT_MAX_SEARCHES));
    }
    messages.push({ role: 'assistant', content: turn.content }, { role: 'user', content: results });
  }
  if (state.text.trim() === '') throw new AnswerError('empty');
}

/** The search of a request, with whatever words. */
export function searchRequest(request: AnswerRequest, query: string): SearchRequest {
  return {
    projectId: request.project.id,
    query,
    pageSize: request.pageSize,
    ...(request.filter && { filter: request.filter }),
    ...(request.reader.currentPath && { currentPath: request.reader.currentPath }),
  };
}

function* say(state: Answering, text: string): Generator<AnswerEvent> {
  if (text === '') return;
  if (state.openText === undefined) {
    state.openText = `txt_${++state.texts}`;
    yield { type: 'text-start', id: state.openText, messageId: state.messageId };
  }
  state.text += text;
  yield { type: 'text', id: state.openText, text };
}

function* endText(state: Answering, last: boolean): Generator<AnswerEvent> {
  if (state.openText === undefined) return;
  yield { type: 'text-end', id: state.openText };
  yield { type: 'step-end', sources: last ? state.citations.sources() : [], last };
  state.openText = undefined;
}
