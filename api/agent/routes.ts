import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiDeps } from '../app.ts';

/** Agent jobs, v2. */
export const agentRoutes: FastifyPluginAsyncTypebox<ApiDeps> = async () => undefined;
