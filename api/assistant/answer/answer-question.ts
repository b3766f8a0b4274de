import type Anthropic from '@anthropic-ai/sdk';
import { answerThinking } from '../../../shared/models/thinking.ts';
import { callModel } from '../model/model-call.ts';
import type { ModelTurn } from '../model/model-stream.ts';
import { conversationPrompt, assistantPrompt } from '../model/prompt.ts';
import { firstText } from '../../../shared/metrics/metrics.ts';
import type { FirstIndex } from '../../../db/search/site-notes.ts';
import type { AnswerInProgress } from './answer-in-progress.ts';
import { AnswerText } from './answer-text.ts';
import { AnswerError, sentenceOf } from './failures.ts';
import { saveAnswer, saveQuestion } from './save-answer.ts';
import { runTool, searchPages, takePages, TOOLS } from './tools.ts';
import type { ThreadMessage } from '../../../db/assistant/threads.ts';
import type { SearchResult } from '../../../db/search/search-request.ts';
import type { Citations } from './citations.ts';

/**
 * Answers a question from the project's pages. The first event is sent before anything slow is
 * done. A fault of the model becomes an `error` event with a sentence for the reader; once the
 * reader has left, no error is sent. What was sent is stored in the thread in either case.
 */
export async function answerQuestion(answer: AnswerInProgress): Promise<void> {
  const { deps, request, out, left } = answer;
  out.send({ type: 'start', messageId: answer.messageId, threadId: request.thread.id });
  try {
    await converse(answer);
    sendText(answer, suggestions(answer.found, answer.citations));
    if (answer.firstIndex && answer.found.length > 0)
      sendText(answer, readSoFar(answer.firstIndex));
    endText(answer, true);
  } catch (error) {
    answer.reason = 'error';
    answer.failure = error;
    if (!left.aborted) {
      deps.log.warn({ err: error }, 'an answer failed');
      endText(answer, true);
      out.send({ type: 'error', sentence: sentenceOf(error) });
    }
  }
  await saveAnswer(answer);
  out.send({
    type: 'finish',
    threadId: request.thread.id,
    sources: answer.citations.sources(),
    usage: answer.usage,
    reason: answer.reason,
  });
  void answer.kept?.end();
}

const NOT_READ =
  'The docs are still being read for the first time, so I cannot answer from them yet. ' +
  'Please ask again in a few minutes.';

/** How fresh an answer is that comes from a part of the docs. */
function readSoFar({ pagesRead, pagesTotal }: FirstIndex): string {
  const of = pagesTotal === null ? '' : ` of ${pagesTotal}`;
  return (
    `\n\nThe docs are still being read for the first time (${pagesRead}${of} pages so far). ` +
    'If something is missing, please ask again in a few minutes.'
  );
}

/** Searches, then calls the model; it may search again, or read a page, up to the limit. */
async function converse(answer: AnswerInProgress): Promise<void> {
  const { ASSISTANT_MAX_SEARCHES: maxSearches } = answer.deps.config;
  const params = await firstPrompt(answer);
  if (answer.found.length === 0 && answer.firstIndex) return sendText(answer, NOT_READ);
  for (let searches = 1; ;) {
    const mayLook = searches < maxSearches;
    const turn = await speak(answer, {
      ...params,
      ...(!mayLook && { tool_choice: { type: 'none' } }),
    });
    if (turn.stopReason === 'refusal') throw new AnswerError('declined');
    if (CUT.includes(turn.stopReason ?? '')) answer.reason = 'length';
    // A model that calls a tool although it may not would do so forever; a cut call is not whole.
    if (turn.toolUses.length === 0 || !mayLook || answer.reason === 'length') break;

    endText(answer, false);
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const use of turn.toolUses) {
      searches += 1;
      results.push(await runTool(answer, use, searches <= maxSearches));
    }
    params.messages.push(
      { role: 'assistant', content: turn.content },
      { role: 'user', content: results },
    );
  }
  if (answer.text.toString().trim() === '') throw new AnswerError('empty');
  if (answer.reason === 'length') sendText(answer, CUT_OFF);
}

/** Stop reasons of an answer that was longer than it may be. */
const CUT = ['max_tokens', 'model_context_window_exceeded'];
const CUT_OFF = '\n\n(This answer is cut off: it reached its limit of length.)';

/** One call of the model: its text goes to the reader as it comes in, with what it cites noted. */
async function speak(
  answer: AnswerInProgress,
  params: Anthropic.MessageCreateParamsNonStreaming,
): Promise<ModelTurn> {
  const text = new AnswerText(answer, shown => sendText(answer, shown));
  const turn = await callModel(answer, params, {
    text: piece => text.add(piece) ?? answer.out.full(),
    citation: citation => answer.citations.cite(citation),
  }).catch(async (error: unknown) => {
    await text.sent(); // nothing may follow what is said of the error
    throw error;
  });
  await text.end();
  return turn;
}

/** The first call's parameters, with what a search for the question finds. */
async function firstPrompt(
  answer: AnswerInProgress,
): Promise<Anthropic.MessageCreateParamsNonStreaming> {
  const { deps, request, citations } = answer;
  const { conversation, project, reader } = request;
  const selections = (reader.context ?? []).map(item => item.value);
  const [found, notes, features] = await Promise.all([
    searchPages(answer, searchQuery(conversation.messages, selections)),
    deps.siteNotes(project.id),
    deps.featuresOf(deps.model),
    saveQuestion(answer),
  ]);
  answer.firstIndex = notes.firstIndex;
  answer.passages = features.has('citations') ? 'search-results' : 'numbered';
  answer.separatesThoughts = features.has('thinking');
  answer.found = found.map(({ path, title, score }) => ({ path, title, score }));
  // Half of the room is left for what the model looks up itself.
  const pages = takePages(answer, found, answer.room / 2);
  const firstNumber = citations.given(pages);
  return {
    model: deps.model,
    max_tokens: answer.window.maxTokens,
    ...answerThinking(deps.model, features, deps.config.ASSISTANT_EFFORT),
    system: assistantPrompt(notes, answer.passages),
    tools: TOOLS,
    messages: conversationPrompt(conversation.messages, { pages, firstNumber }, reader, answer),
  };
}

function sendText(answer: AnswerInProgress, text: string): void {
  if (text === '') return;
  if (answer.texts === 0) firstText.observe((performance.now() - answer.beganAt) / 1000);
  if (answer.openText === undefined) {
    answer.openText = `txt_${++answer.texts}`;
    answer.out.send({ type: 'text-start', id: answer.openText, messageId: answer.messageId });
  }
  answer.text.add(text);
  answer.out.send({ type: 'text', id: answer.openText, text });
}

function endText(answer: AnswerInProgress, last: boolean): void {
  if (answer.openText === undefined) return;
  answer.out.send({ type: 'text-end', id: answer.openText });
  answer.out.send({ type: 'step-end', sources: last ? answer.citations.sources() : [], last });
  answer.openText = undefined;
}

const MAX_QUERY = 1_000;
const MAX_SELECTION = 300;

/** Words that refer to what was said before. */
const POINTING = new RegExp(
  '\\b(it|its|that|this|these|those|them|they|there|one|ones|same|instead|else|other|another' +
    '|again|then|former|latter|above)\\b',
  'i',
);
/** Beginnings of a question that continues the conversation. */
const LEANING =
  /^\W*(and|or|but|so|also|what about|how about|why|why not|what if|ok(ay)?|then|for)\b/i;
const FEW_WORDS = 4;

/**
 * The query for the first search: the question, and if it depends on what came before ("and how do
 * I undo that?") also the questions before it, or what the reader has selected.
 */
export function searchQuery(
  messages: readonly ThreadMessage[],
  selections: readonly string[] = [],
): string {
  const questions = messages
    .filter(message => message.role === 'user')
    .map(message => message.text);
  const question = questions.at(-1) ?? '';
  const words = question.split(/\s+/).filter(Boolean).length;
  const leans =
    words <= FEW_WORDS || LEANING.test(question) || (POINTING.test(question) && words <= 20);
  const before = leans
    ? [
        ...selections.map(text => text.slice(0, MAX_SELECTION)),
        ...questions.slice(-3, -1).reverse(),
      ]
    : [];
  return [question, ...before].join(' ').replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY);
}

const MAX_SUGGESTIONS = 3;
/** Part of the best score; below it a page shares little more than a word with the question. */
const NEAR = 0.4;

/** A fenced block of related pages that the answer does not cite; '' if there are none. */
function suggestions(
  found: readonly Pick<SearchResult, 'path' | 'title' | 'score'>[],
  citations: Citations,
): string {
  if (citations.sources().length === 0) return '';
  const best = found[0]?.score ?? 0;
  const near = found
    .filter(page => page.score >= best * NEAR && !citations.cites(page.path))
    .slice(0, MAX_SUGGESTIONS);
  if (near.length === 0) return '';
  const lines = near.map(page => `(${plain(page.title)})[${page.path}]\n`);
  return `\n\n\`\`\`suggestions\n${lines.join('')}\`\`\`\n`;
}

/** A title without what would end its parentheses or the block. */
function plain(title: string): string {
  return title
    .replace(/[()[\]`\r\n]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
