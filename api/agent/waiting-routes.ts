import type { Static } from '@sinclair/typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { JobsDeps } from '../../jobs/deps.ts';
import { requireJob } from '../../jobs/read-job.ts';
import { changeBudget, decide } from '../../jobs/waiting/answer-job.ts';
import { fieldProblem, Problem } from '../../shared/errors.ts';
import { recordDecision } from '../audit.ts';
import { idempotencyScope } from './idempotency-scope.ts';
import { jobBody } from './job-body.ts';
import { jobOfPath } from './path-job.ts';
import { CHANGE_PROBLEMS, WRITE_PROBLEMS } from './responses.ts';
import {
  ApprovalQuery,
  DecisionQuery,
  IdempotencyHeaders,
  JobChange,
  JobParams,
  JobRef,
} from './schemas.ts';

const config = { access: 'admin' } as const;
const tags = ['Agent'];

const DECISIONS = [
  {
    verb: 'approve',
    action: 'job.approved',
    operationId: 'approveJob',
    summary: 'Approve what a job waits for',
    description: 'The job continues. The first answer counts: a later one gets 409.',
  },
  {
    verb: 'decline',
    action: 'job.declined',
    operationId: 'declineJob',
    summary: 'Decline what a job waits to have approved',
    description: 'It is not carried out. A follow-up continues from there.',
  },
] as const;

/** What an idle job waits for: a decision, or more money. */
export const waitingRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  await app.register(decisionRoutes, deps);
  await app.register(changeRoute, deps);
};

const decisionRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  for (const { verb, action, ...text } of DECISIONS) {
    app.post(
      `/v2/agent/:projectId/job/:id/${verb}`,
      {
        config,
        preHandler: jobOfPath(deps.pool),
        schema: {
          tags,
          ...text,
          params: JobParams,
          headers: IdempotencyHeaders,
          querystring: verb === 'approve' ? ApprovalQuery : DecisionQuery,
          response: { 200: JobRef, ...WRITE_PROBLEMS },
        },
      },
      async request => {
        const { project, job, query } = request;
        refuseInBody(request.body, ['turn', 'allow']);
        const { allow } = query as Static<typeof ApprovalQuery>;
        if (allow === 'project')
          throw new Problem(
            'forbidden',
            'Only owners can allow it for the project, in the dashboard.',
          );
        await decide(deps, {
          verb,
          projectId: project.id,
          jobId: job.id,
          turn: query.turn,
          allow,
          source: 'api',
          idempotency: idempotencyScope(request, `${verb} ${job.id}`),
          onStored: recordDecision(request, action),
        });
        return jobBody(deps.config, await requireJob(deps, project.id, job.id));
      },
    );
  }
};

/** Who names a turn must not be taken for one who approves whichever plan waits. */
function refuseInBody(body: unknown, names: readonly string[]): void {
  for (const name of names)
    if (typeof body === 'object' && body !== null && Object.hasOwn(body, name))
      throw fieldProblem(name, `must be in the address, as ?${name}=…, not in a body`);
}

const changeRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.patch(
    '/v2/agent/:projectId/job/:id',
    {
      config,
      preHandler: jobOfPath(deps.pool),
      schema: {
        tags,
        operationId: 'changeJob',
        summary: 'Change the budget of an agent job',
        description: 'A job that waits for its budget continues once it may spend more.',
        params: JobParams,
        body: JobChange,
        response: { 200: JobRef, ...CHANGE_PROBLEMS },
      },
    },
    async request => {
      const { project, job, body } = request;
      await changeBudget(deps, {
        projectId: project.id,
        jobId: job.id,
        budgetUsd: body.budget,
        source: 'api',
        onStored: recordDecision(request, 'job.budget_changed', { budgetUsd: body.budget }),
      });
      return jobBody(deps.config, await requireJob(deps, project.id, job.id));
    },
  );
};
