import { isOlder, isWorkflowIdle, resendRead } from '../../jobs/older-history.ts';
import { restartFromRow } from '../../jobs/lost-workflow.ts';
import { followReset, wasReset } from '../../jobs/follow-reset.ts';
import { LOST_SENTENCE } from '../../jobs/send-message.ts';
import { queryJob, signalMessage, workflowStatus } from '../../jobs/workflow-client.ts';
import { listInstructions } from '../../db/jobs/instructions.ts';
import type { Job } from '../../db/jobs/job.ts';
import { jobById } from '../../db/jobs/jobs.ts';
import { settleLostJob } from '../../db/jobs/lost-jobs.ts';
import { hasHeads } from '../../db/jobs/reconcile.ts';
import type { JobView } from '../../shared/jobs/job.ts';
import { counted } from '../../shared/text/counted.ts';
import type { Difference, ReconcileDeps } from './difference.ts';

/** A workflow that no worker has in memory is replayed before it answers. */
const QUERY_MS = 10_000;
/** A signal that is younger may still be on its way. */
const DELIVERED_MS = 10_000;

const ENDED =
  'Postgres was restored from an older backup than Temporal: the turn cannot continue. ' +
  'Create the job again.';

/** What the row of an open job and its workflow say differently; undefined if they agree. */
export async function compareJob(
  deps: ReconcileDeps,
  jobId: string,
): Promise<Difference | undefined> {
  const row = await jobById(deps.pool, jobId);
  // A job that starts has its workflow in a moment, or is given up.
  if (!row || row.archivedAt || row.state === 'starting') return undefined;
  const status = await workflowStatus(deps.temporal, jobId);
  if (status === undefined)
    return {
      ...{ kind: 'missing-in-temporal', job: jobId },
      says: 'Temporal has no such job.',
      remedy: isIdle(row)
        ? 'It is started again, idle, as its row has it.'
        : 'It is started again from its beginning, with all that it was asked.',
      settle: () => restartFromRow(deps, row, { instead: false }),
    };
  if (status !== 'RUNNING')
    return {
      ...{ kind: 'ended-in-temporal', job: jobId },
      says: `Its workflow has ended (${status.toLowerCase()}), and its row is open.`,
      remedy: 'It is archived.',
      settle: () => settleLostJob(deps.pool, jobId, LOST_SENTENCE),
    };
  const view = await queryJob(deps.temporal, jobId, QUERY_MS);
  if (!view)
    return {
      ...{ kind: 'unanswered', job: jobId, isOpen: true },
      says: 'Its workflow does not answer.',
      remedy: 'See that a worker runs, then try again.',
    };
  // Between the two answers the job may have moved to its next run.
  if ((await jobById(deps.pool, jobId))?.runId !== row.runId) return compareJob(deps, jobId);
  return compareRunning(deps, row, view);
}

async function compareRunning(
  deps: ReconcileDeps,
  row: Job,
  view: JobView,
): Promise<Difference | undefined> {
  if (!(await hasHeads(deps.pool, view))) return temporalNewer(deps, row);
  if (await isOlder(deps, row, view)) return temporalOlder(deps, row, view);
  if (wasReset(row, view))
    return {
      ...{ kind: 'reset', job: row.id },
      says: `It was reset in Temporal to turn ${view.turn}, and its row shows turn ${row.turns}.`,
      remedy: 'Its row follows the reset.',
      settle: () => followReset(deps, row, view),
    };
  const late = Date.now() - DELIVERED_MS;
  const waiting = (await listInstructions(deps.pool, row.id)).filter(
    ({ state, createdAt }) => state === 'waiting' && createdAt.getTime() < late,
  );
  if (view.queue >= waiting.length) return undefined;
  return {
    ...{ kind: 'not-delivered', job: row.id },
    says: `${counted(waiting.length, 'instruction')} of it did not reach Temporal.`,
    remedy: 'They are sent again.',
    settle: async () => {
      for (const { messageId, prompt } of waiting)
        await signalMessage(deps.temporal, row.id, messageId, prompt);
    },
  };
}

function temporalOlder(deps: ReconcileDeps, row: Job, view: JobView): Difference {
  const says =
    `Temporal’s history is older than its row: it ends in turn ${view.turn}, ` +
    `and the row is in turn ${row.turns}.`;
  const difference = { kind: 'temporal-older', job: row.id, says } as const;
  if (!isWorkflowIdle(view))
    return {
      ...difference,
      remedy: 'It continues from there by itself; stored results answer until something differs.',
    };
  if (isIdle(row))
    return {
      ...difference,
      remedy: 'Its workflow is replaced by one as its row has it.',
      settle: () => restartFromRow(deps, row, { instead: true }),
    };
  return {
    ...difference,
    remedy: 'The instructions that Temporal lacks are sent again.',
    settle: () => resendRead(deps, row.id, view),
  };
}

function temporalNewer(deps: ReconcileDeps, row: Job): Difference {
  const difference = {
    kind: 'temporal-newer',
    job: row.id,
    says: 'Temporal’s history has entries that Postgres lacks: Postgres is the older one.',
  } as const;
  if (isIdle(row))
    return {
      ...difference,
      remedy: 'Its workflow is replaced by one as its row has it; what came later is lost.',
      settle: () => restartFromRow(deps, row, { instead: true }),
    };
  return {
    ...difference,
    remedy: 'It is ended as failed; create it again.',
    settle: async () => {
      await deps.temporal.workflow.getHandle(row.id).terminate(ENDED);
      await settleLostJob(deps.pool, row.id, ENDED);
    },
  };
}

function isIdle({ state }: Job): boolean {
  return state === 'completed' || state === 'failed';
}
