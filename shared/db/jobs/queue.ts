import type { Queryable } from '../pool.ts';
import type { WaitingInstruction } from '../../jobs/job.ts';

export interface Instruction {
  message_id: string;
  prompt: string;
  role: 'user' | 'assistant' | 'system';
}

/** Stores what signals brought; what is there under the same id stays as it is. */
export async function storeWaiting(
  tx: Queryable,
  jobId: string,
  items: WaitingInstruction[],
): Promise<void> {
  const unstored = items.filter(item => item.prompt !== undefined);
  if (unstored.length === 0) return;
  await tx.query(
    `insert into instructions (job_id, message_id, prompt, source)
     select $1, message_id, prompt, 'signal' from unnest($2::text[], $3::text[]) with ordinality as t (message_id, prompt, position)
     order by position
     on conflict (job_id, message_id) do nothing`,
    [jobId, unstored.map(item => item.messageId), unstored.map(item => item.prompt)],
  );
}

/**
 * Marks instructions as taken by a turn, or dropped, and returns their texts; unknown and withdrawn
 * ones are left out. They come in the order asked for, but for those that were stored before their
 * signals raced each other: among these, the rows' order counts.
 */
export async function takeInstructions(
  tx: Queryable,
  jobId: string,
  ids: string[],
  state: 'taken' | 'dropped',
  turn: number,
): Promise<Instruction[]> {
  const { rows } = await tx.query<Instruction & { signalled: boolean }>(
    `with taken as (
       update instructions set state = $3, turn = $4
        where job_id = $1 and message_id = any($2) and state <> 'withdrawn'
        returning message_id, prompt, role, source = 'signal' as signalled, seq)
     select * from taken order by seq`,
    [jobId, ids, state, turn],
  );
  const found = new Map(rows.map(row => [row.message_id, row]));
  const stored = rows.filter(row => !row.signalled).values();
  return ids
    .flatMap(id => found.get(id) ?? [])
    .map(row => (row.signalled ? row : (stored.next().value ?? row)));
}

/** Ids of the instructions that wait, oldest first. */
export async function waitingInstructions(tx: Queryable, jobId: string): Promise<string[]> {
  const { rows } = await tx.query<{ message_id: string }>(
    "select message_id from instructions where job_id = $1 and state = 'waiting' order by seq",
    [jobId],
  );
  return rows.map(row => row.message_id);
}

/**
 * Ids of those that wait for so long that nobody can be about to signal or withdraw them: either
 * takes the API 5 seconds at most.
 */
export async function overdueInstructions(tx: Queryable, jobId: string): Promise<string[]> {
  const { rows } = await tx.query<{ message_id: string }>(
    "select message_id from instructions where job_id = $1 and state = 'waiting' and created_at < now() - interval '15 seconds' order by seq",
    [jobId],
  );
  return rows.map(row => row.message_id);
}

/**
 * Ids of the instructions that came with the job, also where a rewind to its very beginning asks
 * again, and of those that wait.
 */
export async function instructionsToBegin(tx: Queryable, jobId: string): Promise<string[]> {
  const { rows } = await tx.query<{ message_id: string }>(
    // Rows of one transaction have one time.
    `select i.message_id from instructions i join jobs j on j.id = i.job_id
      where i.job_id = $1 and (i.state = 'waiting' or i.created_at = j.created_at) order by i.seq`,
    [jobId],
  );
  return rows.map(row => row.message_id);
}

/** What a v1 caller sent with the role `system`: added below our own system prompt. */
export async function readCallerSystem(db: Queryable, jobId: string): Promise<string[]> {
  const { rows } = await db.query<{ prompt: string }>(
    "select prompt from instructions where job_id = $1 and role = 'system' order by seq",
    [jobId],
  );
  return rows.map(row => row.prompt);
}
