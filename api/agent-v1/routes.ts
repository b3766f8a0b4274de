import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listJobs } from '../../db/jobs/jobs.ts';
import type { Job } from '../../db/jobs/job.ts';
import { mayKeyStillRead } from '../../db/projects/keys.ts';
import { Problem } from '../../shared/errors.ts';
import { createJob } from '../../jobs/create-job.ts';
import type { JobsDeps } from '../../jobs/deps.ts';
import { idempotencyScope } from '../agent/idempotency-scope.ts';
import { jobProgress } from '../../jobs/watch/job-progress.ts';
import { readJob, requireJob, rowStatus } from '../../jobs/read-job.ts';
import { READ_PROBLEMS, textResponse, WRITE_PROBLEMS } from '../agent/responses.ts';
import { IdempotencyHeaders, JobParams, ProjectParams } from '../agent/schemas.ts';
import { linkNow } from '../../hosts/registry.ts';
import { requireAgentProject } from '../plugins/path-project.ts';
import { responseEnd } from '../plugins/response-end.ts';
import { DATA_STREAM_HEADERS, jobDataStream } from './data-stream.ts';
import {
  CreateSessionBody,
  type SessionBody,
  SessionList,
  SessionListQuery,
  SessionRef,
  SessionSchema,
} from './schemas.ts';

const config = { access: 'admin' } as const;
const tags = ['Agent v1'];
const deprecated = true;
const SESSION_STREAM = textResponse(
  'text/plain',
  'Data stream of the chat SDK, version 4; ' +
    'X-Session-Id and X-Branch-Name name the session and its branch',
);

/** Agent sessions, v1, deprecated: another view of the same jobs. */
export const agentV1Routes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.addSchema(SessionSchema);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization' });
  });
  requireAgentProject(app, deps.pool);
  await app.register(createRoute, deps);
  await app.register(readRoutes, deps);
};

const CREATE = {
  tags,
  deprecated,
  operationId: 'createSession',
  summary: 'Create agent job',
  description: 'Streams its execution. The model is sonnet by default.',
  params: ProjectParams,
  headers: IdempotencyHeaders,
  body: CreateSessionBody,
  response: { 200: SESSION_STREAM, ...WRITE_PROBLEMS },
};

const createRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.post(
    '/v1/agent/:projectId/job',
    {
      config,
      schema: CREATE,
    },
    async (request, reply) => {
      const { project, apiKey } = request;
      const { messages, branch, asDraft, model = 'sonnet' } = request.body;
      const job = await createJob(deps, {
        project,
        caller: { apiKeyId: apiKey.id },
        requestId: request.id,
        generation: 'v1',
        instructions: instructionsOf(messages),
        model,
        asDraft: asDraft === true || asDraft === 'true',
        idempotency: idempotencyScope(request, `create v1 ${project.id}`),
        ...(branch !== undefined && { branch }),
      });
      const progress = jobProgress(deps, job, {
        after: 0,
        deltas: false,
        reader: { id: apiKey.id, end: responseEnd(reply) },
        mayRead: () => mayKeyStillRead(deps.pool, apiKey.id, project.id),
      });
      const stream = jobDataStream(progress, {
        jobId: job.id,
        parts: messages.some(({ parts }) => parts !== undefined),
        usage: async () => usageOf(await requireJob(deps, project.id, job.id)),
      });
      return reply
        .headers({
          ...DATA_STREAM_HEADERS,
          'x-session-id': job.id,
          'x-branch-name': headerText(job.branch),
        })
        .send(Readable.from(stream));
    },
  );
};

const readRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.get(
    '/v1/agent/:projectId/job/:id',
    {
      config,
      schema: {
        tags,
        deprecated,
        ...{ operationId: 'getSession', summary: 'Get agent job' },
        description: 'As a session of v1.',
        params: JobParams,
        response: { 200: SessionRef, ...READ_PROBLEMS },
      },
    },
    async ({ project, params }) =>
      agentSessionBody(deps, await readJob(deps, project.id, params.id), project.domain),
  );

  app.get(
    '/v1/agent/:projectId/jobs',
    {
      config,
      schema: {
        tags,
        deprecated,
        ...{ operationId: 'listSessions', summary: 'List agent jobs' },
        description: 'Newest first.',
        params: ProjectParams,
        querystring: SessionListQuery,
        response: { 200: SessionList, ...READ_PROBLEMS },
      },
    },
    async ({ project, query }) => {
      const { skip = 0, take } = query;
      const jobs = await listJobs(deps.pool, project.id, {
        skip,
        ...(take !== undefined && { limit: take }),
      });
      return { allSessions: jobs.map(job => agentSessionBody(deps, job, project.domain)) };
    },
  );
};

function usageOf(job: Job): { promptTokens: number; completionTokens: number } {
  return {
    promptTokens: job.inputTokens + job.cacheReadTokens + job.cacheWriteTokens,
    completionTokens: job.outputTokens,
  };
}

/** A v1 session is a view of a job. */
export function agentSessionBody(
  deps: Pick<JobsDeps, 'config'>,
  job: Job,
  domain: string,
): SessionBody {
  const haulted = rowStatus(job) !== 'active';
  return {
    sessionId: job.id,
    subdomain: domain,
    branch: job.branch,
    haulted,
    haultReason: haulted ? job.haltReason : null,
    pullRequestLink: haulted ? linkNow(deps.config, job.host, job.prLink) : null,
    messageToUser: haulted ? job.messageToUser : null,
    todos: job.todos,
    userId: job.userId,
    title: job.title,
    createdAt: job.createdAt.toISOString(),
  };
}

/** Hooks also send back answers that consist of tool calls only: these have no text. */
function instructionsOf(messages: { role: 'system' | 'user' | 'assistant'; content: string }[]) {
  const said = messages.filter(({ content }) => content.trim() !== '');
  if (!said.some(({ role }) => role === 'user')) {
    const message = 'must contain at least one message of role user with content';
    throw new Problem('invalid_request', `messages ${message}.`, {
      errors: [{ path: 'messages', message }],
    });
  }
  return said.map(({ role, content }) => ({ role, prompt: content }));
}

/** Branch names may contain characters that headers may not. */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}
