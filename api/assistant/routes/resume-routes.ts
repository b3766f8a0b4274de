import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findConversation } from '../../../db/assistant/readers.ts';
import { findRunning, readParts, touchRunning } from '../../../db/assistant/running-answers.ts';
import { ANONYMOUS } from '../../../db/assistant/threads.ts';
import type { Queryable } from '../../../db/pool.ts';
import { requireAssistantProject } from '../../plugins/path-project.ts';
import { responseEnd } from '../../plugins/response-end.ts';
import type { AssistantDeps } from '../deps.ts';
import { takeStreamSlot } from '../limits/stream-slots.ts';
import type { AnswerEvent, Encoding } from '../wire/answer-events.ts';
import { AnswerStream } from '../wire/answer-stream.ts';
import { answerDataStream } from '../wire/v1-data-stream.ts';
import { uiMessageStream } from '../wire/v2-ui-message-stream.ts';
import { PATHS, ROUTE } from './paths.ts';

const READ_EVERY_MS = 500;
const THREAD = /^thread_[0-9a-z]{26}$/;
/** Older releases add the rest of the path to the whole address, its query included. */
const IN_QUERY = /^metadata\/([^/]+)\/stream$/;

const word = Type.Optional(Type.String());
const schema = { hide: true, querystring: Type.Object({ fp: word, chatId: word, finish: word }) };
const params = Type.Object({ domain: Type.String(), chatId: Type.String() });

/**
 * Where a hook asks for the answer that is being made in its chat: 204 if there is none. A chat is
 * known by its thread alone. Its own id is the page's choice, and may be the same for all readers.
 */
export const resumeRoutes: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
  requireAssistantProject(app, deps.db);
  const v2 = uiMessageStream({ topLevelThreadId: false });
  const v1 = answerDataStream({ parts: true });

  app.get(PATHS.resumeV2, { ...ROUTE, schema: { ...schema, params } }, async (request, reply) =>
    resume(deps, request, reply, { threadId: request.params.chatId, fp: request.query.fp }, v2),
  );
  app.get(PATHS.messageV2, { ...ROUTE, schema }, async (request, reply) => {
    const threadId = IN_QUERY.exec(request.query.finish ?? '')?.[1];
    return resume(deps, request, reply, { threadId, fp: request.query.fp }, v2);
  });
  app.get(PATHS.messageV1, { ...ROUTE, schema }, async (request, reply) =>
    resume(deps, request, reply, { threadId: request.query.chatId, fp: request.query.fp }, v1),
  );
};

async function resume(
  deps: AssistantDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { threadId = '', fp = ANONYMOUS }: { threadId: string | undefined; fp: string | undefined },
  encoding: Encoding,
): Promise<FastifyReply> {
  const { db, answering } = deps;
  const of = { threadId, projectId: request.project.id, fp };
  const isTheirs = THREAD.test(threadId) && (await findConversation(db, of)) !== undefined;
  const messageId = isTheirs && (await findRunning(db, { threadId, apiKeyId: request.apiKey.id }));
  reply.header('cache-control', 'no-store');
  if (!messageId) return reply.code(204).send();

  const left = responseEnd(reply);
  await takeStreamSlot(deps, request, left);
  const out = new AnswerStream(encoding);
  reply.headers({ ...encoding.headers, 'x-thread-id': threadId });
  readOn(answering.db, messageId, out, left).then(
    () => out.end(),
    (error: Error) => out.destroy(error),
  );
  return reply.send(out);
}

/** From the answer's beginning to its end, or until the reader has left again. */
async function readOn(
  db: Queryable,
  messageId: string,
  out: AnswerStream,
  left: AbortSignal,
): Promise<void> {
  for (let after = 0; !left.aborted;) {
    // Asked first: what is read after the end has all parts.
    const running = await touchRunning(db, messageId);
    const parts = await readParts(db, messageId, after);
    for (const { n, events } of parts) {
      for (const event of events) out.send(event as AnswerEvent);
      after = n;
    }
    if (running?.isEnded) return;
    if (!running || running.isLost) throw new Error('the answer is not made any more');
    await out.full();
    await sleep(READ_EVERY_MS, undefined, { signal: left }).catch(() => {});
  }
}
