import { keyOfOurs } from '../../../db/projects/project-keys.ts';
import { uiMessageStream } from '../../assistant/wire/v2-ui-message-stream.ts';
import { answerMessage } from '../../assistant/routes/answer-message.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';

/**
 * The assistant as readers get it: the same handler, limits and ledger, under a key of the
 * project's that nobody holds. Threads are the user's own.
 */
export function playgroundRoutes(deps: DashboardDeps) {
  return {
    'POST /projects/:projectId/assistant': async (request, reply) => {
      const { project, body } = request;
      request.apiKey = await keyOfOurs(deps.pool, project, 'Playground');
      return answerMessage(
        deps.assistant,
        request,
        reply,
        { ...body, fp: request.signedIn.user.id },
        uiMessageStream({ topLevelThreadId: false }),
      );
    },
  } satisfies Partial<Handlers>;
}
