import type Anthropic from '@anthropic-ai/sdk';
import { newId } from '../../../shared/ids.ts';
import type { AnswerStream } from '../wire/answer-stream.ts';
import type { AnswerDeps, Answering, AnswerRequest } from './answer-context.ts';
import { citable, Citations } from './citations.ts';
import { searchQuery } from './conversation.ts';
import { GrowingText } from '../model/growing-text.ts';
import { callModel } from '../model/model-call.ts';
import { emptyTurn, type ModelTurn } from '../model/model-stream.ts';
import { conversationPrompt, systemPrompt, TOOLS } from '../model/prompt.ts';
import { remember, rememberQuestion } from './save-answer.ts';
import { AnswerError, sentenceOf } from './failures.ts';
import { suggestions } from './suggestions.ts';
import { runTool, searchFor } from './tools.ts';

/**
 * Answers a question from the project's pages into `out`. The first event comes before anything
 * slow is done. A fault of the model becomes an `error` event with a sentence for the reader; when
 * `signal` says that the reader has left, nothing more is said. What was said is kept in the thread
 * in either case.
 */
export async function answer(
  deps: AnswerDeps,
  request: AnswerRequest,
  out: AnswerStream,
  signal: AbortSignal,
): Promise<void> {
  const state: Answering = {
    out,
    messageId: newId('tmsg'),
    citations: new Citations(),
    found: [],
    text: new GrowingText(),
    openText: undefined,
    texts: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    reason: 'stop',
    ledger: [],
  };
  out.say({ type: 'start', messageId: state.messageId, threadId: request.thread.id });
  try {
    await converse(deps, request, state, signal);
    say(state, suggestions(state.found, state.citations));
    endText(state, true);
  } catch (error) {
    state.reason = 'error';
    if (!signal.aborted) {
      deps.log.warn({ err: error }, 'an answer failed');
      endText(state, true);
      out.say({ type: 'error', sentence: sentenceOf(error) });
    }
  }
  await remember(deps, request, state);
  out.say({
    type: 'finish',
    threadId: request.thread.id,
    sources: state.citations.sources(),
    usage: state.usage,
    reason: state.reason,
  });
}

/** Searches, then lets the model speak; it may search again, or read a page, within the bound. */
async function converse(
  deps: AnswerDeps,
  request: AnswerRequest,
  state: Answering,
  signal: AbortSignal,
): Promise<void> {
  const params = await firstPrompt(deps, request, state);
  for (let searches = 1; ;) {
    const mayLook = searches < deps.config.ASSISTANT_MAX_SEARCHES;
    const turn = await speak(
      deps,
      request,
      state,
      { ...params, ...(!mayLook && { tool_choice: { type: 'none' } }) },
      signal,
    );
    if (turn.stopReason === 'refusal') throw new AnswerError('declined');
    if (turn.stopReason === 'max_tokens') state.reason = 'length';
    if (turn.toolUses.length === 0 || !mayLook) break; // one that asks although it may not would ask for ever

    endText(state, false);
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const use of turn.toolUses) {
      searches += 1;
      results.push(
        await runTool(deps, request, state, use, searches <= deps.config.ASSISTANT_MAX_SEARCHES),
      );
    }
    params.messages.push(
      { role: 'assistant', content: turn.content },
      { role: 'user', content: results },
    );
  }
  if (state.text.toString().trim() === '') throw new AnswerError('empty');
}

/** What the model is asked, with what a search for the question finds. */
async function firstPrompt(
  deps: AnswerDeps,
  request: AnswerRequest,
  state: Answering,
): Promise<Anthropic.MessageCreateParamsNonStreaming> {
  const { conversation, project, reader } = request;
  const query = searchQuery(
    conversation.messages,
    (reader.context ?? []).map(item => item.value),
  );
  const [found, instructions] = await Promise.all([
    searchFor(deps, request, state, query),
    deps.siteInstructions(project.id),
    rememberQuestion(deps, request),
  ]);
  state.found = found.map(({ path, title, score }) => ({ path, title, score }));
  const pages = found.map(citable);
  state.citations.given(pages);
  return {
    model: deps.model,
    max_tokens: deps.config.ASSISTANT_MAX_OUTPUT_TOKENS,
    system: systemPrompt(instructions),
    tools: TOOLS,
    messages: conversationPrompt(conversation.messages, pages, reader),
  };
}

/** One turn of the model, said to the reader as it comes. */
async function speak(
  deps: AnswerDeps,
  request: AnswerRequest,
  state: Answering,
  params: Anthropic.MessageCreateParamsNonStreaming,
  signal: AbortSignal,
): Promise<ModelTurn> {
  const turn = emptyTurn(deps.model);
  await callModel(
    deps,
    request,
    state,
    params,
    turn,
    {
      text: text => {
        say(state, text);
        return state.out.full();
      },
      citation: citation => state.citations.cite(citation),
    },
    signal,
  );
  return turn;
}

function say(state: Answering, text: string): void {
  if (text === '') return;
  if (state.openText === undefined) {
    state.openText = `txt_${++state.texts}`;
    state.out.say({ type: 'text-start', id: state.openText, messageId: state.messageId });
  }
  state.text.add(text);
  state.out.say({ type: 'text', id: state.openText, text });
}

function endText(state: Answering, last: boolean): void {
  if (state.openText === undefined) return;
  state.out.say({ type: 'text-end', id: state.openText });
  state.out.say({ type: 'step-end', sources: last ? state.citations.sources() : [], last });
  state.openText = undefined;
}
