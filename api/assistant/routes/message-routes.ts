import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { MessageBodyV1, MessageBodyV2 } from '../message-body.ts';
import { requireAssistantProject } from '../../plugins/path-project.ts';
import type { AssistantDeps } from '../deps.ts';
import { answerDataStream } from '../wire/v1-data-stream.ts';
import { uiMessageStream } from '../wire/v2-ui-message-stream.ts';
import { BODY_LIMITS } from '../../plugins/body-limits.ts';
import { textResponse } from '../../agent/responses.ts';
import { AnswerEventSchema } from '../wire/event-schemas.ts';
import { answerMessage } from './answer-message.ts';
import { FAILURES, PATHS, ROUTE } from './paths.ts';
import { DomainParams, MessageQuery } from './schemas.ts';

const UI_MESSAGE_STREAM = textResponse(
  'text/event-stream',
  'A UI message stream, up to [DONE].',
  AnswerEventSchema,
);

/** A question to the assistant, in both generations: they differ in body and wire format. */
export const messageRoutes: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
  requireAssistantProject(app, deps.db);

  app.post(
    PATHS.messageV2,
    {
      ...ROUTE,
      bodyLimit: BODY_LIMITS.conversation,
      schema: {
        tags: ['Assistant'],
        ...{ operationId: 'askAssistant', summary: 'Ask the assistant (chat SDK 5 and later)' },
        description: 'Streams an answer that is made from pages of the site, and cites them.',
        params: DomainParams,
        querystring: MessageQuery,
        body: MessageBodyV2,
        response: { 200: UI_MESSAGE_STREAM, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { body, query } = request;
      // The SDK's own transport sends `trigger`; its older releases refuse a stream with any key
      // that they do not know.
      const topLevelThreadId = body.trigger === undefined && query.finish !== 'metadata';
      return answerMessage(deps, request, reply, body, uiMessageStream({ topLevelThreadId }));
    },
  );

  app.post(
    PATHS.messageV1,
    {
      ...ROUTE,
      bodyLimit: BODY_LIMITS.conversation,
      schema: {
        tags: ['Assistant'],
        ...{ operationId: 'askAssistantV1', summary: 'Ask the assistant (chat SDK 4)' },
        description: 'Streams an answer that is made from pages of the site, and cites them.',
        deprecated: true,
        params: DomainParams,
        body: MessageBodyV1,
        response: { 200: textResponse('text/plain', 'A data stream.'), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const parts = body.messages.some(message => message.parts !== undefined);
      return answerMessage(deps, request, reply, body, answerDataStream({ parts }));
    },
  );
};
