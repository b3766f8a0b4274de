import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { ANONYMOUS } from '../../../db/assistant/threads.ts';
import { requireAssistantProject } from '../../plugins/path-project.ts';
import { conversation } from '../../readers/conversation.ts';
import { OwnThreadPage, Thread, threadId } from '../../readers/schemas.ts';
import type { AssistantDeps } from '../deps.ts';
import { countUse } from '../limits/use-limits.ts';
import { FAILURES, PATHS, ROUTE } from './paths.ts';
import { DomainParams } from './schemas.ts';

/** A reader's own conversation, so that a page can show yesterday's: counted as a search. */
export const threadRoutes: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
  requireAssistantProject(app, deps.db);
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.get(
    PATHS.thread,
    {
      ...ROUTE,
      schema: {
        tags: ['Assistant'],
        ...{ operationId: 'readOwnThread', summary: 'Read a conversation back' },
        description: 'Its messages in order, with sources and votes, for the reader who began it.',
        params: Type.Object({ ...DomainParams.properties, threadId }),
        querystring: OwnThreadPage,
        response: { 200: Thread, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { params, query, project } = request;
      reply.headers(await countUse(deps.limiter, request, 'search'));
      const of = { projectId: project.id, threadId: params.threadId, fp: query.fp ?? ANONYMOUS };
      return conversation(deps.db, of, query.cursor);
    },
  );
};
