import { refusedConstructs } from '../../db/jobs/refused-constructs.ts';
import type { Job } from '../../db/jobs/job.ts';
import { readMarks } from '../../db/jobs/transcript.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Waiting } from '../../shared/jobs/waiting-schemas.ts';
import { waitingFor } from './first-answer.ts';

/** What an idle job waits for, with all that a person has to know to answer; null: nothing. */
export async function readWaiting(db: Queryable, job: Job): Promise<Waiting | null> {
  const waits = waitingFor(job);
  if (!waits) return null;
  const waiting = { for: waits, turn: job.turns };
  if (waits === 'budget') return { ...waiting, budgetUsd: (job.budgetMicroUsd ?? 0) / 1e6 };
  const ofTurn = await readMarks(db, job.transcriptHead, job.turns);
  if (waits === 'answer')
    return { ...waiting, ...ofTurn.findLast(({ meta }) => meta.ask)?.meta.ask };
  const plan = ofTurn.findLast(({ meta }) => meta.plan)?.meta.plan;
  return plan
    ? { ...waiting, plan }
    : { ...waiting, constructs: refusedConstructs(ofTurn, job.turns) };
}
