import type { Queryable } from '../pool.ts';
import { type QuestionState, STATE } from './question-groups.ts';

/** The latter is excluded. */
export interface ReportPeriod {
  from: Date;
  until: Date;
}

/** Questions of a period that are alike. */
export interface AskedGroup {
  id: string;
  /** Its newest wording. */
  title: string;
  asked: number;
  /** In the period of that length before. */
  askedBefore: number;
  answered: number;
  /** Votes on the answers. */
  helpful: number;
  notHelpful: number;
  state: QuestionState;
  /** Site path of the page that resolved it. */
  page: string | null;
}

const VOTE = 'answer_votes v on v.thread_id = q.thread_id and v.message_id = q.answer_id';

/** Votes on the answers to the questions of the group `g`, with the newest reasons. */
export const VOTES = `select count(*) filter (where v.helpful)::int as helpful,
         count(*) filter (where not v.helpful)::int as "notHelpful",
         coalesce((array_agg(v.comment order by v.updated_at desc)
                     filter (where v.comment is not null))[1:5], '{}') as comments
    from questions q join ${VOTE} where q.group_id = g.id`;

/** Groups of the period: those asked most first; or by id, those after one. */
export async function askedGroups(
  db: Queryable,
  projectId: string,
  { from, until }: ReportPeriod,
  { limit, after }: { limit: number; after?: string },
): Promise<AskedGroup[]> {
  const { rows } = await db.query<AskedGroup>(
    `select g.id, newest.question as title, n.asked, n."askedBefore", n.answered, n.helpful,
            n."notHelpful", ${STATE} as state, g.page
       from (select q.group_id, count(*) filter (where q.created_at >= $2)::int as asked,
                    count(*) filter (where q.created_at < $2)::int as "askedBefore",
                    count(*) filter (where q.created_at >= $2 and q.answered)::int as answered,
                    count(*) filter (where q.created_at >= $2 and v.helpful)::int as helpful,
                    count(*) filter (where q.created_at >= $2 and not v.helpful)::int as "notHelpful"
               from questions q left join ${VOTE}
              where q.project_id = $1 and q.created_at < $3
                and q.created_at >= $2 - ($3::timestamptz - $2::timestamptz)
                and ($4::text is null or q.group_id > $4)
              group by 1) n
       join question_groups g on g.id = n.group_id
       join questions newest on newest.id = g.newest_id
      where n.asked > 0
      order by case when $4::text is null then n.asked end desc, g.id limit $5`,
    [projectId, from, until, after ?? null, limit],
  );
  return rows.map(row => (row.state === 'resolved' ? row : { ...row, page: null }));
}

/** A page that answers of a period cite. */
export interface CitedInPeriod {
  url: string;
  title: string;
  answers: number;
  helpful: number;
  notHelpful: number;
}

/** Newest answers of a period whose pages are counted: a tenth of a second on a slow machine. */
const MOST_ANSWERS = 20_000;

/** Those whose answers were voted down most first, then those cited most. */
export async function citedPages(
  db: Queryable,
  projectId: string,
  { from, until }: ReportPeriod,
  limit: number,
): Promise<CitedInPeriod[]> {
  const { rows } = await db.query<CitedInPeriod>(
    `with newest as (
       select thread_id, answer_id, cited from questions
        where project_id = $1 and answered and created_at >= $2 and created_at < $3
        order by created_at desc limit ${MOST_ANSWERS})
     select s.url, max(s.title) as title, count(*)::int as answers,
            count(*) filter (where v.helpful)::int as helpful,
            count(*) filter (where not v.helpful)::int as "notHelpful"
       from newest q left join ${VOTE}
      cross join lateral jsonb_each_text(q.cited) as s (url, title)
      group by s.url
      order by "notHelpful" desc, answers desc, url limit $4`,
    [projectId, from, until, limit],
  );
  return rows;
}

export interface AskedInPeriod {
  id: string;
  groupId: string | null;
  question: string;
  answered: boolean;
  createdAt: Date;
  sources: { url: string }[];
  helpful: boolean | null;
  tags: string[] | null;
  comment: string | null;
}

/** Questions of the period by id, which is the order of time; those after one. */
export async function askedQuestions(
  db: Queryable,
  projectId: string,
  { from, until }: ReportPeriod,
  { limit, after }: { limit: number; after?: string },
): Promise<AskedInPeriod[]> {
  const { rows } = await db.query<AskedInPeriod>(
    `select q.id, q.group_id as "groupId", q.question, q.answered, q.created_at as "createdAt",
            coalesce(m.sources, '[]') as sources, v.helpful, v.tags, v.comment
       from questions q
       left join thread_messages m on m.thread_id = q.thread_id and m.message_id = q.answer_id
                                  and m.role = 'assistant'
       left join ${VOTE}
      where q.project_id = $1 and q.created_at >= $2 and q.created_at < $3
        and ($4::text is null or q.id > $4)
      order by q.id limit $5`,
    [projectId, from, until, after ?? null, limit],
  );
  return rows;
}
