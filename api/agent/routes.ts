import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ConversationSchema } from '../../shared/jobs/conversation.ts';
import { readChangedFiles } from '../../shared/db/jobs/conversation.ts';
import { listJobs } from '../../shared/db/jobs/jobs.ts';
import { mayKeyStillRead } from '../../shared/db/projects/keys.ts';
import { Problem } from '../../shared/errors.ts';
import { overOf } from '../plugins/response-end.ts';
import { agentProject } from '../plugins/auth.ts';
import { COMMON_PROBLEMS, problems } from '../plugins/problems.ts';
import { readConversation } from './read/conversation.ts';
import { createJob } from './write/create-job.ts';
import type { AgentDeps } from './deps.ts';
import { unifiedDiff } from './read/unified-diff.ts';
import { archiveJob, cancelJob } from './write/end-job.ts';
import { EVENT_STREAM_HEADERS, eventStream } from './stream/event-stream.ts';
import { idempotencyScope } from './write/idempotency.ts';
import { jobProgress } from './stream/job-progress.ts';
import {
  awaitJob,
  etagMatches,
  etagOf,
  jobBody,
  preferredWait,
  requireJob,
  rowStatus,
} from './read/read-job.ts';
import {
  CreateJobBody,
  EventsHeaders,
  EventsQuery,
  IdempotencyHeaders,
  JobList,
  JobParams,
  JobRef,
  JobSchema,
  ListQuery,
  MessageBody,
  ProjectParams,
  WaitHeaders,
} from './schemas.ts';
import { rewindRoute } from './rewind/rewind-route.ts';
import { sendMessage } from './write/send-message.ts';

const config = { access: 'admin' } as const;
const tags = ['agent'];
const NOT_MODIFIED = { description: 'The job is still the same.', type: 'null' };
/** Plain JSON schema: a TypeBox string would ask for a string where a stream is sent. */
const TEXT = { type: 'string' };
const reading = problems('invalid_request', ...COMMON_PROBLEMS);
const writing = problems(
  'invalid_request',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  ...COMMON_PROBLEMS,
);
/** They take no body, but one that is sent is read. */
const ending = problems(
  'invalid_request',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  ...COMMON_PROBLEMS,
);

/** Agent jobs, v2. */
export const agentRoutes: FastifyPluginAsyncTypebox<AgentDeps> = async (app, deps) => {
  app.addSchema(JobSchema);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization' });
  });

  app.post(
    '/v2/agent/:projectId/job',
    {
      config,
      schema: {
        tags,
        summary: 'Create agent job',
        params: ProjectParams,
        headers: IdempotencyHeaders,
        body: CreateJobBody,
        response: { 201: JobRef, ...writing },
      },
    },
    async (request, reply) => {
      const project = await agentProject(deps.pool, request.apiKey, request.params.projectId);
      const { prompt, branch, asDraft, model } = request.body;
      const job = await createJob(deps, {
        project,
        caller: { apiKeyId: request.apiKey.id },
        requestId: request.id,
        generation: 'v2',
        instructions: [{ role: 'user', prompt }],
        idempotency: idempotencyScope(request, `create ${project.id}`),
        ...(branch !== undefined && { branch }),
        ...(asDraft !== undefined && { asDraft }),
        ...(model !== undefined && { model }),
      });
      reply.code(201).header('location', `/v2/agent/${project.id}/job/${job.id}`);
      return jobBody(deps.config, job);
    },
  );

  app.get(
    '/v2/agent/:projectId/job/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Get agent job',
        params: JobParams,
        headers: WaitHeaders,
        response: { 200: JobRef, 304: NOT_MODIFIED, ...reading },
      },
    },
    async (request, reply) => {
      const project = await agentProject(deps.pool, request.apiKey, request.params.projectId);
      const { 'if-none-match': known, prefer } = request.headers;
      const seconds = preferredWait(prefer);
      if (seconds > 0) reply.header('preference-applied', `wait=${seconds}`);
      const job = await awaitJob(
        deps,
        project.id,
        request.params.id,
        seconds * 1000,
        overOf(reply),
        current =>
          rowStatus(current) !== 'active' ||
          (known !== undefined && !etagMatches(known, etagOf(jobBody(deps.config, current)))),
      );
      const body = jobBody(deps.config, job);
      const etag = etagOf(body);
      reply.header('etag', etag);
      if (etagMatches(known, etag)) return reply.code(304).send();
      return body;
    },
  );

  app.post(
    '/v2/agent/:projectId/job/:id/message',
    {
      config,
      schema: {
        tags,
        summary: 'Send follow-up message to an agent job',
        params: JobParams,
        headers: IdempotencyHeaders,
        body: MessageBody,
        response: { 200: JobRef, ...writing },
      },
    },
    async request => {
      const project = await agentProject(deps.pool, request.apiKey, request.params.projectId);
      const { id: jobId } = await requireJob(deps, project.id, request.params.id);
      await sendMessage(deps, {
        projectId: project.id,
        jobId,
        prompt: request.body.prompt,
        source: 'api',
        idempotency: idempotencyScope(request, `message ${jobId}`),
      });
      return jobBody(deps.config, await requireJob(deps, project.id, jobId));
    },
  );

  app.get(
    '/v2/agent/:projectId/jobs',
    {
      config,
      schema: {
        tags,
        summary: 'List agent jobs, newest first',
        params: ProjectParams,
        querystring: ListQuery,
        response: { 200: JobList, ...reading },
      },
    },
    async request => {
      const project = await agentProject(deps.pool, request.apiKey, request.params.projectId);
      const { limit = 20, cursor, status } = request.query;
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const jobs = await listJobs(deps.pool, project.id, {
        limit: limit + 1,
        ...(after !== undefined && { after }),
        ...(status && { status }),
      });
      const page = jobs.slice(0, limit);
      return {
        jobs: page.map(job => jobBody(deps.config, job)),
        nextCursor: jobs.length > limit ? Buffer.from(page.at(-1)!.id).toString('base64url') : null,
      };
    },
  );

  app.get(
    '/v2/agent/:projectId/job/:id/messages',
    {
      config,
      schema: {
        tags,
        summary: 'The conversation of a job: instructions, answers, outcomes, todos, usage',
        params: JobParams,
        response: { 200: ConversationSchema, ...reading },
      },
    },
    async request => {
      const project = await agentProject(deps.pool, request.apiKey, request.params.projectId);
      return readConversation(deps, await requireJob(deps, project.id, request.params.id));
    },
  );

  app.get(
    '/v2/agent/:projectId/job/:id/diff',
    {
      config,
      schema: {
        tags,
        summary: 'What the job has changed so far, as a unified diff',
        params: JobParams,
        response: {
          200: { description: 'Unified diff', content: { 'text/x-diff': { schema: TEXT } } },
          ...reading,
        },
      },
    },
    async (request, reply) => {
      const project = await agentProject(deps.pool, request.apiKey, request.params.projectId);
      const job = await requireJob(deps, project.id, request.params.id);
      const diff = unifiedDiff(await readChangedFiles(deps.pool, job.workspaceHead));
      return reply.type('text/x-diff; charset=utf-8').send(diff);
    },
  );

  app.get(
    '/v2/agent/:projectId/job/:id/events',
    {
      config,
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'The job’s progress, as server-sent events; ends when the job rests',
        params: JobParams,
        headers: EventsHeaders,
        querystring: EventsQuery,
        response: {
          200: {
            description: 'Server-sent events; each has the number of the event as its id',
            content: { 'text/event-stream': { schema: TEXT } },
          },
          ...reading,
        },
      },
    },
    async (request, reply) => {
      const project = await agentProject(deps.pool, request.apiKey, request.params.projectId);
      const job = await requireJob(deps, project.id, request.params.id);
      const { deltas = false } = request.query;
      const progress = jobProgress(deps, job, {
        after: request.headers['last-event-id'] ?? 0,
        deltas,
        signal: overOf(reply),
        mayRead: () => mayKeyStillRead(deps.pool, request.apiKey.id, project.id),
      });
      const stream = Readable.from(eventStream(progress));
      return reply.headers(EVENT_STREAM_HEADERS).send(stream);
    },
  );

  for (const [verb, end, summary] of [
    ['cancel', cancelJob, 'Cancel the turn under way'],
    ['archive', archiveJob, 'Archive a job at rest'],
  ] as const) {
    app.post(
      `/v2/agent/:projectId/job/:id/${verb}`,
      {
        config,
        schema: { tags, summary, params: JobParams, response: { 200: JobRef, ...ending } },
      },
      async (request, reply) => {
        const project = await agentProject(deps.pool, request.apiKey, request.params.projectId);
        return jobBody(deps.config, await end(deps, project.id, request.params.id, overOf(reply)));
      },
    );
  }

  await app.register(rewindRoute, deps);
};

function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!/^job_[0-9a-z]{26}$/.test(id))
    throw new Problem(
      'invalid_request',
      'cursor is not one that a page before gave as nextCursor.',
    );
  return id;
}
