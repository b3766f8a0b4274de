import type { IdempotencyScope } from '../../db/jobs/idempotency.ts';
import { refusedConstructs } from '../../db/jobs/refused-constructs.ts';
import { readMarks } from '../../db/jobs/transcript.ts';
import { lockProjectJob, setBudget } from '../../db/jobs/jobs.ts';
import { type Transaction, transaction } from '../../db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import { ANSWER_WORDS } from '../../shared/jobs/waiting.ts';
import type { JobsDeps } from '../deps.ts';
import { type SendMessage, sendMessage } from '../send-message.ts';
import { NotWaiting, waitingFor } from './first-answer.ts';

interface Decision extends Pick<SendMessage, 'projectId' | 'jobId' | 'source'> {
  verb: 'approve' | 'decline';
  /** The turn whose plan the person saw; left out: whichever waits now. */
  turn?: number | undefined;
  /** With `approve`, of what the policy refused: for this job, or for its project from now on. */
  allow?: 'job' | 'project' | undefined;
  idempotency: IdempotencyScope | undefined;
  /** Recorded with it; the details: the forms that it allows, and for what. */
  onStored: (tx: Transaction, details: Record<string, unknown>) => Promise<void>;
}

/**
 * Approves or declines what an idle job waits to have approved. Throws 404, 409 (it waits for
 * nothing, for something else, or someone was first) and 429.
 */
export async function decide(deps: JobsDeps, decision: Decision): Promise<void> {
  const { verb, turn, allow, onStored, ...rest } = decision;
  await sendMessage(deps, {
    ...rest,
    prompt: ANSWER_WORDS[verb],
    answer: verb === 'approve' && allow ? { verb, allow } : { verb },
    meantFor: { waitingFor: 'approval', turn },
    onStored: async tx => onStored(tx, verb === 'approve' ? await allowed(tx, decision) : {}),
  });
}

async function allowed(tx: Transaction, { projectId, jobId, allow = 'job' }: Decision) {
  const job = await lockProjectJob(tx, projectId, jobId);
  if (!job) return {};
  const marks = await readMarks(tx, job.transcriptHead, job.turns);
  const forms = refusedConstructs(marks, job.turns).map(({ form }) => form);
  return forms.length > 0 ? { allow, forms } : {};
}

interface NewBudget extends Pick<SendMessage, 'projectId' | 'jobId' | 'source'> {
  budgetUsd: number;
  onStored?: (tx: Transaction) => Promise<void>;
}

/**
 * Changes what a job may cost. One that waits for its budget continues if it may spend more now:
 * what continues it is stored with the budget, so that neither is there without the other. Throws
 * 404, 409 (archived) and 429.
 */
export async function changeBudget(
  deps: JobsDeps,
  { budgetUsd, onStored, ...rest }: NewBudget,
): Promise<void> {
  const budgetMicroUsd = Math.round(budgetUsd * 1e6);
  const store = async (tx: Transaction) => {
    await setBudget(tx, rest.jobId, budgetMicroUsd);
    await onStored?.(tx);
  };
  const continues = await transaction(deps.pool, async tx => {
    const job = await lockProjectJob(tx, rest.projectId, rest.jobId);
    if (!job) throw new Problem('not_found', 'There is no such job.');
    if (job.archivedAt) throw new Problem('conflict', 'The job is archived.');
    if (waitingFor(job) === 'budget' && job.costMicroUsd < budgetMicroUsd) return true;
    await store(tx);
    return false;
  });
  if (!continues) return;
  await sendMessage(deps, {
    ...rest,
    prompt: ANSWER_WORDS.raise,
    answer: { verb: 'raise', budgetMicroUsd },
    meantFor: { waitingFor: 'budget' },
    idempotency: undefined,
    onStored: store,
  }).catch(async (error: unknown) => {
    if (!(error instanceof NotWaiting)) throw error;
    // Someone else’s raise or instruction was first: the job continues.
    await transaction(deps.pool, store);
  });
}
