import { jsonText } from '../json.ts';
import type { Queryable } from '../pool.ts';

export interface ThreadSource {
  id: string;
  url: string;
  title: string;
}

export interface ThreadMessage {
  /** The caller's id, or ours for an answer; null if a caller sent none. */
  id: string | null;
  role: 'user' | 'assistant';
  text: string;
  sources?: ThreadSource[];
}

/** A stored message; `seq` orders a thread. */
export interface StoredMessage extends ThreadMessage {
  seq: number;
  sources: ThreadSource[];
}

/**
 * What `fp` says of a reader who is not known. A thread begun under it answers to anyone who has
 * its id, and stays anonymous if a known reader continues it.
 */
export const ANONYMOUS = 'anonymous';

/**
 * A thread's messages in order; undefined if the project has no such thread, or another reader
 * began it.
 */
export async function readThread(
  db: Queryable,
  thread: { id: string; projectId: string; fp: string },
): Promise<StoredMessage[] | undefined> {
  const { rows } = await db.query<{
    seq: number | null;
    message_id: string | null;
    role: 'user' | 'assistant';
    text: string;
    sources: ThreadSource[];
  }>(
    `select m.seq, m.message_id, m.role, m.text, m.sources
       from threads t left join thread_messages m on m.thread_id = t.id
      where t.id = $1 and t.project_id = $2 and t.fp in ($3, $4)
      order by m.seq`,
    [thread.id, thread.projectId, thread.fp, ANONYMOUS],
  );
  if (rows.length === 0) return undefined;
  return rows.flatMap(row =>
    row.seq === null
      ? []
      : [
          {
            seq: row.seq,
            id: row.message_id,
            role: row.role,
            text: row.text,
            sources: row.sources,
          },
        ],
  );
}

export interface Thread {
  id: string;
  projectId: string;
  fp: string;
  /** It was read before: what is written to it now does not begin it. */
  isCarriedOn?: boolean;
}

/**
 * Begins a thread, or carries one on: removes what `messages` replace (all after `keepUntil`) and
 * adds them. One that was deleted meanwhile does not come back. Answers that still continue there,
 * older than the one to come, end without being stored.
 */
export async function saveMessages(
  db: Queryable,
  thread: Thread,
  messages: readonly ThreadMessage[],
  keepUntil: number,
  answerId?: string,
): Promise<void> {
  await db.query(
    `with begun as (
       insert into threads (id, project_id, fp) select $1, $3, $4 where not $6 returning id
     ), carried_on as (
       update threads set updated_at = now() where id = $1 and $6 returning id
     ), thread as (
       select id from begun union all select id from carried_on
     ), replaced as (
       delete from thread_messages where thread_id = $1 and seq > $5 returning role, message_id
     ), running as (
       delete from running_answers where thread_id = $1 and message_id < $7
     ), unvoted as (
       delete from answer_votes v using replaced r
        where v.thread_id = $1 and r.role = 'assistant' and v.message_id = r.message_id
     )
     ${INSERT}`,
    [
      thread.id,
      rowsOf(messages),
      thread.projectId,
      thread.fp,
      keepUntil,
      thread.isCarriedOn ?? false,
      answerId ?? null,
    ],
  );
}

/** Adds messages at a thread's end, unless it was deleted meanwhile. */
export async function insertMessages(
  db: Queryable,
  threadId: string,
  messages: readonly ThreadMessage[],
): Promise<void> {
  await db.query(`with thread as (${LOCKED}) ${INSERT}`, [threadId, rowsOf(messages)]);
}

/** The thread of the first parameter. A deletion of it waits for what is written, or has won. */
export const LOCKED = 'select id from threads where id = $1 for key share';
const INSERT = `
  insert into thread_messages (thread_id, message_id, role, text, sources)
  select thread.id, m.id, m.role, m.text, m.sources
    from thread, rows from (jsonb_to_recordset($2) as (id text, role text, text text, sources jsonb))
         with ordinality as m (id, role, text, sources, n)
   order by m.n`;

function rowsOf(messages: readonly ThreadMessage[]): string {
  return jsonText(
    messages.map(({ id, role, text, sources }) => ({ id, role, text, sources: sources ?? [] })),
  );
}

/** Deletes up to `limit` threads that nobody has used for so many days. How many it were. */
export async function deleteOldThreads(
  db: Queryable,
  days: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from threads where ctid = any(array(
       select ctid from threads where updated_at < now() - make_interval(days => $1)
        order by updated_at limit $2))`,
    [days, limit],
  );
  return rowCount ?? 0;
}
