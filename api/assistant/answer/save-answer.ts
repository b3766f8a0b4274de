import { recordQuestion } from '../../../db/assistant/questions.ts';
import { insertMessages, saveMessages } from '../../../db/assistant/threads.ts';
import { answers } from '../../../shared/metrics/metrics.ts';
import type { AnswerDeps, AnswerInProgress } from './answer-in-progress.ts';
import { pagesOf } from './citations.ts';
import { REPLACED } from './kept-answer.ts';

/** Stores what the reader wrote in the thread, which begins here if it is new. */
export async function saveQuestion({ deps, request, messageId }: AnswerInProgress): Promise<void> {
  const { added, keepUntil } = request.conversation;
  if (request.fromReader) await saveMessages(deps.db, request.thread, added, keepUntil, messageId);
}

/**
 * Stores the answer in the thread, so that the next request finds it, and records whether the docs
 * answered the question: an answer without a citation does not come from the docs. A greeting is
 * not recorded, nor what the docs do not answer before all of them are read. Never fails: the reader has the answer already.
 */
export async function saveAnswer(answer: AnswerInProgress): Promise<void> {
  const { deps, request, nextCall, left } = answer;
  const writes = [...answer.settling];
  if (nextCall) writes.push(deps.settle(() => nextCall.withdraw()));
  if (request.fromReader && left.reason !== REPLACED) writes.push(...storeAnswer(answer));
  for (const result of await Promise.allSettled(writes)) {
    if (result.status === 'rejected')
      deps.log.error({ err: result.reason as unknown }, 'an answer was not stored completely');
  }
}

function storeAnswer(answer: AnswerInProgress): Promise<void>[] {
  const { deps, request } = answer;
  const sources = answer.citations.sources();
  const text = answer.text.toString().trim();
  const writes: Promise<void>[] = [];
  if (text !== '') {
    writes.push(
      insertMessages(deps.db, request.thread.id, [
        { id: answer.messageId, role: 'assistant', text, sources },
      ]),
    );
  }
  answers.inc({
    outcome: answer.reason === 'error' ? 'failed' : sources.length > 0 ? 'cited' : 'uncited',
  });
  const question = request.conversation.messages.at(-1)?.text ?? '';
  const isKnown = answer.firstIndex === null || sources.length > 0;
  if (answer.reason !== 'error' && isKnown && !isSmallTalk(question)) {
    writes.push(
      meaningOf(deps, question).then(vector =>
        recordQuestion(deps.db, {
          projectId: request.project.id,
          threadId: request.thread.id,
          question,
          answered: sources.length > 0,
          answerId: text === '' ? undefined : answer.messageId,
          cited: pagesOf(sources),
          vector,
        }),
      ),
    );
  }
  return writes;
}

/** Undefined without embeddings, or if the model fails: then words alone tell which are alike. */
async function meaningOf(
  { embed, log }: AnswerDeps,
  question: string,
): Promise<Float32Array | undefined> {
  try {
    return (await embed?.([question]))?.[0];
  } catch (error) {
    log.error({ err: error }, 'a question was recorded without its meaning');
    return undefined;
  }
}

const GREETING = new Set(
  'hi hello hey morning afternoon evening thanks thank thx cheers bye goodbye'.split(' '),
);
const BESIDE = new Set(
  [
    'there all everyone docent good you so very much many a lot again for your the help',
    'that helped was great nice perfect ok okay',
  ].flatMap(words => words.split(' ')),
);

/**
 * Whether a message is a greeting or thanks and nothing else: "Hi, how do I add a page?" is a
 * question. Knows English only.
 */
function isSmallTalk(message: string): boolean {
  const words = message.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    words.some(word => GREETING.has(word)) &&
    words.every(word => GREETING.has(word) || BESIDE.has(word))
  );
}
