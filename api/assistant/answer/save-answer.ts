import { recordQuestion } from '../../../db/assistant/questions.ts';
import { insertMessages, saveMessages } from '../../../db/assistant/threads.ts';
import { answers } from '../../../shared/metrics/metrics.ts';
import { isSmallTalk } from '../../../shared/text/small-talk.ts';
import type { AnswerDeps, AnswerInProgress } from './answer-in-progress.ts';

/** Stores what the reader wrote in the thread, which begins here if it is new. */
export async function saveQuestion({ deps, request }: AnswerInProgress): Promise<void> {
  const { added, keepUntil } = request.conversation;
  await saveMessages(deps.db, request.thread, added, keepUntil);
}

/**
 * Stores the answer in the thread, so that the next request finds it, and records whether the docs
 * answered the question: an answer without a citation does not come from the docs. A greeting is
 * not recorded, nor what the docs do not answer before all of them are read. Never fails: the reader has the answer already.
 */
export async function saveAnswer(answer: AnswerInProgress): Promise<void> {
  const { deps, request } = answer;
  const sources = answer.citations.sources();
  const text = answer.text.toString().trim();
  const { nextCall } = answer;
  const writes = [...answer.settling];
  if (nextCall) writes.push(deps.settle(() => nextCall.withdraw()));
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
          vector,
        }),
      ),
    );
  }
  for (const result of await Promise.allSettled(writes)) {
    if (result.status === 'rejected')
      deps.log.error({ err: result.reason as unknown }, 'an answer was not stored completely');
  }
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
