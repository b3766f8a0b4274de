import type { Queryable } from '../pool.ts';
import { ANONYMOUS, LOCKED } from './threads.ts';

export interface AnswerVote {
  projectId: string;
  threadId: string;
  fp: string;
  messageId: string;
  /** null withdraws the vote; undefined leaves it as it is. */
  helpful: boolean | null | undefined;
  tags: string[];
  comment: string | null;
}

/**
 * Stores the one vote on an answer, in place of an older one. Undefined if the project has no
 * such answer, or another reader's thread has it; false if there is no vote to leave as it is.
 */
export async function saveVote(db: Queryable, vote: AnswerVote): Promise<boolean | undefined> {
  const { rows } = await db.query<{ isCast: boolean }>(
    `with thread as (${LOCKED}),
     answer as (
       select distinct m.thread_id, m.message_id
         from thread join threads t using (id) join thread_messages m on m.thread_id = t.id
        where t.project_id = $2 and t.fp in ($3, $4)
          and m.message_id = $5 and m.role = 'assistant'),
     taken_back as (
       delete from answer_votes v using answer a
        where $6::boolean is null and not $9
          and v.thread_id = a.thread_id and v.message_id = a.message_id),
     cast_now as (
       insert into answer_votes (thread_id, message_id, helpful, tags, comment)
       select a.thread_id, a.message_id, coalesce($6, v.helpful), $7, $8
         from answer a left join answer_votes v using (thread_id, message_id)
        where coalesce($6, case when $9 then v.helpful end) is not null
       on conflict (thread_id, message_id) do update
         set helpful = coalesce($6, answer_votes.helpful), tags = excluded.tags,
             comment = excluded.comment, updated_at = now()
       returning 1)
     select not $9 or exists (select from cast_now) as "isCast" from answer`,
    [
      ...[vote.threadId, vote.projectId, vote.fp, ANONYMOUS],
      ...[vote.messageId, vote.helpful ?? null, vote.tags, vote.comment],
      vote.helpful === undefined,
    ],
  );
  return rows[0]?.isCast;
}
