import type Anthropic from '@anthropic-ai/sdk';
import { newId } from '../../shared/ids.ts';
import { type AnswerDeps, type Answering, type AnswerRequest, searchRequest } from './answering.ts';
import { citable, Citations, shown } from './citations.ts';
import { searchQuery } from './conversation.ts';
import type { AnswerEvent } from './events.ts';
import { callModel } from './model-call.ts';
import { emptyTurn } from './model-stream.ts';
import { conversationPrompt, systemPrompt, TOOLS } from './prompt.ts';
import { remember, rememberQuestion } from './remember.ts';
import { AnswerError, sentenceOf } from './sentences.ts';
import { suggestions } from './suggestions.ts';
import { runTool } from './tools.ts';

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
  state.found = found.map(({ path, title, score }) => ({ path, title, score }));
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
