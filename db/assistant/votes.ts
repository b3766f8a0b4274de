import type { Queryable } from '../pool.ts';
import { ANONYMOUS } from './threads.ts';

export interface AnswerVote {
  projectId: string;
  threadId: string;
  fp: string;
  messageId: string;
  /** null takes the vote back. */
  helpful: boolean | null;
  tags: string[];
  comment: string | null;
}

/**
 * Stores the one vote on an answer, in place of an older one. False if the project has no such
 * answer, or another reader's thread has it.
 */
export async function saveVote(db: Queryable, vote: AnswerVote): Promise<boolean> {
  const { rowCount } = await db.query(
    `with answer as (
       select distinct m.thread_id, m.message_id
         from threads t join thread_messages m on m.thread_id = t.id
        where t.id = $1 and t.project_id = $2 and t.fp in ($3, $4)
          and m.message_id = $5 and m.role = 'assistant'),
     taken_back as (
       delete from answer_votes v using answer a
        where $6::boolean is null and v.thread_id = a.thread_id and v.message_id = a.message_id),
     cast_now as (
       insert into answer_votes (thread_id, message_id, helpful, tags, comment)
       select thread_id, message_id, $6, $7, $8 from answer where $6::boolean is not null
       on conflict (thread_id, message_id) do update
         set helpful = excluded.helpful, tags = excluded.tags, comment = excluded.comment,
             updated_at = now())
     select from answer`,
    [
      ...[vote.threadId, vote.projectId, vote.fp, ANONYMOUS],
      ...[vote.messageId, vote.helpful, vote.tags, vote.comment],
    ],
  );
  return rowCount === 1;
}
