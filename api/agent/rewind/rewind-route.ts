import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { agentProject } from '../../plugins/auth.ts';
import { COMMON_PROBLEMS, problems } from '../../plugins/problems.ts';
import type { AgentDeps } from '../deps.ts';
import { jobBody } from '../read/read-job.ts';
import { rewindJob } from './rewind-job.ts';
import { JobParams, JobRef } from '../schemas.ts';

const RewindBody = Type.Object({
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
});

/** Taking a job back to an earlier step, v2. */
export const rewindRoute: FastifyPluginAsyncTypebox<AgentDeps> = async (app, deps) => {
  app.post(
    '/v2/agent/:projectId/job/:id/rewind',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['agent'],
        summary:
          'Rewind agent job: go on from an earlier step, without the follow-ups that came later',
        params: JobParams,
        body: RewindBody,
        response: {
          200: JobRef,
          ...problems(
            'invalid_request',
            'conflict',
            'payload_too_large',
            'unsupported_media_type',
            ...COMMON_PROBLEMS,
          ),
        },
      },
    },
    async request => {
      const project = await agentProject(deps.pool, request.apiKey, request.params.projectId);
      const { turn, step } = request.body;
      return jobBody(
        deps.config,
        await rewindJob(
          { ...deps, log: request.log },
          {
            projectId: project.id,
            jobId: request.params.id,
            step,
            ...(turn !== undefined && { turn }),
          },
        ),
      );
    },
  );
};
