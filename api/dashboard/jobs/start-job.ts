import type { FastifyRequest } from 'fastify';
import type { NewJob } from '../contract/job-changes.ts';
import type { Job } from '../contract/jobs.ts';
import { createJob } from '../../../jobs/create-job.ts';
import type { DashboardDeps } from '../deps.ts';
import { readJobView } from './job-view.ts';

/** Starts a job in the name of the person who is signed in. */
export async function startJob(
  deps: DashboardDeps,
  request: FastifyRequest,
  { prompt, branch, asDraft, model, effort, budget, requirePlanApproval, uploads = [] }: NewJob,
): Promise<Job> {
  const { project } = request;
  const job = await createJob(deps, {
    project,
    caller: { userId: request.signedIn.user.id },
    requestId: request.id,
    generation: 'v2',
    instructions: [{ role: 'user', prompt, uploads }],
    idempotency: undefined,
    ...(branch !== undefined && { branch }),
    ...(asDraft !== undefined && { asDraft }),
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(budget !== undefined && { budgetUsd: budget }),
    ...(requirePlanApproval !== undefined && { requirePlanApproval }),
  });
  return readJobView(deps, project.id, job.id);
}
