import type { FastifyBaseLogger } from 'fastify';
import { ANONYMOUS } from '../../../db/assistant/threads.ts';
import { keyOfOurs } from '../../../db/projects/project-keys.ts';
import type { Project } from '../../../db/projects/projects.ts';
import { RESULTS } from '../../../db/search/number-of-results.ts';
import { newId } from '../../../shared/ids.ts';
import { beginAnswer, enterCall } from '../answer/answer-in-progress.ts';
import { answerQuestion } from '../answer/answer-question.ts';
import { AnswerError } from '../answer/failures.ts';
import type { AssistantDeps } from '../deps.ts';
import { refuseOverCostLimit } from '../limits/cost-limit.ts';
import { takeStreamSlot } from '../limits/stream-slots.ts';
import { countUse } from '../limits/use-limits.ts';
import { AnswerStream } from '../wire/answer-stream.ts';

/** What the answer cites; `page`: the site path of the first page, undefined: the docs do not say. */
export interface AnswerAgain {
  sources: { url: string; title: string }[];
  page: string | undefined;
}

/**
 * Asks what a reader has asked, under the key that the playground counts by: its limits and the
 * ledger are those of readers. Nothing is stored as a conversation or as a reader's question.
 * Undefined: this question gets no whole answer, such as one that the model declines. Throws
 * `Problem` if a limit is exceeded, or why no question is answered at present.
 */
export async function askAgain(
  deps: AssistantDeps,
  { project, question }: { project: Project; question: string },
  log: FastifyBaseLogger,
  stopping: AbortSignal,
): Promise<AnswerAgain | undefined> {
  const apiKey = await keyOfOurs(deps.db, project, 'Playground');
  const done = new AbortController();
  const left = AbortSignal.any([stopping, done.signal]);
  const out = new AnswerStream({ headers: {}, keepAlive: '', encode: () => '' });
  try {
    const caller = { apiKey, ip: null };
    await refuseOverCostLimit(deps.db, deps.config, apiKey);
    await takeStreamSlot(deps, caller, left);
    await countUse(deps.limiter, caller, 'message');
    const messages = [{ id: null, role: 'user' as const, text: question }];
    const request = {
      ...{ project, apiKeyId: apiKey.id, fromReader: false, reader: {}, filter: undefined },
      thread: { id: newId('thread'), projectId: project.id, fp: ANONYMOUS },
      conversation: { messages, added: messages, keepUntil: 0 },
      pageSize: RESULTS.assistant,
    };
    const nextCall = await enterCall(deps.answering, request);
    const answer = beginAnswer({ deps: { ...deps.answering, log }, request, out, left, nextCall });
    await answerQuestion(answer);
    if (answer.reason === 'error' && !(answer.failure instanceof AnswerError)) throw answer.failure;
    if (answer.reason === 'error' || answer.firstIndex) return undefined;
    const sources = answer.citations.sources().map(({ url, title }) => ({ url, title }));
    if (answer.reason === 'length' && sources.length === 0) return undefined;
    return { sources, page: answer.citations.firstPath() };
  } finally {
    done.abort(); // gives the place back
    out.destroy();
  }
}
