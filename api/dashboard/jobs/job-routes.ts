import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { ConversationSchema } from '../../../shared/jobs/conversation.ts';
import {
  Diff,
  EventsHeaders,
  EventsQuery,
  Job,
  JobDetail,
  JobList,
  JobListQuery,
  JobParams,
  NewJob,
  NewMessage,
  RewindTo,
} from '../../../shared/dashboard/jobs.ts';
import { ProjectParams } from '../../../shared/dashboard/projects.ts';
import { readChangedFiles } from '../../../shared/db/jobs/conversation.ts';
import { readProgress } from '../../../shared/db/jobs/events.ts';
import { listJobOverviews } from '../../../shared/db/jobs/job-overviews.ts';
import { isStillThere } from '../../../shared/db/people/sessions.ts';
import { readConversation } from '../../agent/read/conversation.ts';
import { createJob } from '../../agent/write/create-job.ts';
import { unifiedDiff } from '../../agent/read/unified-diff.ts';
import { archiveJob, cancelJob } from '../../agent/write/end-job.ts';
import { EVENT_STREAM_HEADERS, eventStream } from '../../agent/stream/event-stream.ts';
import { jobProgress } from '../../agent/stream/job-progress.ts';
import { requireJob } from '../../agent/read/read-job.ts';
import { rewindJob } from '../../agent/rewind/rewind-job.ts';
import { sendMessage } from '../../agent/write/send-message.ts';
import { responseEnd } from '../../plugins/response-end.ts';
import { isAtLeast } from '../access.ts';
import type { DashboardDeps } from '../deps.ts';
import { diffBody } from './diff.ts';
import { jobView, readJobDetail, readJobView } from './job-view.ts';
import { page, readCursor } from '../paging.ts';

/** Jobs of a project: what the agent API does, for people. */
export const jobRoutes: FastifyPluginAsyncTypebox<DashboardDeps> = async (app, deps) => {
  const { pool } = deps;
  const viewer = { role: 'viewer' } as const;
  const member = { role: 'member' } as const;

  app.get(
    '/projects/:projectId/jobs',
    {
      config: viewer,
      schema: { params: ProjectParams, querystring: JobListQuery, response: { 200: JobList } },
    },
    async ({ project, query }) => {
      const { limit = 25, cursor, status, search } = query;
      const rows = await listJobOverviews(pool, project.id, {
        limit: limit + 1,
        ...(status && { status }),
        ...(search && { search }),
        ...(cursor !== undefined && { after: readCursor(cursor) }),
      });
      const { rows: kept, nextCursor } = page(rows, limit);
      return { jobs: kept.map(row => jobView(deps.config, row)), nextCursor };
    },
  );

  app.post(
    '/projects/:projectId/jobs',
    {
      config: member,
      schema: { params: ProjectParams, body: NewJob, response: { 201: Job } },
    },
    async (request, reply) => {
      reply.code(201);
      return startJob(deps, request, request.body);
    },
  );

  app.get(
    '/projects/:projectId/jobs/:id',
    { config: viewer, schema: { params: JobParams, response: { 200: JobDetail } } },
    ({ project, params, membership }) =>
      readJobDetail(deps, project.id, params.id, isAtLeast(membership.role, 'owner')),
  );

  app.get(
    '/projects/:projectId/jobs/:id/messages',
    { config: viewer, schema: { params: JobParams, response: { 200: ConversationSchema } } },
    async ({ project, params }) =>
      readConversation(deps, await requireJob(deps, project.id, params.id)),
  );

  app.get(
    '/projects/:projectId/jobs/:id/diff',
    { config: viewer, schema: { params: JobParams, response: { 200: Diff } } },
    async ({ project, params }) => {
      const job = await requireJob(deps, project.id, params.id);
      return diffBody(unifiedDiff(await readChangedFiles(pool, job.workspaceHead)));
    },
  );

  app.get(
    '/projects/:projectId/jobs/:id/events',
    {
      config: viewer,
      exposeHeadRoute: false,
      schema: { params: JobParams, querystring: EventsQuery, headers: EventsHeaders },
    },
    async (request, reply) => {
      const job = await requireJob(deps, request.project.id, request.params.id);
      const after = request.headers['last-event-id'] ?? 0;
      const progress = await readProgress(pool, job.id, after, 1);
      // A browser comes back whenever a stream ends; 204 tells it that there is nothing to come
      // back for.
      if (progress?.resting && progress.lastEvent <= after) return reply.code(204).send();
      const { deltas = false } = request.query;
      const mayRead = () => isStillThere(pool, request.signedIn.id, request.project.id);
      const stream = eventStream(
        jobProgress(deps, job, { after, deltas, signal: responseEnd(reply), mayRead }),
      );
      return reply.headers(EVENT_STREAM_HEADERS).send(Readable.from(stream));
    },
  );

  app.post(
    '/projects/:projectId/jobs/:id/message',
    { config: member, schema: { params: JobParams, body: NewMessage, response: { 200: Job } } },
    async ({ project, params, body }) => {
      const { id: jobId } = await requireJob(deps, project.id, params.id);
      await sendMessage(deps, {
        projectId: project.id,
        jobId,
        prompt: body.prompt,
        source: 'dashboard',
        idempotency: undefined,
      });
      return readJobView(deps, project.id, jobId);
    },
  );

  app.post(
    '/projects/:projectId/jobs/:id/rewind',
    { config: member, schema: { params: JobParams, body: RewindTo, response: { 200: Job } } },
    async ({ project, params, body }) => {
      const { id: jobId } = await rewindJob(
        { ...deps, log: app.log },
        { projectId: project.id, jobId: params.id, ...body },
      );
      return readJobView(deps, project.id, jobId);
    },
  );

  for (const [verb, end] of [
    ['cancel', cancelJob],
    ['archive', archiveJob],
  ] as const) {
    app.post(
      `/projects/:projectId/jobs/:id/${verb}`,
      { config: member, schema: { params: JobParams, response: { 200: Job } } },
      async ({ project, params }, reply) => {
        await end(deps, project.id, params.id, responseEnd(reply));
        return readJobView(deps, project.id, params.id);
      },
    );
  }
};

/** Starts a job in the name of whoever is signed in. */
export async function startJob(
  deps: DashboardDeps,
  request: FastifyRequest,
  { prompt, branch, asDraft, model }: NewJob,
): Promise<Job> {
  const { project } = request;
  const job = await createJob(deps, {
    project,
    caller: { userId: request.signedIn.user.id },
    requestId: request.id,
    generation: 'v2',
    instructions: [{ role: 'user', prompt }],
    idempotency: undefined,
    ...(branch !== undefined && { branch }),
    ...(asDraft !== undefined && { asDraft }),
    ...(model !== undefined && { model }),
  });
  return readJobView(deps, project.id, job.id);
}
