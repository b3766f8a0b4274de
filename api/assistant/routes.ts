import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { AssistantDeps } from './deps.ts';
import { registerPreflights } from './routes/cors.ts';
import { feedbackRoutes } from './routes/feedback-routes.ts';
import { markdownRoutes } from './routes/markdown-routes.ts';
import { messageRoutes } from './routes/message-routes.ts';
import { resumeRoutes } from './routes/resume-routes.ts';
import { threadRoutes } from './routes/thread-routes.ts';
import { searchRoutes } from './routes/search-routes.ts';

/**
 * The assistant's endpoints: messages in both generations, search, page, votes, and the site as
 * Markdown.
 */
export const assistantRoutes: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
  registerPreflights(app);
  await app.register(messageRoutes, deps);
  await app.register(resumeRoutes, deps);
  await app.register(searchRoutes, deps);
  await app.register(feedbackRoutes, deps);
  await app.register(threadRoutes, deps);
  await app.register(markdownRoutes, deps);
};
