import { recordQuestion } from '../../../shared/db/assistant/questions.ts';
import { insertMessages, saveMessages } from '../../../shared/db/assistant/threads.ts';
import { isSmallTalk } from '../../../shared/text/small-talk.ts';
import type { AnswerDeps, Answering, AnswerRequest } from './answer-context.ts';

/** Puts what the reader said into the thread, which begins here where it is new. */
export async function rememberQuestion(deps: AnswerDeps, request: AnswerRequest): Promise<void> {
  const { added, keepUntil } = request.conversation;
  await saveMessages(deps.db, request.thread, added, keepUntil);
}

/**
 * Puts the answer into the thread, so that the next request finds it, and notes whether the docs
 * held it: an answer without a citation is none from the docs. A greeting asks nothing of them and
 * is not noted. Never fails: the reader has the answer already.
 */
export async function remember(
  deps: AnswerDeps,
  request: AnswerRequest,
  state: Answering,
): Promise<void> {
  const sources = state.citations.sources();
  const text = state.text.toString().trim();
  const writes = [...state.ledger];
  if (text !== '') {
    writes.push(
      insertMessages(deps.db, request.thread.id, [
        { id: state.messageId, role: 'assistant', text, sources },
      ]),
    );
  }
  const question = request.conversation.messages.at(-1)?.text ?? '';
  if (state.reason !== 'error' && !isSmallTalk(question)) {
    writes.push(
      recordQuestion(deps.db, {
        projectId: request.project.id,
        threadId: request.thread.id,
        question,
        answered: sources.length > 0,
      }),
    );
  }
  for (const result of await Promise.allSettled(writes)) {
    if (result.status === 'rejected')
      deps.log.error({ err: result.reason as unknown }, 'an answer was not kept whole');
  }
}
