import type { WaitingInstruction } from '../../shared/jobs/job.ts';
import type { Answer } from '../../shared/jobs/waiting.ts';
import { jsonText } from '../json.ts';
import type { Queryable, Transaction } from '../pool.ts';

export interface Instruction {
  messageId: string;
  prompt: string;
  role: 'user' | 'assistant' | 'system';
  source: 'api' | 'signal' | 'dashboard' | 'comment' | 'automation';
  state: 'waiting' | 'taken' | 'dropped' | 'withdrawn';
  turn: number | null;
  createdAt: Date;
}

export interface NewInstruction {
  jobId: string;
  messageId: string;
  prompt: string;
  role?: Instruction['role'];
  /** `api` if it is left out. */
  source?: Instruction['source'];
  /** A decision, in place of words. */
  answer?: Answer | undefined;
  /** To be carried out once its plan is approved. */
  planFirst?: boolean | undefined;
}

/** Stores an instruction that came over HTTP; it waits for the workflow to take it. */
export async function insertInstruction(
  tx: Transaction,
  instruction: NewInstruction,
): Promise<void> {
  await tx.query({
    name: 'insert-instruction',
    text: `insert into instructions (job_id, message_id, prompt, role, source, answer, plan_first)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      instruction.jobId,
      instruction.messageId,
      instruction.prompt,
      instruction.role ?? 'user',
      instruction.source ?? 'api',
      instruction.answer ? jsonText(instruction.answer) : null,
      instruction.planFirst ?? false,
    ],
  });
}

/** Stores the instructions that came by signal; one already stored under its id stays as it is. */
export async function storeWaiting(
  tx: Queryable,
  jobId: string,
  items: WaitingInstruction[],
): Promise<void> {
  const unstored = items.filter(item => item.prompt !== undefined);
  if (unstored.length === 0) return;
  const ids = unstored.map(item => item.messageId);
  const answers = unstored.map(({ answer }) => (answer ? jsonText(answer) : null));
  await tx.query(
    `insert into instructions (job_id, message_id, prompt, source, answer)
     select $1, message_id, prompt, 'signal', answer::jsonb
       from unnest($2::text[], $3::text[], $4::text[]) with ordinality
         as t (message_id, prompt, answer, position) order by position
     on conflict (job_id, message_id) do nothing`,
    [jobId, ids, unstored.map(item => item.prompt), answers],
  );
}

export async function countWaiting(tx: Transaction, jobId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*) from instructions where job_id = $1 and state = 'waiting'`,
    [jobId],
  );
  return rows[0]!.count;
}

/** Ids of the waiting instructions, oldest first. */
export async function waitingInstructions(tx: Queryable, jobId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'waiting-instructions',
    text: `select message_id as id from instructions
      where job_id = $1 and state = 'waiting' order by seq`,
    values: [jobId],
  });
  return rows.map(row => row.id);
}

/** Ids of the waiting instructions that came before the first of those given, oldest first. */
export async function waitingBefore(
  tx: Queryable,
  jobId: string,
  ids: string[],
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select message_id as id from instructions
      where job_id = $1 and state = 'waiting' and message_id <> all($2)
        and seq < (select min(seq) from instructions where job_id = $1 and message_id = any($2))
      order by seq`,
    [jobId, ids],
  );
  return rows.map(row => row.id);
}

/**
 * Ids of those that have waited so long that nobody can be about to signal or withdraw them: the
 * API needs 5 seconds at most for either.
 */
export async function overdueInstructions(tx: Queryable, jobId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select message_id as id from instructions
      where job_id = $1 and state = 'waiting' and created_at < now() - interval '15 seconds'
      order by seq`,
    [jobId],
  );
  return rows.map(row => row.id);
}

/**
 * Ids of the instructions that came with the job, also when a rewind to its very beginning asks
 * again, and of those that wait. Rows of one transaction have one time.
 */
export async function instructionsToBegin(tx: Queryable, jobId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'instructions-to-begin',
    text: `select i.message_id as id from instructions i join jobs j on j.id = i.job_id
      where i.job_id = $1 and (i.state = 'waiting' or i.created_at = j.created_at)
      order by i.seq`,
    values: [jobId],
  });
  return rows.map(row => row.id);
}

/** An instruction as a turn takes it. */
export interface Taken extends Pick<Instruction, 'messageId' | 'prompt' | 'role'> {
  /** Whether images are attached to it. */
  hasUploads: boolean;
  answer: Answer | null;
  planFirst: boolean;
}

/**
 * Marks instructions as taken by a turn, or dropped, and returns their texts; unknown and withdrawn
 * ones are left out. They come in the order asked for, except for those that were stored before
 * their signals raced each other: among these, the rows' order counts.
 */
export async function takeInstructions(
  tx: Queryable,
  jobId: string,
  ids: string[],
  state: 'taken' | 'dropped',
  turn: number,
): Promise<Taken[]> {
  const { rows } = await tx.query<Taken & { signalled: boolean }>({
    name: 'take-instructions',
    text: `with taken as (
       update instructions i set state = $3, turn = $4
        where job_id = $1 and message_id = any($2) and state <> 'withdrawn'
        returning message_id as "messageId", prompt, role, source = 'signal' as signalled, seq,
                  answer, plan_first as "planFirst",
                  exists (select from instruction_uploads u
                           where u.job_id = $1 and u.message_id = i.message_id) as "hasUploads")
     select * from taken order by seq`,
    values: [jobId, ids, state, turn],
  });
  const found = new Map(rows.map(row => [row.messageId, row]));
  const stored = rows.filter(row => !row.signalled).values();
  return ids
    .flatMap(id => found.get(id) ?? [])
    .map(row => (row.signalled ? row : (stored.next().value ?? row)));
}

/** Withdraws an instruction that nobody has read; false if a turn has taken or dropped it. */
export async function withdrawInstruction(
  tx: Transaction,
  jobId: string,
  messageId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update instructions set state = 'withdrawn'
      where job_id = $1 and message_id = $2 and state = 'waiting'`,
    [jobId, messageId],
  );
  return rowCount !== 0;
}

/** Drops all that nobody has read yet, at the end of `turn` if there is one; returns their ids. */
export async function dropWaiting(
  tx: Transaction,
  jobId: string,
  turn: number | null,
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `update instructions set state = 'dropped', turn = $2
      where job_id = $1 and state = 'waiting' returning message_id as id`,
    [jobId, turn],
  );
  return rows.map(({ id }) => id);
}

/** Reverts `dropWaiting`, except for what a step has read since. */
export async function restoreWaiting(tx: Transaction, jobId: string, ids: string[]): Promise<void> {
  await tx.query(
    `update instructions set state = 'waiting', turn = null
      where job_id = $1 and state = 'dropped' and message_id = any($2)`,
    [jobId, ids],
  );
}

/**
 * Drops the instructions that a rewind leaves out and that nobody has read. Those that are not
 * stored yet (their text is only in a script's signal) are stored first, so that they are listed.
 */
export async function dropInstructions(
  tx: Transaction,
  jobId: string,
  later: WaitingInstruction[],
  turn: number,
): Promise<void> {
  await storeWaiting(tx, jobId, later);
  await tx.query(
    `update instructions set state = 'dropped', turn = $3
      where job_id = $1 and state = 'waiting' and message_id = any($2)`,
    [jobId, later.map(item => item.messageId), turn],
  );
}

/** A job's instructions, in order; without the withdrawn ones. */
export async function listInstructions(db: Queryable, jobId: string): Promise<Instruction[]> {
  const { rows } = await db.query<Instruction>(
    `select message_id as "messageId", prompt, role, source, state, turn,
            created_at as "createdAt"
       from instructions where job_id = $1 and state <> 'withdrawn' order by seq`,
    [jobId],
  );
  return rows;
}

/** What a v1 caller sent with the role `system`: added below our own system prompt. */
export async function readCallerSystem(db: Queryable, jobId: string): Promise<string[]> {
  const { rows } = await db.query<{ prompt: string }>({
    name: 'read-caller-system',
    text: "select prompt from instructions where job_id = $1 and role = 'system' order by seq",
    values: [jobId],
  });
  return rows.map(row => row.prompt);
}

/**
 * The instructions of a turn, and the job's pull request; without those that came as comments:
 * they have brought their comments along.
 */
export async function turnInstructions(
  db: Queryable,
  jobId: string,
  turn: number,
): Promise<{ prompts: string[]; pullRequest: number | null }> {
  const { rows } = await db.query<{ prompts: string[]; pullRequest: number | null }>({
    name: 'turn-instructions',
    text: `select array(select prompt from instructions
                   where job_id = $1 and turn = $2 and source not in ('comment', 'automation')
                   order by seq) as prompts,
            (select pr_number from jobs where id = $1) as "pullRequest"`,
    values: [jobId, turn],
  });
  return rows[0]!;
}
