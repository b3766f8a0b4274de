import { jsonText } from '../json.ts';
import { newId } from '../../shared/ids.ts';
import type { Queryable } from '../pool.ts';
import { containsPattern } from '../text-search.ts';
import type { CitedPage } from './gaps.ts';
import {
  ALIKE,
  deleteEmptyGroups,
  nearestGroup,
  type QuestionState,
  STATE,
} from './question-groups.ts';
import { VOTES } from './question-report.ts';
import { LOCKED } from './threads.ts';
import { vectorBytes } from '../search/vectors.ts';

/** Questions that are alike; text, answer and time are those of the newest. */
export interface Question {
  id: string;
  groupId: string;
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
  /** When it was last asked again after a merge of that job, and what the answer cited. */
  askedAgainAt: Date | null;
  askedAgainSources: CitedPage[];
  /** What the assistant said, and what it cited; null and none once the thread is gone. */
  answer: string | null;
  sources: { url: string; title: string }[];
  /** Votes on the answers, and the newest reasons. */
  votes: { helpful: number; notHelpful: number; comments: string[] };
}

export interface AskedQuestion {
  projectId: string;
  threadId: string;
  question: string;
  answered: boolean;
  /** The answer's message; undefined if nothing was answered. */
  answerId?: string | undefined;
  /** Titles of the pages that it cites, by address. */
  cited?: Record<string, string> | undefined;
  /** What it means, where embeddings are on. */
  vector?: Float32Array | undefined;
}

const NEWEST = `asked = g.asked + 1, newest_id = $3, newest_at = now(), newest_answered = $5`;

/**
 * Notes a question and whether the docs held its answer, in the group of its likes: by words, else
 * by meaning. A question whose thread was deleted meanwhile is nobody's, and is not noted.
 */
export async function recordQuestion(db: Queryable, row: AskedQuestion): Promise<void> {
  const { projectId, vector } = row;
  const nearest = vector && (await nearestGroup(db, projectId, vector));
  await db.query(
    `with thread as (${LOCKED}),
     asked as (select $2::text as project_id, question_words($4) as words from thread),
     worded as (select found.id from asked cross join lateral (${ALIKE}) found),
     meant as (select id from question_groups
                where id = $6 and exists (select from asked)
                  and not exists (select from worded) for no key update),
     alike as (select id from worded union all select id from meant),
     again as (update question_groups g set ${NEWEST} from alike where g.id = alike.id),
     made as (insert into question_groups as g (id, project_id, words, vector, asked, newest_id,
                                                newest_at, newest_answered)
              select $3, project_id, words, $7, 1, $3, now(), $5
                from asked where not exists (select from alike)
              on conflict (project_id, words) do update set ${NEWEST}
              returning id)
     insert into questions (id, project_id, thread_id, question, answered, answer_id, cited, group_id)
     select $3, $2, $1, $4, $5, $8, $9, (select id from alike union all select id from made)
       from thread`,
    [
      ...[row.threadId, projectId, newId('q'), row.question, row.answered],
      nearest ?? null,
      vector ? vectorBytes(vector) : null,
      row.answerId ?? null,
      row.cited ? jsonText(row.cited) : null,
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
const PER_WEEK = `select array[${WEEKS.join(', ')}] as weeks
  from questions m where m.group_id = g.id and m.created_at > now() - make_interval(weeks => 8)`;

const ANSWER = `select a.text, a.sources
  from (select max(seq) as seq from thread_messages
         where thread_id = q.thread_id and role = 'user' and text = q.question) asked
  join thread_messages a
    on a.thread_id = q.thread_id and a.role = 'assistant' and a.seq > asked.seq
 order by a.seq limit 1`;
/** Newest questions of a group that wordings are taken from. */
const MOST_COMPARED = 500;
const WORDINGS = `select array_agg(w.question order by w.at desc) as all
  from (select question, max(created_at) as at
          from (select question, created_at from questions where group_id = g.id
                 order by created_at desc limit ${MOST_COMPARED}) m
         group by 1 order by 2 desc limit 5) w`;
const GAP = `select x.job_id, x.asked_at, x.sources
  from questions m join gaps x on x.question_id = m.id
 where m.group_id = g.id order by x.created_at desc, x.id desc limit 1`;
/** The group of a question, by the parameter with its id. */
const groupOf = (id: string) => `(select group_id from questions where id = ${id})`;

/** A project's questions, each with its likes: those asked most first, then the newest. */
export async function listQuestions(
  db: Queryable,
  projectId: string,
  filter: QuestionFilter,
): Promise<Question[]> {
  const { rows } = await db.query<Question>(
    `select q.id, g.id as "groupId", q.question, q.answered, q.created_at as "createdAt",
            g.state, case when g.state = 'resolved' then g.page end as page,
            g.asked, per_week.weeks, gap.job_id as "jobId", worded.all as wordings,
            gap.asked_at as "askedAgainAt", coalesce(gap.sources, '[]') as "askedAgainSources",
            said.text as answer, coalesce(said.sources, '[]') as sources,
            to_jsonb(voted) as votes
       from (select g.*, s.state
               from question_groups g cross join lateral (select ${STATE} as state) s
              where g.project_id = $1 and g.asked > 0
                and ($2::boolean is null or g.newest_answered = $2)
                and ($3::text is null
                     or g.id in (select group_id from questions
                                  where project_id = $1 and question ilike $3))
                and ($4::text is null or g.id = ${groupOf('$4')})
                and ($7::boolean is null or (s.state <> 'open') = $7)
                and ($5::text is null
                     or (g.asked, g.newest_at, g.id) <
                        (select asked, newest_at, id from question_groups
                          where id = ${groupOf('$5')}))
              order by g.asked desc, g.newest_at desc, g.id desc limit $6) g
       join questions q on q.id = g.newest_id
       left join lateral (${ANSWER}) said on true
       left join lateral (${GAP}) gap on true
       cross join lateral (${PER_WEEK}) per_week
       cross join lateral (${VOTES}) voted
       cross join lateral (${WORDINGS}) worded
      order by g.asked desc, g.newest_at desc, g.id desc`,
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

/**
 * Deletes up to `limit` questions that were asked so many days ago, and the groups that have none
 * left. How many questions it were.
 */
export async function deleteOldQuestions(
  db: Queryable,
  days: number,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ groupId: string | null; questions: number }>(
    `with gone as (
       delete from questions where ctid = any(array(
         select ctid from questions where created_at < now() - make_interval(days => $1)
          order by created_at limit $2))
       returning group_id),
     counted as (select group_id, count(*)::int as questions from gone group by 1),
     fewer as (update question_groups g set asked = g.asked - c.questions
                 from counted c where g.id = c.group_id)
     select group_id as "groupId", questions from counted`,
    [days, limit],
  );
  const groups = rows.map(({ groupId }) => groupId).filter(id => id !== null);
  if (groups.length > 0) await deleteEmptyGroups(db, groups);
  return rows.reduce((sum, { questions }) => sum + questions, 0);
}
