import type { Client } from '@temporalio/client';
import { createHash } from 'node:crypto';
import type { NewTurn } from '../../automations/deps.ts';
import { noteGaps } from '../../db/assistant/gaps.ts';
import { takeStandingJob } from '../../db/automations/automations.ts';
import { takePreparedJob } from '../../db/automations/preparations.ts';
import { changeRun } from '../../db/automations/runs.ts';
import type { IdempotencyScope } from '../../db/jobs/idempotency.ts';
import { jobById, setBudgetOfNext } from '../../db/jobs/jobs.ts';
import { type Pool, type Transaction, transaction } from '../../db/pool.ts';
import type { Config } from '../../shared/config.ts';
import { Problem } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { createJob } from '../create-job.ts';
import { sendMessage } from '../send-message.ts';

export interface TurnDeps {
  config: Config;
  pool: Pool;
  temporal: Client;
}

/**
 * Gives a run's instruction to the automation's standing job, or to that of what it prepares: a
 * follow-up, or the job itself where there is none or it is archived. A repeat changes nothing. Throws what `createJob` and
 * `sendMessage` throw.
 */
export async function startRunTurn(deps: TurnDeps, turn: NewTurn): Promise<void> {
  const { pool } = deps;
  const { run, automation } = turn;
  // A repeat stays with the job that has the instruction.
  const jobId = run.messageId === null || run.jobId === null ? await jobFor(pool, turn) : run.jobId;
  const job = await jobById(pool, jobId);
  if (!job) return createWith(deps, turn, jobId);
  if (job.archivedAt && run.messageId === null) {
    const next = await jobFor(pool, turn, jobId);
    return createWith(deps, turn, next);
  }
  if (job.state === 'starting') return createWith(deps, turn, jobId);
  const { budgetUsd, requirePlanApproval: ofFile } = automation.definition ?? {};
  const note = noteMessage(turn, jobId);
  try {
    await sendMessage(deps, {
      projectId: job.projectId,
      jobId,
      prompt: turn.prompt,
      source: 'automation',
      requirePlanApproval: ofFile ?? turn.project.settings['requirePlanApproval'] === true,
      idempotency: scopeOf(turn),
      async onStored(tx, messageId) {
        await note(tx, messageId);
        // Without one in the file, what a person set for the job holds.
        if (budgetUsd !== undefined) await setBudgetOfNext(tx, jobId, Math.round(budgetUsd * 1e6));
      },
    });
  } catch (error) {
    // Archived in this moment, or its branch went to another job: the next attempt makes a new one.
    if (isRefused(error)) await replaceJob(deps, turn, jobId);
    throw error;
  }
}

/** A conflict that passes says when to try again. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof Problem &&
    error.code === 'conflict' &&
    error.headers['retry-after'] === undefined
  );
}

async function replaceJob({ pool }: TurnDeps, turn: NewTurn, jobId: string): Promise<void> {
  await jobFor(pool, turn, jobId);
  await changeRun(pool, turn.run.id, { messageId: null });
}

/** The id of the standing job, which may not exist yet. */
export function standingJob(pool: Pool, automationId: string): Promise<string> {
  return transaction(pool, tx => takeStandingJob(tx, automationId, newId('job')));
}

/** The id of the job that a turn goes to, or of one in the place of `instead`. */
function jobFor(
  pool: Pool,
  { automation, preparation }: NewTurn,
  instead: string | null = null,
): Promise<string> {
  const wanted = newId('job');
  return transaction(pool, tx =>
    preparation
      ? takePreparedJob(tx, preparation, wanted, instead)
      : takeStandingJob(tx, automation.id, wanted, instead),
  );
}

async function createWith(deps: TurnDeps, turn: NewTurn, jobId: string): Promise<void> {
  const { automation, run } = turn;
  const { requirePlanApproval } = automation.definition ?? {};
  try {
    await createJob(deps, {
      project: turn.project,
      caller: { automationId: automation.id },
      jobId,
      about: automation.name,
      requestId: run.id,
      generation: 'v2',
      instructions: [{ role: 'user', prompt: turn.prompt }],
      asDraft: turn.draft,
      // The project's would be that of all runs together.
      budgetUsd: automation.definition?.budgetUsd ?? null,
      ...(requirePlanApproval !== undefined && { requirePlanApproval }),
      idempotency: scopeOf(turn),
      onStored: noteMessage(turn, jobId),
    });
  } catch (error) {
    // A job that was given up keeps its id: the next attempt makes another one.
    if (!(error instanceof Problem) && !(await jobById(deps.pool, jobId)))
      await replaceJob(deps, turn, jobId);
    throw error;
  }
}

function noteMessage({ run, gaps }: NewTurn, jobId: string) {
  return async (tx: Transaction, messageId: string): Promise<void> => {
    await changeRun(tx, run.id, { state: 'running', jobId, messageId, reason: null });
    await noteGaps(tx, jobId, gaps);
  };
}

/**
 * A run is one instruction, whether it made the job or came to it, and by however many attempts.
 */
function scopeOf({ run, project, automation }: NewTurn): IdempotencyScope {
  return {
    organizationId: project.organizationId,
    apiKeyId: automation.id,
    route: 'automation run',
    key: run.id,
    bodyHash: createHash('sha256').update(run.id).digest(),
  };
}
