import { jsonText } from '../json.ts';
import type { Queryable } from '../pool.ts';

/** Seconds for which an answer continues without a reader. */
const GRACE_SECONDS = 30;
/** The process that runs it writes every two seconds at least. */
const SILENT_SECONDS = 15;
/** Until then a reader may still be reading the last parts. */
const ENDED_MINUTES = 60;

export interface RunningAnswer {
  messageId: string;
  threadId: string;
  apiKeyId: string;
}

/** In place of the thread's older ones. False: the thread is not stored yet, or no more. */
export async function beginRunning(db: Queryable, answer: RunningAnswer): Promise<boolean> {
  const { rowCount } = await db.query(
    `with thread as (select id from threads where id = $2 for key share),
          replaced as (delete from running_answers using thread
                        where thread_id = thread.id and message_id < $1)
     insert into running_answers (message_id, thread_id, api_key_id)
     select $1, id, $3 from thread`,
    [answer.messageId, answer.threadId, answer.apiKeyId],
  );
  return rowCount === 1;
}

/**
 * Adds what came since the last time, and says that the answer is still being made. Undefined: it
 * was replaced or deleted.
 */
export async function writeRunning(
  db: Queryable,
  messageId: string,
  part: { n: number; events: readonly object[]; isEnded: boolean; hasReader: boolean },
): Promise<{ isAlone: boolean } | undefined> {
  const { rows } = await db.query<{ isAlone: boolean }>(
    `with running as (
       update running_answers
          set written_at = now(), is_ended = $4, read_at = case when $5 then now() else read_at end
        where message_id = $1 returning read_at
     ), added as (
       insert into answer_parts (message_id, n, events)
       select $1, $2, $3 from running where $3::jsonb is not null
     )
     select read_at < now() - make_interval(secs => ${GRACE_SECONDS}) as "isAlone" from running`,
    [
      ...[messageId, part.n, part.events.length > 0 ? jsonText(part.events) : null],
      ...[part.isEnded, part.hasReader],
    ],
  );
  return rows[0];
}

/** The answer that is being made in a thread, of a question that was asked with the same key. */
export async function findRunning(
  db: Queryable,
  { threadId, apiKeyId }: Omit<RunningAnswer, 'messageId'>,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select message_id as id from running_answers
      where thread_id = $1 and api_key_id = $2 and not is_ended
        and written_at > now() - make_interval(secs => ${SILENT_SECONDS})
      order by message_id desc limit 1`,
    [threadId, apiKeyId],
  );
  return rows[0]?.id;
}

/** Says that someone reads. `isLost`: the process that made the answer is gone. */
export async function touchRunning(
  db: Queryable,
  messageId: string,
): Promise<{ isEnded: boolean; isLost: boolean } | undefined> {
  const { rows } = await db.query<{ isEnded: boolean; isLost: boolean }>(
    `update running_answers set read_at = now() where message_id = $1
     returning is_ended as "isEnded",
               written_at < now() - make_interval(secs => ${SILENT_SECONDS}) as "isLost"`,
    [messageId],
  );
  return rows[0];
}

/** The parts of an answer after one of them, in order. */
export async function readParts(
  db: Queryable,
  messageId: string,
  after: number,
): Promise<{ n: number; events: unknown[] }[]> {
  const { rows } = await db.query<{ n: number; events: unknown[] }>(
    'select n, events from answer_parts where message_id = $1 and n > $2 order by n',
    [messageId, after],
  );
  return rows;
}

/** Deletes up to `limit` answers that ended an hour ago. How many it were. */
export async function deleteEndedAnswers(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from running_answers where message_id = any(array(
       select message_id from running_answers
        where written_at < now() - make_interval(mins => ${ENDED_MINUTES})
        order by written_at limit $1))`,
    [limit],
  );
  return rowCount ?? 0;
}
