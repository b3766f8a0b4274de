import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MessageBody } from '../message-body.ts';
import { readThread, type ThreadMessage } from '../../../db/assistant/threads.ts';
import type { Queryable } from '../../../db/pool.ts';
import { Problem } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { RESULTS } from '../../../db/search/number-of-results.ts';
import { responseEnd } from '../../plugins/response-end.ts';
import {
  type AnswerInProgress,
  type AnswerRequest,
  beginAnswer,
  enterCall,
} from '../answer/answer-in-progress.ts';
import { answerQuestion } from '../answer/answer-question.ts';
import { mergeThread, messagesOf } from '../answer/conversation.ts';
import { KeptAnswer } from '../answer/kept-answer.ts';
import type { AssistantDeps } from '../deps.ts';
import { refuseOverCostLimit } from '../limits/cost-limit.ts';
import { takeStreamSlot } from '../limits/stream-slots.ts';
import { countUse } from '../limits/use-limits.ts';
import { AnswerStream } from '../wire/answer-stream.ts';
import type { Encoding } from '../wire/answer-events.ts';

/**
 * Answers a message of either generation. Every refusal comes before a use is counted, and the
 * stream begins before the search does.
 */
export async function answerMessage(
  deps: AssistantDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: MessageBody,
  encoding: Encoding,
): Promise<FastifyReply> {
  const answer = await openAnswer(deps, request, reply, body, encoding);
  const { out } = answer;
  reply.headers({ ...encoding.headers, 'x-thread-id': answer.request.thread.id });
  answerQuestion(answer).then(
    () => out.end(),
    (error: Error) => out.destroy(error),
  );
  // Hooks send the whole conversation back: it need not stay in memory while the answer streams.
  request.body = undefined;
  return reply.send(out);
}

/**
 * Admits a question, counts it and enters its first call; `answerQuestion` does the rest. The model
 * call ends when the reader leaves, or some time later if the reader may come back.
 */
export async function openAnswer(
  deps: AssistantDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: MessageBody,
  encoding: Encoding,
): Promise<AnswerInProgress> {
  const { config, db, limiter } = deps;
  const { apiKey: key, project } = request;
  const gone = responseEnd(reply);
  const { db: writes, kept: all } = deps.answering;
  const kept = body.resumable
    ? new KeptAnswer({ db: writes, log: request.log, apiKeyId: key.id, all }, gone)
    : undefined;
  const left = kept?.left ?? gone;

  const messages = messagesOf(body);
  await refuseOverCostLimit(db, config, key);
  await takeStreamSlot(deps, request, left);
  const { thread, conversation } = await threadOf(db, project.id, body, messages);
  reply.headers(await countUse(limiter, request, 'message'));

  const asked = {
    project,
    apiKeyId: key.id,
    fromReader: true,
    thread,
    conversation,
    ...optionsOf(body),
  };
  // Before the stream begins: without an entry in the ledger the answer is 503.
  const nextCall = await enterCall(deps.answering, asked);
  return beginAnswer({
    deps: { ...deps.answering, log: request.log },
    request: asked,
    out: new AnswerStream(encoding, event => kept?.note(event)),
    left,
    kept,
    nextCall,
  });
}

/** The thread that a question begins or carries on, and all that was said in it. */
async function threadOf(
  db: Queryable,
  projectId: string,
  body: MessageBody,
  messages: readonly ThreadMessage[],
): Promise<Pick<AnswerRequest, 'thread' | 'conversation'>> {
  const isCarriedOn = body.threadId != null;
  const of = { projectId, fp: body.fp, isCarriedOn };
  const thread = { id: body.threadId ?? newId('thread'), ...of };
  const stored = body.threadId ? await readThread(db, thread) : [];
  if (!stored) throw new Problem('not_found', 'There is no such thread.');
  const conversation = mergeThread(
    stored,
    messages,
    'messageId' in body ? body.messageId : undefined,
  );
  return { thread, conversation };
}

function optionsOf(body: MessageBody): Pick<AnswerRequest, 'pageSize' | 'filter' | 'reader'> {
  return {
    pageSize: body.retrievalPageSize ?? RESULTS.assistant,
    filter: body.filter ?? undefined,
    reader: {
      ...(body.context && { context: body.context }),
      ...(body.currentPath && { currentPath: body.currentPath }),
    },
  };
}
