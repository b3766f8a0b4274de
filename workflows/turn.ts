import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { FAILURES } from '../shared/jobs/failures.ts';
import type { JobLimits } from '../shared/jobs/job.ts';
import { stepUntilDone } from './agent-loop.ts';
import { DECLINED, type Ending, endingOf, errorEnding, report, statusOf } from './endings.ts';
import { begin, readWaiting } from './follow-up-queue.ts';
import { type JobState, move, position, type Turn } from './job-state.ts';
import { publish } from './publish-turn.ts';
import type { TurnActivities } from './retry-policies.ts';
import { MAX_PREPARATIONS, nothingSpent } from './turn-limits.ts';
import { show } from './web-ui.ts';

/**
 * The work that one instruction starts, together with the instructions that arrive meanwhile:
 * prepare, step until there is a reason to stop, publish, report.
 */
export async function runTurn(
  job: JobState,
  activities: TurnActivities,
  limits: JobLimits,
): Promise<void> {
  const { durable } = job;
  durable.turn += 1;
  durable.status = 'active';
  job.step = 0;
  job.publishing = false;
  show(job);
  // A cancel waits for it: what the job came with belongs to it from its beginning.
  if (!job.hasBegun) await CancellationScope.nonCancellable(() => begin(job, activities));
  let ending: Ending | null;
  try {
    // A cancel can arrive before the turn begins, together with its instruction.
    if (durable.cancelRequested) throw new CancelledFailure('cancelled before the turn began');
    const spent = nothingSpent(Date.now());
    ending = await work({ job, activities, limits, spent });
  } catch (error) {
    ending = endingOf(error, job);
  }
  if (ending) await CancellationScope.nonCancellable(() => report(job, activities, ending));
}

/** Null: the turn's instructions were withdrawn, so there was no turn. */
async function work(turn: Turn): Promise<Ending | null> {
  const { job, activities } = turn;
  const { durable } = job;
  // First: if something fails later, the instruction has still been taken.
  const { rests, declined } = await readWaiting(
    job,
    activities,
    durable.haltReason && statusOf(durable.haltReason),
  );
  if (declined) return DECLINED;
  if (rests) {
    durable.turn -= 1;
    durable.status = durable.inbox.length > 0 ? 'active' : rests;
    durable.cancelRequested &&= durable.inbox.length > 0;
    return null;
  }
  for (let preparations = 1; ; preparations++) {
    // If the branch has moved, prepare again on top of it. The model continues only if there are
    // conflicts or new instructions, or if it has not finished.
    const conflicts = await prepare(turn);
    if (preparations === 1 || conflicts > 0 || durable.inbox.length > 0) {
      const ending = await stepUntilDone(turn);
      if (ending) return ending;
    }
    const published = await publish(turn);
    if (published !== 'again') return published;
    if (preparations >= MAX_PREPARATIONS)
      return errorEnding('branch_moved', FAILURES.branch_moved.sentence);
  }
}

/** Brings the workspace onto the newest commit. Returns how many paths conflict. */
async function prepare({ job, activities }: Turn): Promise<number> {
  const { durable } = job;
  const prepared = await activities.host.prepare.executeWithOptions(
    { summary: `turn ${durable.turn}` },
    [{ ...position(job), startFrom: durable.startFrom }],
  );
  move(job, prepared);
  durable.startFrom = 'workspace';
  durable.branch = prepared.branch;
  durable.ref = prepared.ref;
  durable.prLink = prepared.prLink;
  durable.prNumber = prepared.prNumber;
  return prepared.conflicts.length;
}
