import type { Queryable, Transaction } from '../pool.ts';

export interface Instruction {
  messageId: string;
  prompt: string;
  role: 'user' | 'assistant' | 'system';
  source: 'api' | 'signal' | 'dashboard' | 'comment';
  state: 'waiting' | 'taken' | 'dropped' | 'withdrawn';
  turn: number | null;
  createdAt: Date;
}

export interface NewInstruction {
  jobId: string;
  messageId: string;
  prompt: string;
  role?: Instruction['role'];
  /** `api` where it is left out. */
  source?: Instruction['source'];
}

/** Stores an instruction that came over HTTP; it waits for the workflow to take it. */
export async function insertInstruction(
  tx: Transaction,
  instruction: NewInstruction,
): Promise<void> {
  await tx.query(
    `insert into instructions (job_id, message_id, prompt, role, source) values ($1, $2, $3, $4, $5)`,
    [
      instruction.jobId,
      instruction.messageId,
      instruction.prompt,
      instruction.role ?? 'user',
      instruction.source ?? 'api',
    ],
  );
}

export async function countWaiting(tx: Transaction, jobId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*) from instructions where job_id = $1 and state = 'waiting'`,
    [jobId],
  );
  return rows[0]!.count;
}

/** Takes an instruction back that the workflow was never told of. */
export async function withdrawInstruction(
  tx: Transaction,
  jobId: string,
  messageId: string,
): Promise<void> {
  await tx.query(
    `update instructions set state = 'withdrawn' where job_id = $1 and message_id = $2 and state = 'waiting'`,
    [jobId, messageId],
  );
}

/** What a job was told, in order; without what was withdrawn. */
export async function listInstructions(db: Queryable, jobId: string): Promise<Instruction[]> {
  const { rows } = await db.query<Instruction>(
    `select message_id as "messageId", prompt, role, source, state, turn, created_at as "createdAt"
       from instructions where job_id = $1 and state <> 'withdrawn' order by seq`,
    [jobId],
  );
  return rows;
}
