import type { Static } from '@sinclair/typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyScope } from '../../db/jobs/idempotency.ts';
import { recordEndOfJob } from '../audit.ts';
import { responseEnd } from '../plugins/response-end.ts';
import type { JobsDeps } from '../../jobs/deps.ts';
import { jobOfPath } from './path-job.ts';
import { requireJob } from '../../jobs/read-job.ts';
import { jobBody } from './job-body.ts';
import { CHANGE_PROBLEMS, WRITE_PROBLEMS } from './responses.ts';
import {
  CreateJobBody,
  IdempotencyHeaders,
  JobParams,
  JobRef,
  MessageBody,
  ProjectParams,
} from './schemas.ts';
import { createJob } from '../../jobs/create-job.ts';
import { archiveJob, cancelJob } from '../../jobs/end-job.ts';
import { idempotencyScope } from './idempotency-scope.ts';
import { sendMessage } from '../../jobs/send-message.ts';
import { waitingRoutes } from './waiting-routes.ts';

const config = { access: 'admin' } as const;
const tags = ['Agent'];

/** What changes a job: create, message, approve, decline, its budget, cancel, archive. */
export const writeRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  await app.register(createRoute, deps);
  await app.register(messageRoute, deps);
  await app.register(waitingRoutes, deps);
  await app.register(endRoutes, deps);
};

const createRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.post(
    '/v2/agent/:projectId/job',
    {
      config,
      schema: {
        tags,
        operationId: 'createJob',
        summary: 'Create agent job',
        description:
          'The job runs in the background, and opens a pull request if it changes files.',
        params: ProjectParams,
        headers: IdempotencyHeaders,
        body: CreateJobBody,
        response: { 201: JobRef, ...WRITE_PROBLEMS },
      },
    },
    async (request, reply) => {
      const { project, body } = request;
      const idempotency = idempotencyScope(request, `create ${project.id}`);
      const job = await createJob(deps, newJob(request, body, idempotency));
      reply.code(201).header('location', `/v2/agent/${project.id}/job/${job.id}`);
      return jobBody(deps.config, job);
    },
  );
};

/** A job as the body of a request asks for it. */
export function newJob(
  request: FastifyRequest,
  body: Static<typeof CreateJobBody>,
  idempotency: IdempotencyScope | undefined,
): Parameters<typeof createJob>[1] {
  const { prompt, branch, asDraft, model, effort, budget, requirePlanApproval } = body;
  return {
    project: request.project,
    caller: { apiKeyId: request.apiKey.id },
    requestId: request.id,
    generation: 'v2',
    instructions: [{ role: 'user', prompt, uploads: body.uploads ?? [] }],
    idempotency,
    ...(branch !== undefined && { branch }),
    ...(asDraft !== undefined && { asDraft }),
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(budget !== undefined && { budgetUsd: budget }),
    ...(requirePlanApproval !== undefined && { requirePlanApproval }),
  };
}

const messageRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.post(
    '/v2/agent/:projectId/job/:id/message',
    {
      config,
      preHandler: jobOfPath(deps.pool),
      schema: {
        tags,
        operationId: 'sendMessage',
        summary: 'Send follow-up message to an agent job',
        description: 'The agent reads it before its next step; a resting job continues with it.',
        params: JobParams,
        headers: IdempotencyHeaders,
        body: MessageBody,
        response: { 200: JobRef, ...WRITE_PROBLEMS },
      },
    },
    async request => {
      const { project, job } = request;
      const { prompt, uploads = [], requirePlanApproval = false, turn } = request.body;
      await sendMessage(deps, {
        projectId: project.id,
        jobId: job.id,
        prompt,
        uploads,
        requirePlanApproval,
        ...(turn !== undefined && { meantFor: { turn } }),
        source: 'api',
        idempotency: idempotencyScope(request, `message ${job.id}`),
      });
      return jobBody(deps.config, await requireJob(deps, project.id, job.id));
    },
  );
};

const endRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  for (const { verb, end, action, text } of [
    {
      verb: 'cancel',
      end: cancelJob,
      action: 'job.cancelled',
      text: {
        operationId: 'cancelJob',
        summary: 'Cancel the running turn',
        description: 'The job fails. What it had edited stays in its diff, without a pull request.',
      },
    },
    {
      verb: 'archive',
      end: archiveJob,
      action: 'job.archived',
      text: {
        operationId: 'archiveJob',
        summary: 'Archive an idle job',
        description: 'An archived job takes no more messages.',
      },
    },
  ] as const) {
    app.post(
      `/v2/agent/:projectId/job/:id/${verb}`,
      {
        config,
        preHandler: jobOfPath(deps.pool),
        schema: { tags, ...text, params: JobParams, response: { 200: JobRef, ...CHANGE_PROBLEMS } },
      },
      async (request, reply) => {
        const { project, job, apiKey } = request;
        const reader = { id: apiKey.id, end: responseEnd(reply) };
        const ended = await recordEndOfJob(deps.pool, request, action, () =>
          end(deps, project.id, job.id, reader),
        );
        return jobBody(deps.config, ended);
      },
    );
  }
};
