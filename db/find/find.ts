import type { Outcome } from '../jobs/outcome.ts';
import { OUTCOME } from '../jobs/job-overviews.ts';
import type { HostKind } from '../../shared/host-kind.ts';
import type { Queryable } from '../pool.ts';
import { containsPattern } from '../text-search.ts';

/** Results of each kind. */
const MOST = 6;
const WORD = /[\p{L}\p{N}]+/gu;
const MOST_WORDS = 8;

/** As their indexes have them. */
const split = (text: string) => `to_tsvector('simple', translate(${text}, '/._-', '    '))`;
const WORDS_OF_JOB = split(
  "coalesce(j.title, '') || ' ' || left(j.prompt, 300) || ' ' || j.branch",
);
const WORDS_OF_QUESTION = split('left(q.question, 300)');

/** A query of texts that contain words with these beginnings, all of them; null without words. */
function beginnings(words: string): string | null {
  const found = words.match(WORD)?.slice(0, MOST_WORDS) ?? [];
  return found.length === 0 ? null : found.map(word => `${word}:*`).join(' & ');
}

export interface FoundJob {
  id: string;
  domain: string;
  title: string;
  outcome: Outcome;
  host: HostKind;
  prNumber: number | null;
  prLink: string | null;
  createdAt: Date;
}

/** An organization's jobs, newest first; `#12`: those with that pull request. */
export async function findJobs(
  db: Queryable,
  organizationId: string,
  words: string,
): Promise<FoundJob[]> {
  const number = /^#(\d{1,9})$/.exec(words.trim())?.[1];
  const { rows } = await db.query<FoundJob>(
    // Found by the index of words before the newest are chosen: otherwise every job's text is split.
    `with found as materialized (
       select j.id, j.created_at from jobs j join projects p on p.id = j.project_id
        where j.organization_id = $1 and j.state <> 'given_up' and p.deleted_at is null
          and ($2::text is null
               or ${WORDS_OF_JOB} @@ to_tsquery('simple', $2))
          and ($3::integer is null or j.pr_number = $3)
        order by j.created_at desc, j.id desc limit $4)
     select j.id, p.domain, left(coalesce(j.title, j.prompt), 200) as title, ${OUTCOME} as outcome,
            j.host, j.pr_number as "prNumber", j.pr_link as "prLink", j.created_at as "createdAt"
       from found join jobs j using (id) join projects p on p.id = j.project_id
      order by j.created_at desc, j.id desc`,
    [organizationId, number === undefined ? beginnings(words) : null, number ?? null, MOST],
  );
  return rows;
}

export interface FoundQuestion {
  id: string;
  domain: string;
  question: string;
}

export async function findQuestions(
  db: Queryable,
  organizationId: string,
  words: string,
): Promise<FoundQuestion[]> {
  const query = beginnings(words);
  if (query === null) return [];
  const { rows } = await db.query<FoundQuestion>(
    `with found as materialized (
       select q.id, q.project_id, q.question, q.created_at from questions q
        where q.project_id in (select id from projects
                                where organization_id = $1 and deleted_at is null)
          and ${WORDS_OF_QUESTION} @@ to_tsquery('simple', $2))
     select min(f.id) as id, p.domain, left(f.question, 200) as question
       from found f join projects p on p.id = f.project_id
      group by p.domain, left(f.question, 200)
      order by max(f.created_at) desc limit $3`,
    [organizationId, query, MOST],
  );
  return rows;
}

export interface FoundPage {
  path: string;
  domain: string;
  title: string;
}

/** Pages for everybody whose title or path contains the words; those that begin so come first. */
export async function findPages(
  db: Queryable,
  organizationId: string,
  words: string,
): Promise<FoundPage[]> {
  if (words.trim() === '') return [];
  const { rows } = await db.query<FoundPage>(
    `select s.path, p.domain, s.title
       from projects p join search_pages s on s.project_id = p.id
      where p.organization_id = $1 and p.deleted_at is null and s.live
        and (s.title ilike $2 or s.path ilike $2)
      order by s.title ilike substr($2, 2) desc, length(s.title), s.path limit $3`,
    [organizationId, containsPattern(words.trim()), MOST],
  );
  return rows;
}

export interface FoundKey {
  id: string;
  /** Of an assistant's key; null for an admin key. */
  domain: string | null;
  name: string;
  start: string;
}

/** Keys that are not revoked. */
export async function findKeys(
  db: Queryable,
  organizationId: string,
  words: string,
): Promise<FoundKey[]> {
  if (words.trim() === '') return [];
  const { rows } = await db.query<FoundKey>(
    `select k.id, p.domain, k.name, k.start
       from api_keys k left join projects p on p.id = k.project_id
      where k.organization_id = $1 and k.revoked_at is null and not k.playground
        and p.deleted_at is null and (k.name ilike $2 or k.start ilike $2)
      order by k.created_at desc, k.id limit $3`,
    [organizationId, containsPattern(words.trim()), MOST],
  );
  return rows;
}
