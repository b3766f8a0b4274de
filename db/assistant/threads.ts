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
 * its id.
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

/**
 * Begins a thread, or carries one on: removes what `messages` replace (all after `keepUntil`) and
 * adds them.
 */
export async function saveMessages(
  db: Queryable,
  thread: { id: string; projectId: string; fp: string },
  messages: readonly ThreadMessage[],
  keepUntil: number,
): Promise<void> {
  await db.query(
    `with thread as (
       insert into threads (id, project_id, fp) values ($1, $3, $4)
       on conflict (id) do update set updated_at = now()
     ), replaced as (
       delete from thread_messages where thread_id = $1 and seq > $5 returning role, message_id
     ), unvoted as (
       delete from answer_votes v using replaced r
        where v.thread_id = $1 and r.role = 'assistant' and v.message_id = r.message_id
     )
     ${INSERT}`,
    [thread.id, rowsOf(messages), thread.projectId, thread.fp, keepUntil],
  );
}

/** Adds messages at a thread's end. */
export async function insertMessages(
  db: Queryable,
  threadId: string,
  messages: readonly ThreadMessage[],
): Promise<void> {
  await db.query(INSERT, [threadId, rowsOf(messages)]);
}

const INSERT = `
  insert into thread_messages (thread_id, message_id, role, text, sources)
  select $1, m.id, m.role, m.text, m.sources
    from rows from (jsonb_to_recordset($2) as (id text, role text, text text, sources jsonb))
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
