import type { Client } from '@temporalio/client';
import type { Config } from '../shared/config.ts';
import { listInstructions } from '../db/jobs/instructions.ts';
import type { Job } from '../db/jobs/job.ts';
import { readJobProject } from '../db/jobs/job-project.ts';
import { jobById } from '../db/jobs/jobs.ts';
import type { Pool } from '../db/pool.ts';
import { type Carried, jobFieldsOf, SEEN_IDS_KEPT } from '../shared/jobs/job.ts';
import { waitLength } from '../shared/jobs/waiting.ts';
import { retentionSeconds } from './lost-run.ts';
import { startJobWorkflow, workflowStatus } from './workflow-client.ts';

/**
 * Starts the workflow of a job again if Temporal has lost it: an idle one as its row has it, a
 * running one from its beginning, with all that it was asked. False if it was not lost.
 *
 * Temporal deletes what has ended, so that its "not found" alone proves nothing. But what has
 * changed within the time for which it keeps ended workflows cannot have been deleted yet: Temporal
 * was restored from a backup, or began again. `seen`: the row as it was before what the caller did.
 */
export async function restartIfLost(
  { config, pool, temporal }: { config: Config; pool: Pool; temporal: Client },
  jobId: string,
  seen?: Job,
): Promise<boolean> {
  if ((await workflowStatus(temporal, jobId)) !== undefined) return false;
  const job = seen ?? (await jobById(pool, jobId));
  if (!job || job.archivedAt || job.state === 'starting') return false;
  const keptSince = Date.now() - (await retentionSeconds(temporal)) * 1000;
  if (job.updatedAt.getTime() < keptSince) return false;
  return restartFromRow({ config, pool, temporal }, job, { instead: false });
}

/**
 * Starts the workflow of a job as its row has it. `instead`: a workflow that runs is ended, because
 * its history is not that of the row. False if the job was deleted.
 */
export async function restartFromRow(
  { config, pool, temporal }: { config: Config; pool: Pool; temporal: Client },
  job: Job,
  { instead }: { instead: boolean },
): Promise<boolean> {
  const project = await readJobProject(pool, job.id);
  if (!project) return false;
  const isIdle = job.state !== 'active';
  await startJobWorkflow(temporal, config, {
    jobId: job.id,
    projectId: job.projectId,
    organization: project.organization,
    domain: project.domain,
    prompt: job.prompt,
    requestId: 'restart',
    waitedForBy: job.userId === null ? 'api' : 'person',
    instead,
    ...(isIdle && { carried: await carriedBy(pool, config, job) }),
    ...(isIdle && job.runId !== null && { replaces: job.runId }),
  });
  return true;
}

/** The state of an idle job's workflow, as far as its row and instructions have it. */
async function carriedBy(pool: Pool, config: Config, job: Job): Promise<Carried> {
  const instructions = await listInstructions(pool, job.id);
  const read = instructions.filter(({ state }) => state !== 'waiting');
  return {
    ...jobFieldsOf(job),
    status: job.state === 'completed' ? 'completed' : 'failed',
    queue: [],
    seen: read.map(({ messageId }) => messageId).slice(-SEEN_IDS_KEPT),
    unnamed: instructions.filter(({ source }) => source === 'signal').length,
    turn: job.turns,
    at: { epoch: job.epoch, n: job.n },
    startFrom: 'workspace',
    archiveAt: null,
    wait: job.waitingFor && {
      remindAt: null,
      endAt: Date.now() + waitLength(config).endAfterMs,
    },
    cancelRequested: false,
    archiveRequested: false,
  };
}
