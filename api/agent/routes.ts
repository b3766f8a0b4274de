import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAgentProject } from '../plugins/path-project.ts';
import type { JobsDeps } from '../../jobs/deps.ts';
import { readRoutes } from './read-routes.ts';
import { rewindRoute } from './rewind-route.ts';
import { JobSchema } from './schemas.ts';
import { streamRoute } from './stream-route.ts';
import { uploadRoutes } from './upload-routes.ts';
import { writeRoutes } from './write-routes.ts';

/** Agent jobs, v2. */
export const agentRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.addSchema(JobSchema);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization' });
  });
  requireAgentProject(app, deps.pool);
  app.decorateRequest('job');
  await app.register(writeRoutes, deps);
  await app.register(uploadRoutes, deps);
  await app.register(readRoutes, deps);
  await app.register(streamRoute, deps);
  await app.register(rewindRoute, deps);
};
