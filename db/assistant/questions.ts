import { newId } from '../../shared/ids.ts';
import type { Queryable } from '../pool.ts';
import { containsPattern } from '../text-search.ts';
import {
  ALIKE,
  deleteEmptyGroups,
  nearestGroup,
  type QuestionState,
  STATE,
} from './question-groups.ts';
import { vectorBytes } from '../search/vectors.ts';

/** Questions that are alike; text, answer and time are those of the newest. */
export interface Question {
  id: string;
  groupId: string | null;
  question: string;
  answered: boolean;
  createdAt: Date;
  state: QuestionState;
  /** Site path of the page that resolved it. */
  page: string | null;
  /** How often it was asked. */
  asked: number;
  /** How often in each of the last eight weeks, the current one last. */
  weeks: number[];
  /** Its newest wordings, at most five. */
  wordings: string[];
  /** The newest job that was started to answer it. */
  jobId: string | null;
  /** What the assistant said, and what it cited; null and none once the thread is gone. */
  answer: string | null;
  sources: { url: string; title: string }[];
}

export interface AskedQuestion {
  projectId: string;
  threadId: string;
  question: string;
  answered: boolean;
  /** What it means, where embeddings are on. */
  vector?: Float32Array | undefined;
}

/**
 * Notes a question and whether the docs held its answer, in the group of its likes: by words, else
 * by meaning.
 */
export async function recordQuestion(db: Queryable, row: AskedQuestion): Promise<void> {
  const { projectId, vector } = row;
  const nearest = vector && (await nearestGroup(db, projectId, vector));
  await db.query(
    `with asked as (select $2::text as project_id, question_words($4) as words),
     worded as (select found.id from asked cross join lateral (${ALIKE}) found),
     meant as (select id from question_groups
                where id = $6 and not exists (select from worded) for key share),
     alike as (select id from worded union all select id from meant),
     made as (insert into question_groups (id, project_id, words, vector)
              select $1, project_id, words, $7 from asked where not exists (select from alike)
              on conflict (project_id, words) do update set words = excluded.words
              returning id)
     insert into questions (id, project_id, thread_id, question, answered, group_id)
     values ($1, $2, $3, $4, $5, (select id from alike union all select id from made))`,
    [
      newId('q'),
      ...[projectId, row.threadId, row.question, row.answered],
      nearest ?? null,
      vector ? vectorBytes(vector) : null,
    ],
  );
}

export interface QuestionFilter {
  /** `false` gives those that the docs do not answer. */
  answered?: boolean;
  /** `true` gives those that a person dismissed or resolved. */
  closed?: boolean;
  search?: string;
  /** Id of the last question of the page before. */
  after?: string;
  /** A question of the group. */
  id?: string;
  limit: number;
}

const WEEKS = [7, 6, 5, 4, 3, 2, 1, 0].map(
  ago =>
    `count(*) filter (where created_at <= now() - make_interval(weeks => ${ago})
                        and created_at > now() - make_interval(weeks => ${ago + 1}))::integer`,
);

const ANSWER = `select a.text, a.sources
  from (select max(seq) as seq from thread_messages
         where thread_id = q.thread_id and role = 'user' and text = q.question) asked
  join thread_messages a
    on a.thread_id = q.thread_id and a.role = 'assistant' and a.seq > asked.seq
 order by a.seq limit 1`;
const WORDINGS = `select array_agg(w.question order by w.at desc) as all
  from (select m.question, max(m.created_at) as at from questions m
         where m.id = q.id or m.group_id = q.group_id
         group by 1 order by 2 desc limit 5) w`;

/** A project's questions, each with its likes: those asked most first, then the newest. */
export async function listQuestions(
  db: Queryable,
  projectId: string,
  filter: QuestionFilter,
): Promise<Question[]> {
  const { rows } = await db.query<Question>(
    `with grouped as (
       select coalesce(group_id, id) as id, count(*)::integer as asked,
              array[${WEEKS.join(', ')}] as weeks,
              (array_agg(id order by created_at desc, id desc))[1] as newest,
              (array_agg(job_id order by created_at desc) filter (where job_id is not null))[1]
                as job_id,
              max(created_at) as at, bool_or(id = $5) as is_cursor
         from questions where project_id = $1
        group by 1
       having ($3::text is null or bool_or(question ilike $3))
          and ($4::text is null or bool_or(id = $4)))
     select q.id, q.group_id as "groupId", q.question, q.answered, q.created_at as "createdAt",
            s.state, case when s.state = 'resolved' then g.page end as page,
            n.asked, n.weeks, n.job_id as "jobId", worded.all as wordings,
            said.text as answer, coalesce(said.sources, '[]') as sources
       from grouped n join questions q on q.id = n.newest
       left join question_groups g on g.id = q.group_id
       cross join lateral (select ${STATE} as state) s
       left join lateral (${ANSWER}) said on true
       cross join lateral (${WORDINGS}) worded
      where ($2::boolean is null or q.answered = $2)
        and ($7::boolean is null or (s.state <> 'open') = $7)
        and ($5::text is null
             or (n.asked, n.at, n.id) < (select asked, at, id from grouped where is_cursor))
      order by n.asked desc, n.at desc, n.id desc limit $6`,
    [
      projectId,
      filter.answered ?? null,
      containsPattern(filter.search),
      filter.id ?? null,
      filter.after ?? null,
      filter.limit,
      filter.closed ?? null,
    ],
  );
  return rows;
}

/** Notes the job that was started to answer a question. */
export async function linkQuestion(
  db: Queryable,
  questionId: string,
  jobId: string,
): Promise<void> {
  await db.query('update questions set job_id = $2 where id = $1', [questionId, jobId]);
}

/**
 * Deletes up to `limit` questions that were asked so many days ago, and the groups that have none
 * left. How many questions it were.
 */
export async function deleteOldQuestions(
  db: Queryable,
  days: number,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ groupId: string | null }>(
    `delete from questions where ctid = any(array(
       select ctid from questions where created_at < now() - make_interval(days => $1)
        order by created_at limit $2))
     returning group_id as "groupId"`,
    [days, limit],
  );
  const groups = new Set(rows.map(({ groupId }) => groupId).filter(id => id !== null));
  if (groups.size > 0) await deleteEmptyGroups(db, [...groups]);
  return rows.length;
}
