import type { Queryable, Transaction } from '../pool.ts';
import { deleteEmptyGroups } from './question-groups.ts';
import { ANONYMOUS, type ThreadSource } from './threads.ts';

/** A message of a conversation as people read it back; an answer with its vote. */
export interface ConversationMessage {
  seq: number;
  id: string | null;
  role: 'user' | 'assistant';
  text: string;
  sources: ThreadSource[];
  createdAt: Date;
  vote: { helpful: boolean; tags: string[]; comment: string | null } | null;
}

export interface Conversation {
  id: string;
  fp: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Whose conversation it must be; without `fp`, anybody's. */
export interface ConversationOf {
  projectId: string;
  threadId: string;
  fp?: string;
}

const COLUMNS = `t.id, t.fp, t.created_at as "createdAt", t.updated_at as "updatedAt"`;

export async function findConversation(
  db: Queryable,
  { projectId, threadId, fp }: ConversationOf,
): Promise<Conversation | undefined> {
  const { rows } = await db.query<Conversation>(
    `select ${COLUMNS} from threads t
      where t.id = $1 and t.project_id = $2 and ($3::text is null or t.fp in ($3, $4))`,
    [threadId, projectId, fp ?? null, ANONYMOUS],
  );
  return rows[0];
}

/** A reader's conversations, by id; those after one. */
export async function listConversations(
  db: Queryable,
  reader: { projectId: string; fp: string },
  page: { limit: number; after?: string },
): Promise<Conversation[]> {
  const { rows } = await db.query<Conversation>(
    `select ${COLUMNS} from threads t
      where t.project_id = $1 and t.fp = $2 and t.fp <> 'anonymous'
        and ($3::text is null or t.id > $3)
      order by t.id limit $4`,
    [reader.projectId, reader.fp, page.after ?? null, page.limit],
  );
  return rows;
}

/** The messages of a conversation after one of them, in order. */
export async function readMessages(
  db: Queryable,
  threadId: string,
  page: { limit: number; after?: number },
): Promise<ConversationMessage[]> {
  const { rows } = await db.query<ConversationMessage>(
    `select m.seq, m.message_id as id, m.role, m.text, m.sources, m.created_at as "createdAt",
            case when v.helpful is not null then
              jsonb_build_object('helpful', v.helpful, 'tags', v.tags, 'comment', v.comment)
            end as vote
       from thread_messages m
       left join answer_votes v on v.thread_id = m.thread_id and v.message_id = m.message_id
                               and m.role = 'assistant'
      where m.thread_id = $1 and m.seq > $2
      order by m.seq limit $3`,
    [threadId, page.after ?? 0, page.limit],
  );
  return rows;
}

export interface Deleted {
  threads: number;
  questions: number;
  /** On pages. */
  feedback: number;
}

/** Deletes a conversation with votes and questions; or all of a reader, and feedback on pages. */
export async function deleteConversations(
  tx: Transaction,
  { projectId, ...which }: { projectId: string } & ({ fp: string } | { threadId: string }),
): Promise<Deleted> {
  const by = 'fp' in which ? [which.fp, null] : [null, which.threadId];
  const { rows } = await tx.query<{ groupId: string | null }>(
    `delete from questions where thread_id in (
       select id from threads where project_id = $1 and (fp = $2 or id = $3))
     returning group_id as "groupId"`,
    [projectId, ...by],
  );
  const { rowCount } = await tx.query(
    'delete from threads where project_id = $1 and (fp = $2 or id = $3)',
    [projectId, ...by],
  );
  const { rowCount: feedback } = await tx.query(
    'delete from page_feedback where project_id = $1 and fp = $2',
    [projectId, by[0]],
  );
  const groups = [...new Set(rows.flatMap(({ groupId }) => groupId ?? []))];
  await deleteEmptyGroups(tx, groups);
  for (const id of groups) await settleGroup(tx, id);
  return { threads: rowCount ?? 0, questions: rows.length, feedback: feedback ?? 0 };
}

/**
 * A group that lost questions: its words are of its first one. Where another group has those of the
 * one that is first now, its questions go there.
 */
async function settleGroup(tx: Transaction, id: string): Promise<void> {
  const { rows } = await tx.query<{ words: string[]; other: string | null }>(
    `select w.words, (select o.id from question_groups o
                       where o.project_id = g.project_id and o.words = w.words and o.id <> g.id) as other
       from question_groups g
      cross join lateral (select question_words(question) as words from questions
                           where group_id = g.id order by created_at, id limit 1) w
      where g.id = $1 and not exists (select from questions where id = g.id)
        for update of g`,
    [id],
  );
  const [renamed] = rows;
  if (renamed?.other) {
    await tx.query('update questions set group_id = $2 where group_id = $1', [id, renamed.other]);
    await tx.query('delete from question_groups where id = $1', [id]);
  } else if (renamed)
    await tx.query('update question_groups set words = $2, vector = null where id = $1', [
      id,
      renamed.words,
    ]);
  await tx.query(
    `update question_groups g
        set asked = n.asked, newest_id = n.id, newest_at = n.created_at, newest_answered = n.answered
       from (select id, created_at, answered, count(*) over ()::int as asked from questions
              where group_id = $1 order by created_at desc, id desc limit 1) n
      where g.id = $1`,
    [renamed?.other ?? id],
  );
}
