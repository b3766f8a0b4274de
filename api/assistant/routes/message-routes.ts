import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { MessageBodyV1, MessageBodyV2 } from '../../../shared/assistant/message-body.ts';
import { Problem } from '../../../shared/errors.ts';
import { readPage } from '../../../shared/db/search/pages.ts';
import { assistantProject } from '../../plugins/auth.ts';
import { COMMON_PROBLEMS, problems } from '../../plugins/problems.ts';
import { shown } from '../answer/citations.ts';
import { registerPreflights } from './cors.ts';
import { dataStream } from '../wire/v1-data-stream.ts';
import { uiMessageStream } from '../wire/v2-ui-message-stream.ts';
import { answerMessage } from './answer-message.ts';
import { countUse } from '../limits/use-limits.ts';
import {
  DomainParams,
  MessageQuery,
  PageAnswer,
  PageBody,
  SearchAnswer,
  SearchBody,
} from './schemas.ts';
import type { AssistantService } from '../deps.ts';
import { RESULTS } from '../../../shared/search/number-of-results.ts';

const MESSAGE_V2 = '/discovery/v2/assistant/:domain/message';
const MESSAGE_V1 = '/discovery/v1/assistant/:domain/message';
const SEARCH = '/discovery/v1/search/:domain';
const PAGE = '/discovery/v1/page/:domain';

const ROUTE = {
  bodyLimit: 4 * 1024 * 1024, // hooks send the whole conversation back, sources included
  config: { access: 'assistant' as const },
};
const FAILURES = problems(
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  ...COMMON_PROBLEMS,
);

/** The assistant's endpoints: messages in both generations, search, page. */
export const assistantRoutes: FastifyPluginAsyncTypebox<AssistantService> = async (
  app,
  service,
) => {
  registerPreflights(app, [MESSAGE_V2, MESSAGE_V1, SEARCH, PAGE]);
  await app.register(messageRoutes, service);
  await app.register(pageRoutes, service);
};

const messageRoutes: FastifyPluginAsyncTypebox<AssistantService> = async (app, service) => {
  app.post(
    MESSAGE_V2,
    {
      ...ROUTE,
      schema: {
        tags: ['assistant'],
        summary: 'Ask the assistant (chat SDK 5 and later)',
        params: DomainParams,
        querystring: MessageQuery,
        body: MessageBodyV2,
        response: { 200: streamed('text/event-stream', 'A UI message stream.'), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { body, params, query } = request;
      // The SDK's own transport says `trigger`; its older releases refuse a stream with any key
      // that they do not know.
      const topLevelThreadId = body.trigger === undefined && query.finish !== 'metadata';
      return answerMessage(
        service,
        request,
        reply,
        params.domain,
        body,
        uiMessageStream({ topLevelThreadId }),
      );
    },
  );

  app.post(
    MESSAGE_V1,
    {
      ...ROUTE,
      schema: {
        tags: ['assistant'],
        summary: 'Ask the assistant (chat SDK 4)',
        deprecated: true,
        params: DomainParams,
        body: MessageBodyV1,
        response: { 200: streamed('text/plain', 'A data stream.'), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { body, params } = request;
      const parts = body.messages.some(message => message.parts !== undefined);
      return answerMessage(service, request, reply, params.domain, body, dataStream({ parts }));
    },
  );
};

const pageRoutes: FastifyPluginAsyncTypebox<AssistantService> = async (
  app,
  { config, db, limiter, answering },
) => {
  app.post(
    SEARCH,
    {
      ...ROUTE,
      schema: {
        tags: ['assistant'],
        summary: 'Search the pages',
        params: DomainParams,
        body: SearchBody,
        response: { 200: SearchAnswer, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { query, pageSize, filter } = request.body;
      const project = await assistantProject(db, request.apiKey, request.params.domain);
      reply.headers(
        await countUse(limiter, config, { key: request.apiKey, ip: request.ip }, 'search'),
      );
      const found = await answering.search({
        projectId: project.id,
        query,
        pageSize: pageSize ?? RESULTS.endpoint,
        ...(filter && { filter }),
      });
      return found.map(shown);
    },
  );

  app.post(
    PAGE,
    {
      ...ROUTE,
      schema: {
        tags: ['assistant'],
        summary: 'Read a page',
        params: DomainParams,
        body: PageBody,
        response: { 200: PageAnswer, ...FAILURES },
      },
    },
    async (request, reply) => {
      const project = await assistantProject(db, request.apiKey, request.params.domain);
      reply.headers(
        await countUse(limiter, config, { key: request.apiKey, ip: request.ip }, 'search'),
      );
      const page = await readPage(
        db,
        project.id,
        request.body.path,
        request.body.filter ?? undefined,
      );
      if (!page) throw new Problem('not_found', 'There is no such page.');
      return page;
    },
  );
};

function streamed(type: string, description: string) {
  return { description, content: { [type]: { schema: { type: 'string' } } } };
}
