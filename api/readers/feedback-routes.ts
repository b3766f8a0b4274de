import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  changePageFeedback,
  countPageFeedback,
  listPageFeedback,
} from '../../db/assistant/page-feedback.ts';
import { Problem } from '../../shared/errors.ts';
import { CHANGE_PROBLEMS, READ_PROBLEMS } from '../agent/responses.ts';
import type { ApiDeps } from '../deps.ts';
import { requireAgentProject } from '../plugins/path-project.ts';
import {
  ByPage,
  FeedbackChange,
  FeedbackList,
  FeedbackParams,
  ListQuery,
} from './feedback-schemas.ts';
import { PeriodQuery, periodOf } from './period.ts';
import { ProjectParams } from './schemas.ts';

const config = { access: 'admin' } as const;
const tags = ['Readers'];
const FEEDBACK = '/v1/analytics/:projectId/feedback';
const MOST_PAGES = 1_000;

/** What readers think of pages: the paths and shapes of the platform whose sites we read. */
export const pageFeedbackRoutes: FastifyPluginAsyncTypebox<ApiDeps> = async (app, deps) => {
  requireAgentProject(app, deps.pool);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', vary: 'Authorization' });
  });
  await app.register(listRoute, deps);
  await app.register(countRoute, deps);
  await app.register(changeRoute, deps);
};

const listRoute: FastifyPluginAsyncTypebox<ApiDeps> = async (app, { pool }) => {
  app.get(
    FEEDBACK,
    {
      config,
      schema: {
        ...{ tags, operationId: 'listPageFeedback', summary: 'List feedback on pages' },
        description: 'What readers and their agents said of pages, newest first.',
        ...{ params: ProjectParams, querystring: ListQuery },
        response: { 200: FeedbackList, ...READ_PROBLEMS },
      },
    },
    async ({ project, query }) => {
      const { limit = 50, cursor: after } = query;
      const found = await listPageFeedback(pool, project.id, {
        ...{ ...periodOf(query), after },
        limit: limit + 1,
      });
      const hasMore = found.length > limit;
      const feedback = found
        .slice(0, limit)
        .map(each => ({ ...each, createdAt: each.createdAt.toISOString() }));
      return { feedback, nextCursor: hasMore ? feedback.at(-1)!.id : null, hasMore };
    },
  );
};

const countRoute: FastifyPluginAsyncTypebox<ApiDeps> = async (app, { pool }) => {
  app.get(
    `${FEEDBACK}/by-page`,
    {
      config,
      schema: {
        ...{ tags, operationId: 'countPageFeedback', summary: 'Count feedback by page' },
        description: 'The 1,000 pages with the most.',
        ...{ params: ProjectParams, querystring: PeriodQuery },
        response: { 200: ByPage, ...READ_PROBLEMS },
      },
    },
    async ({ project, query }) => ({
      feedback: await countPageFeedback(pool, project.id, {
        ...periodOf(query),
        limit: MOST_PAGES,
      }),
    }),
  );
};

const changeRoute: FastifyPluginAsyncTypebox<ApiDeps> = async (app, { pool }) => {
  app.patch(
    `${FEEDBACK}/:feedbackId`,
    {
      config,
      schema: {
        ...{ tags, operationId: 'changePageFeedback', summary: 'Change the status of feedback' },
        description: 'A reader who changes their mind makes it pending again.',
        ...{ params: FeedbackParams, body: FeedbackChange },
        response: { 204: { type: 'null', description: 'It is changed.' }, ...CHANGE_PROBLEMS },
      },
    },
    async ({ project, params, body }, reply) => {
      if (!(await changePageFeedback(pool, project.id, params.feedbackId, body.status)))
        throw new Problem('not_found', 'There is no such feedback.');
      return reply.code(204).send(null);
    },
  );
};
