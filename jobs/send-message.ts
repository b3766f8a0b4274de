import { WorkflowNotFoundError } from '@temporalio/client';
import {
  type IdempotencyScope,
  bindIdempotencyKey,
  completeIdempotencyKey,
  lockIdempotencyKey,
  releaseIdempotencyKey,
} from '../db/jobs/idempotency.ts';
import { countWaiting, insertInstruction, withdrawInstruction } from '../db/jobs/instructions.ts';
import { findJob, lockProjectJob, markActive, restAgain } from '../db/jobs/jobs.ts';
import type { Job } from '../db/jobs/job.ts';
import { claimBranch } from '../db/jobs/branch-holds.ts';
import { settleLostJob } from '../db/jobs/lost-jobs.ts';
import { type Transaction, transaction } from '../db/pool.ts';
import type { Answer } from '../shared/jobs/waiting.ts';
import { Problem } from '../shared/errors.ts';
import { newId } from '../shared/ids.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../shared/retry-after.ts';
import type { JobsDeps } from './deps.ts';
import { attachImages } from './uploads/attach.ts';
import { claimKey } from './idempotency.ts';
import { jobLimitReached, refuseOverJobLimits } from './limits.ts';
import { restartIfLost } from './lost-workflow.ts';
import { wasAnswered, type MeantFor, refuseOthers } from './waiting/first-answer.ts';
import { queryJob, signalMessage } from './workflow-client.ts';

export const LOST_SENTENCE = 'The job’s workflow was ended from outside.';

export interface SendMessage {
  projectId: string;
  jobId: string;
  prompt: string;
  source: 'api' | 'dashboard' | 'comment' | 'automation';
  /** Ids of attached images. */
  uploads?: readonly string[];
  idempotency: IdempotencyScope | undefined;
  /** A decision, in place of words. */
  answer?: Answer;
  /** To be carried out once its plan is approved. */
  requirePlanApproval?: boolean;
  /** Only if the job waits for this: the first answer counts. */
  meantFor?: MeantFor;
  /** What is to be stored with the instruction, in its transaction. */
  onStored?: (tx: Transaction, messageId: string) => Promise<void>;
}

type MessageDeps = Omit<JobsDeps, 'feed'>;

interface Stored {
  messageId: string;
  before: Job;
}

/**
 * Stores a follow-up, marks the job active and signals its workflow; if the signal fails, nothing
 * of it stays. A repeat with the same Idempotency-Key changes nothing; if the process of the first
 * request died, it delivers, so that no later message is read before. Throws 404, 409 (archived, or
 * its branch went to another job) and 429.
 */
export async function sendMessage(deps: MessageDeps, message: SendMessage): Promise<void> {
  const { projectId, jobId, meantFor } = message;
  const known = {
    signalled: await countSignalled(deps, message),
    answered: meantFor !== undefined && (await wasAnswered(deps, projectId, jobId)),
  };
  const { stored, earlier } = await transaction(deps.pool, async tx => {
    const claimed = await claimKey(tx, message.idempotency);
    return claimed
      ? { earlier: claimed }
      : { stored: await storeMessage(tx, deps, message, known) };
  });
  if (!stored) return await deliverAgain(deps, message, earlier.undelivered);
  const deliver = () =>
    signalMessage(deps.temporal, message.jobId, stored.messageId, message.prompt);
  try {
    await deliver().catch(async (error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      if (!(await restartIfLost(deps, message.jobId, stored.before))) throw error;
      await deliver();
    });
  } catch (error) {
    // Only Temporal's answer may have been lost: an instruction that a turn has read was delivered.
    if (await transaction(deps.pool, tx => withdraw(tx, message, stored))) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      if (stored.before.state === 'starting') throw notStarted();
      await settleLostJob(deps.pool, message.jobId, LOST_SENTENCE);
      throw archived();
    }
  }
  const { idempotency } = message;
  if (idempotency) await completeIdempotencyKey(deps.pool, idempotency, stored.messageId);
}

/** What a dead process stored: a signal with the same id counts once. */
async function deliverAgain(
  { pool, temporal }: MessageDeps,
  { jobId, prompt, idempotency }: SendMessage,
  messageId: string | null,
): Promise<void> {
  if (messageId === null || !idempotency) return;
  await signalMessage(temporal, jobId, messageId, prompt).catch((error: unknown) => {
    // A job without a workflow is the sweeper's.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  });
  // The process was not dead, and has just withdrawn the message.
  if (!(await completeIdempotencyKey(pool, idempotency, messageId))) throw notStored();
}

/** Instructions that only the workflow of a running job has, because they came by signal. */
async function countSignalled(
  { pool, temporal }: MessageDeps,
  { projectId, jobId }: SendMessage,
): Promise<number> {
  const job = await findJob(pool, projectId, jobId);
  if (job?.state !== 'active') return 0;
  return (await queryJob(temporal, jobId))?.unstored ?? 0;
}

async function storeMessage(
  tx: Transaction,
  deps: MessageDeps,
  message: SendMessage,
  { signalled, answered }: { signalled: number; answered: boolean },
): Promise<Stored> {
  const job = await lockProjectJob(tx, message.projectId, message.jobId);
  if (!job) throw new Problem('not_found', 'There is no such job.');
  if (job.archivedAt) throw archived();
  if (message.meantFor) refuseOthers(job, message.meantFor, answered);
  const { JOB_MAX_QUEUE: limit } = deps.config;
  if ((await countWaiting(tx, job.id)) + signalled >= limit) {
    throw jobLimitReached(
      'waiting-instructions',
      limit,
      RETRY_AFTER_SECONDS.waitingInstructions,
      `Limit exceeded: ${limit} instructions are waiting in this job. ` +
        'It resets as the agent reads them.',
    );
  }
  if (job.state === 'completed' || job.state === 'failed') {
    await refuseOverJobLimits(tx, deps.config, job);
    if ((await claimBranch(tx, job.repositoryUrl, job.branch, job.id)) !== undefined)
      throw new Problem('conflict', 'Another open job works on this job’s branch now.');
  }
  const messageId = newId('msg');
  await insertInstruction(tx, {
    jobId: job.id,
    messageId,
    prompt: message.prompt,
    source: message.source,
    answer: message.answer,
    planFirst: message.requirePlanApproval,
  });
  const { projectId, uploads = [] } = message;
  await attachImages(tx, { projectId, jobId: job.id, messageId }, uploads);
  await message.onStored?.(tx, messageId);
  if (message.idempotency) await bindIdempotencyKey(tx, message.idempotency, job.id, messageId);
  // A job that is starting keeps that state: its workflow's first activity looks for it.
  if (job.state !== 'starting') await markActive(tx, job.id);
  return { messageId, before: job };
}

/** False if the instruction was taken or its repeat was acknowledged: then nothing is changed. */
async function withdraw(tx: Transaction, message: SendMessage, stored: Stored): Promise<boolean> {
  const { projectId, jobId, idempotency } = message;
  if (idempotency && !(await lockIdempotencyKey(tx, idempotency, stored.messageId))) return false;
  // Two at once must not see each other waiting.
  await lockProjectJob(tx, projectId, jobId);
  if (!(await withdrawInstruction(tx, jobId, stored.messageId))) return false;
  await restAgain(tx, jobId);
  if (idempotency) await releaseIdempotencyKey(tx, idempotency);
  return true;
}

/**
 * The job has a row and no workflow yet: for a moment, or until the next sweep if its creator died.
 */
export function notStarted(): Problem {
  return new Problem('unavailable', 'The job is being started; try again in a moment.', {
    headers: retryAfter(RETRY_AFTER_SECONDS.jobStarting),
  });
}

function notStored(): Problem {
  return new Problem('unavailable', 'The message could not be delivered; send it again.', {
    headers: retryAfter(RETRY_AFTER_SECONDS.jobStarting),
  });
}

function archived(): Problem {
  return new Problem(
    'conflict',
    'The job is archived and accepts no more messages; create a new job.',
  );
}
