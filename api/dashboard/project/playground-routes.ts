import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { ProjectParams } from '../../../shared/dashboard/projects.ts';
import { playgroundKey } from '../../../shared/db/projects/project-keys.ts';
import { uiMessageStream } from '../../assistant/wire/v2-ui-message-stream.ts';
import { answerMessage } from '../../assistant/routes/answer-message.ts';
import { MessageBodyV2 } from '../../assistant/routes/schemas.ts';
import type { DashboardDeps } from '../deps.ts';

const BODY_LIMIT = 4 * 1024 * 1024; // as the assistant's own route

/**
 * The assistant as readers get it: the same handler, limits and ledger, under a key of the
 * project's that nobody holds. Threads are the user's own.
 */
export const playgroundRoutes: FastifyPluginAsyncTypebox<DashboardDeps> = async (app, deps) => {
  app.post(
    '/projects/:projectId/assistant',
    {
      bodyLimit: BODY_LIMIT,
      config: { role: 'viewer' },
      schema: { params: ProjectParams, body: Type.Omit(MessageBodyV2, ['fp']) },
    },
    async (request, reply) => {
      const { project, body } = request;
      request.apiKey = await playgroundKey(deps.pool, project);
      return answerMessage(
        deps.assistant,
        request,
        reply,
        { ...body, fp: request.signedIn.user.id },
        uiMessageStream({ topLevelThreadId: false }),
      );
    },
  );
};
