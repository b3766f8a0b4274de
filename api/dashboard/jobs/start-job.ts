import type { FastifyRequest } from 'fastify';
import type { NewJob } from '../contract/job-changes.ts';
import type { Job } from '../contract/jobs.ts';
import type { Transaction } from '../../../db/pool.ts';
import { createJob } from '../../../jobs/create-job.ts';
import type { DashboardDeps } from '../deps.ts';
import { newId } from '../../../shared/ids.ts';
import { readJobView } from './job-view.ts';

/** Starts a job in the name of the person who is signed in, and stores with it what it is made of. */
export async function startJob(
  deps: DashboardDeps,
  request: FastifyRequest,
  { prompt, branch, asDraft, model, effort, budget, requirePlanApproval, uploads = [] }: NewJob,
  storeWith?: (tx: Transaction, jobId: string) => Promise<void>,
): Promise<Job> {
  const { project } = request;
  const jobId = newId('job');
  const job = await createJob(deps, {
    ...{ project, jobId },
    ...(storeWith && { onStored: tx => storeWith(tx, jobId) }),
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
