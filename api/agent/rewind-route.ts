import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { JobsDeps } from '../../jobs/deps.ts';
import { jobBody } from './job-body.ts';
import { CHANGE_PROBLEMS } from './responses.ts';
import { rewindJob } from '../../jobs/rewind/rewind-job.ts';
import { JobParams, JobRef } from './schemas.ts';

const RewindBody = Type.Object(
  {
    step: Type.Integer({
      minimum: 1,
      description: 'The step to make again: it and all that came after it are undone.',
    }),
    turn: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The turn that the step belongs to; the newest where it is left out.',
      }),
    ),
  },
  { title: 'RewindJob', description: 'Where to continue from.', examples: [{ step: 3 }] },
);

/** Rewinds a job to an earlier step, v2. */
export const rewindRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.post(
    '/v2/agent/:projectId/job/:id/rewind',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['Agent'],
        operationId: 'rewindJob',
        summary: 'Rewind agent job',
        description: 'Continues from an earlier step, without the follow-ups that came later.',
        params: JobParams,
        body: RewindBody,
        response: { 200: JobRef, ...CHANGE_PROBLEMS },
      },
    },
    async request => {
      const { project, params, body } = request;
      const { turn, step } = body;
      const job = await rewindJob(
        { ...deps, log: request.log },
        { projectId: project.id, jobId: params.id, step, ...(turn !== undefined && { turn }) },
      );
      return jobBody(deps.config, job);
    },
  );
};
