import type { HaltReason } from '../../shared/jobs/result.ts';
import type { WaitingFor } from '../../shared/jobs/waiting.ts';
import type { Transaction } from '../pool.ts';
import { type Job, TOUCH_JOB } from './job.ts';

/** Where a rewound job continues: before this step, with these heads. */
export interface RewindPoint {
  jobId: string;
  turn: number;
  step: number;
  transcriptHead: string | null;
  workspaceHead: string | null;
}

/** How the job's turn had ended, if the job was taken back to a moment when it was idle. */
export interface Rest {
  status: 'completed' | 'failed';
  haltReason: HaltReason | null;
  messageToUser: string | null;
  waitingFor: WaitingFor | null;
}

export interface RewindOptions {
  /** The run that the row belonged to when the caller asked Temporal for the current one. */
  from?: string | null;
  /** The run is idle after that turn; without it, it works on the turn. */
  rest?: Rest | null;
  /**
   * Nobody has undone anything: Temporal was restored from a backup and does not know what came
   * later. What was read since waits to be read again.
   */
  isRestored?: boolean;
}

/**
 * Gives a job's row to a run that does not continue its present one, and takes it back to where
 * that run stands: heads, turn and todos are the older ones again, instructions that only the
 * undone steps had read are dropped. What left this system stays (branch, pull request, cost). Does
 * nothing if the row no longer belongs to the run `from` (the caller asked Temporal for the current
 * run too early), or if the run has the row already, unless it was restored.
 */
export async function rewindRow(
  tx: Transaction,
  point: RewindPoint,
  runId: string,
  { from, rest, isRestored = false }: RewindOptions = {},
): Promise<void> {
  const {
    rows: [row],
  } = await tx.query<Pick<Job, 'runId'>>(
    'select run_id as "runId" from jobs where id = $1 for update',
    [point.jobId],
  );
  const isOwner = row?.runId === runId;
  if (!row || (isOwner && !isRestored) || (from !== undefined && row.runId !== from)) return;
  await tx.query(REWIND, [
    point.jobId,
    point.turn,
    rest ? 1 : point.step,
    point.transcriptHead,
    point.workspaceHead,
    runId,
    rest?.status ?? null,
    rest?.haltReason ?? null,
    rest?.messageToUser ?? null,
    rest ? point.turn + 1 : point.turn,
    isRestored,
    rest?.waitingFor ?? null,
  ]);
}

const REWIND = `
with recursive chain as (
  select id, parent_id, depth, meta from transcript_entries where id = $4
  union all
  select e.id, e.parent_id, e.depth, e.meta
    from transcript_entries e join chain c on e.id = c.parent_id
), undone as (
  update instructions
     set state = case when $11 then 'waiting' else 'dropped' end,
         turn = case when $11 then null else $2 end
   where job_id = $1 and role <> 'system'
     and (state = 'taken' and message_id not in (
            select meta ->> 'messageId' from chain where meta ? 'messageId')
          or state = 'dropped' and turn > $2 and not $11)
  returning 1
), rest as (
  select $7::text as state where $7 is not null and not ($11 and exists (select from undone))
), moved as (
  ${TOUCH_JOB}, run_id = $6, epoch = epoch + 1, n = 0, last_event = last_event + 1,
         state = coalesce((select state from rest), 'active'), archived_at = null,
         finished_at = case when exists (select from rest) then now() end,
         halt_reason = $8, message_to_user = $9, waiting_for = $12,
         turns = $2, transcript_head = $4, workspace_head = $5,
         todos = coalesce(
           (select meta -> 'todos' from chain where meta ? 'todos'
             order by depth desc limit 1),
           '[]')
   where id = $1 returning last_event, epoch
), told as (
  insert into job_events (job_id, seq, type, data)
  select $1, last_event, 'rewound',
         jsonb_build_object('epoch', epoch, 'turn', $10::int, 'step', $3::int)
    from moved
)
select pg_notify('job_events', $1) from moved`;
