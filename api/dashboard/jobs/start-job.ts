import type { FastifyRequest } from 'fastify';
import type { NewJob } from '../contract/job-changes.ts';
import type { Job } from '../contract/jobs.ts';
import { type Gap, noteGaps } from '../../../db/assistant/gaps.ts';
import { createJob } from '../../../jobs/create-job.ts';
import type { DashboardDeps } from '../deps.ts';
import { newId } from '../../../shared/ids.ts';
import { readJobView } from './job-view.ts';

/** Starts a job in the name of the person who is signed in; `gaps`: the questions it is made of. */
export async function startJob(
  deps: DashboardDeps,
  request: FastifyRequest,
  { prompt, branch, asDraft, model, effort, budget, requirePlanApproval, uploads = [] }: NewJob,
  gaps: readonly Gap[] = [],
): Promise<Job> {
  const { project } = request;
  const jobId = newId('job');
  const job = await createJob(deps, {
    ...{ project, jobId },
    onStored: tx => noteGaps(tx, jobId, gaps),
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
