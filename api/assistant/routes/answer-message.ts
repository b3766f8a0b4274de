import type { FastifyReply, FastifyRequest } from 'fastify';
import { readThread } from '../../../shared/db/assistant/threads.ts';
import { Problem } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { overOf } from '../../plugins/response-end.ts';
import { assistantProject } from '../../plugins/auth.ts';
import { answer } from '../answer/answer.ts';
import { AnswerStream } from '../wire/answer-stream.ts';
import { mergeThread, messagesOf } from '../answer/conversation.ts';
import type { Encoding } from '../wire/answer-events.ts';
import { checkCost, countUse, refuseUsedUp } from '../limits/use-limits.ts';
import type { MessageBody } from '../../../shared/assistant/message-body.ts';
import type { AssistantService } from '../deps.ts';
import { RESULTS } from '../../../shared/search/number-of-results.ts';

/**
 * Answers a message in either generation: what can be refused is refused before a use is counted,
 * and the stream begins before the search does. The model call ends when the reader leaves.
 */
export async function answerMessage(
  service: AssistantService,
  request: FastifyRequest,
  reply: FastifyReply,
  domain: string,
  body: MessageBody,
  encoding: Encoding,
): Promise<FastifyReply> {
  const { config, db } = service;
  const key = request.apiKey;
  const over = overOf(reply);

  const project = await assistantProject(db, key, domain);
  const messages = messagesOf(body);
  await checkCost(db, config, key);
  const caller = { key, ip: request.ip };
  if (!service.slots.take(key.id, over)) {
    await refuseUsedUp(service.limiter, config, caller); // a limit says when to come back, a crowd does not
    throw new Problem(
      'unavailable',
      'Too many answers are being streamed just now; try again in a moment.',
      { headers: { 'retry-after': '2' } },
    );
  }
  const thread = { id: body.threadId ?? newId('thread'), projectId: project.id, fp: body.fp };
  const stored = body.threadId ? await readThread(db, thread) : [];
  if (!stored) throw new Problem('not_found', 'There is no such thread.');
  reply.headers(await countUse(service.limiter, config, caller, 'message'));

  reply.headers({ ...encoding.headers, 'x-thread-id': thread.id });
  const stream = new AnswerStream(encoding);
  answer(
    { ...service.answering, log: request.log },
    {
      project,
      apiKeyId: key.id,
      thread,
      conversation: mergeThread(stored, messages, 'messageId' in body ? body.messageId : undefined),
      pageSize: body.retrievalPageSize ?? RESULTS.assistant,
      filter: body.filter ?? undefined,
      reader: {
        ...(body.context && { context: body.context }),
        ...(body.currentPath && { currentPath: body.currentPath }),
      },
    },
    stream,
    over,
  ).then(
    () => stream.end(),
    (error: Error) => stream.destroy(error),
  );
  request.body = undefined; // hooks send the whole conversation back: it need not stay in memory while the answer streams
  return reply.send(stream);
}
