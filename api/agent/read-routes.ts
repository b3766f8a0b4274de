import type { Static } from '@sinclair/typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readChangedFiles } from '../../db/jobs/conversation.ts';
import { readOutcomes } from '../../db/jobs/job-overviews.ts';
import { outcomesOf, resultOf } from '../../db/jobs/outcome.ts';
import { listJobs } from '../../db/jobs/jobs.ts';
import { ConversationSchema } from '../../shared/jobs/conversation.ts';
import { page, readCursor } from '../dashboard/paging.ts';
import { responseEnd } from '../plugins/response-end.ts';
import type { JobsDeps } from '../../jobs/deps.ts';
import { jobOfPath } from './path-job.ts';
import { READ_PROBLEMS, textResponse } from './responses.ts';
import { JobList, JobParams, JobRef, ListQuery, ProjectParams, WaitHeaders } from './schemas.ts';
import { readConversation } from '../../jobs/conversation.ts';
import { etagMatches, etagOf } from '../etag.ts';
import { awaitJob, rowStatus } from '../../jobs/read-job.ts';
import { jobBody, preferredWait } from './job-body.ts';
import { unifiedDiff } from '../../jobs/unified-diff.ts';

const config = { access: 'admin' } as const;
const tags = ['Agent'];
const NOT_MODIFIED = { description: 'The job is still the same.', type: 'null' };

/** What reads jobs: one, the list, the conversation, the diff. */
export const readRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  await app.register(jobRoute, deps);
  await app.register(listRoute, deps);
  await app.register(contentRoutes, deps);
};

const jobRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.get(
    '/v2/agent/:projectId/job/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getJob',
        summary: 'Get agent job',
        description: 'Poll it until status is no longer active, or wait with Prefer.',
        params: JobParams,
        headers: WaitHeaders,
        response: { 200: JobRef, 304: NOT_MODIFIED, ...READ_PROBLEMS },
      },
    },
    async (request, reply) => {
      const { 'if-none-match': known, prefer } = request.headers;
      const seconds = preferredWait(prefer);
      if (seconds > 0) reply.header('preference-applied', `wait=${seconds}`);
      const job = await awaitJob(deps, request.project.id, request.params.id, {
        ms: seconds * 1000,
        reader: { id: request.apiKey.id, end: responseEnd(reply) },
        untilIdle: known === undefined,
        enough: current =>
          rowStatus(current) !== 'active' ||
          (known !== undefined && !etagMatches(known, etagOf(jobBody(deps.config, current)))),
      });
      const body = jobBody(deps.config, job);
      const etag = etagOf(body);
      reply.header('etag', etag);
      if (etagMatches(known, etag)) return reply.code(304).send();
      return body;
    },
  );
};

const listRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.get(
    '/v2/agent/:projectId/jobs',
    {
      config,
      schema: {
        tags,
        operationId: 'listJobs',
        summary: 'List agent jobs',
        description: 'Newest first.',
        params: ProjectParams,
        querystring: ListQuery,
        response: { 200: JobList, ...READ_PROBLEMS },
      },
    },
    async request => listedJobs(deps, request.project.id, request.query),
  );
};

/** A page of a project's jobs. */
export async function listedJobs(
  deps: JobsDeps,
  projectId: string,
  query: Static<typeof ListQuery>,
): Promise<Static<typeof JobList>> {
  const { limit = 20, cursor, status, outcome } = query;
  const found = await listJobs(deps.pool, projectId, {
    limit: limit + 1,
    ...(cursor !== undefined && { after: readCursor(cursor, 'job') }),
    ...(status && { status }),
    ...(outcome && { outcomes: outcomesOf(outcome) }),
  });
  const { rows, nextCursor } = page(found, limit);
  const outcomes = await readOutcomes(
    deps.pool,
    rows.map(({ id }) => id),
  );
  const jobs = rows.map(job => {
    const end = outcomes.get(job.id);
    return {
      ...jobBody(deps.config, job),
      outcome: resultOf(end?.outcome ?? 'active'),
      failureCode: end?.code ?? null,
    };
  });
  return { jobs, nextCursor };
}

const contentRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  const preHandler = jobOfPath(deps.pool);

  app.get(
    '/v2/agent/:projectId/job/:id/messages',
    {
      config,
      preHandler,
      schema: {
        tags,
        operationId: 'getMessages',
        summary: 'Get the conversation of an agent job',
        description: 'Instructions, answers, outcomes, todos, usage.',
        params: JobParams,
        response: { 200: ConversationSchema, ...READ_PROBLEMS },
      },
    },
    async request => readConversation(deps, request.job),
  );

  app.get(
    '/v2/agent/:projectId/job/:id/diff',
    {
      config,
      preHandler,
      schema: {
        tags,
        operationId: 'getDiff',
        summary: 'Get the changes of an agent job',
        description: 'What it has changed so far, as a unified diff.',
        params: JobParams,
        response: { 200: textResponse('text/x-diff', 'Unified diff'), ...READ_PROBLEMS },
      },
    },
    async (request, reply) => {
      const diff = unifiedDiff(await readChangedFiles(deps.pool, request.job.workspaceHead));
      return reply.type('text/x-diff; charset=utf-8').send(diff);
    },
  );
};
