import type { Author } from '../../shared/jobs/commit-author.ts';
import type { LeftFinding } from '../../shared/jobs/job.ts';
import type { Queryable } from '../pool.ts';
import type { StatementPart } from '../statement-part.ts';

export interface Publication {
  id: string;
  job_id: string;
  turn: number;
  revision_id: string;
  branch: string;
  parent: string;
  expected_head: string | null;
  commit: string;
  tree: string;
  message: string;
  author_time: number;
  /** Null: Docent. */
  author: Author | null;
  title: string;
  body: string;
  draft: boolean;
  /** What the checks left; null before this was kept. */
  findings: LeftFinding[] | null;
  state: 'planned' | 'pushed' | 'published' | 'abandoned';
  pr_number: number | null;
  pr_link: string | null;
}

export type NewPublication = Omit<Publication, 'state' | 'pr_number' | 'pr_link'>;

/** What adds a publication as planned. */
export function newPublication(plan: NewPublication): StatementPart {
  const text: StatementPart['text'] = (value, from) =>
    `insert into publications (id, job_id, turn, revision_id, branch, parent, expected_head, commit,
                               tree, message, author_time, author, title, body, draft, findings)
     select ${value(plan.id, 'text')}, ${value(plan.job_id, 'text')}, ${value(plan.turn, 'int')},
            ${value(plan.revision_id, 'text')}, ${value(plan.branch, 'text')},
            ${value(plan.parent, 'text')}, ${value(plan.expected_head, 'text')},
            ${value(plan.commit, 'text')}, ${value(plan.tree, 'text')},
            ${value(plan.message, 'text')}, ${value(plan.author_time, 'bigint')},
            ${value(plan.author && JSON.stringify(plan.author), 'jsonb')},
            ${value(plan.title, 'text')}, ${value(plan.body, 'text')},
            ${value(plan.draft, 'boolean')},
            ${value(plan.findings && JSON.stringify(plan.findings), 'jsonb')} ${from}`;
  return { name: 'publication', text };
}

/** The plan of a publication, which never changes. */
export async function readPlan(db: Queryable, id: string): Promise<NewPublication> {
  const { rows } = await db.query<NewPublication>({
    name: 'read-plan',
    text: 'select * from publications where id = $1',
    values: [id],
  });
  if (!rows[0]) throw new Error(`no publication ${id}`);
  return rows[0];
}

/** What the checks left in what the job has on its branch; null: nobody knows. */
export async function leftFindings(db: Queryable, jobId: string): Promise<LeftFinding[] | null> {
  const { rows } = await db.query<Pick<Publication, 'findings'>>(
    `select findings from publications where job_id = $1 and state in ('pushed', 'published')
      order by id desc limit 1`,
    [jobId],
  );
  return rows[0]?.findings ?? null;
}

/** Every commit that the job has planned. */
export async function jobCommits(db: Queryable, jobId: string): Promise<string[]> {
  const { rows } = await db.query<{ commit: string }>(
    'select commit from publications where job_id = $1',
    [jobId],
  );
  return rows.map(row => row.commit);
}

/** What a job has published, in short. */
export interface PublicationState {
  /** How many publications it has planned, whatever became of them. */
  planned: number;
  /** The branch of the newest commit that reached one, undone or not. */
  pushedTo: string | null;
  /** The pull request that last showed `branch`; the run that pushed last may have opened none. */
  shownIn: number | null;
}

export async function readPublicationState(
  db: Queryable,
  jobId: string,
  branch: string,
): Promise<PublicationState> {
  const { rows } = await db.query<PublicationState>({
    name: 'publication-state-of-job',
    text: `select (select count(*)::int from publications where job_id = $1) as planned,
                  (select branch from publications
                    where job_id = $1 and state in ('pushed', 'published')
                    order by created_at desc, id desc limit 1) as "pushedTo",
                  (select pr_number from publications
                    where job_id = $1 and branch = $2 and state = 'published'
                    order by updated_at desc, id desc limit 1) as "shownIn"`,
    values: [jobId, branch],
  });
  return rows[0]!;
}

/** A workspace revision and all that it descends from. */
const CHAIN = `with recursive chain as (
    select id, parent_id, base_commit, created_at from workspace_revisions where id = $1
    union all
    select r.id, r.parent_id, r.base_commit, r.created_at from workspace_revisions r
      join chain c on r.id = c.parent_id
  )`;

/**
 * The newest publication that a workspace descends from; those that a rewind undid do not count.
 * But where the turn came to the same again, its workspace lies on that very commit:
 * `published_revision` is the revision that is published.
 */
export async function lastPublished(
  db: Queryable,
  revisionId: string | null,
): Promise<(Publication & { published_revision: string }) | undefined> {
  const { rows } = await db.query<Publication & { published_revision: string }>({
    name: 'last-published',
    text: `${CHAIN} select p.*, chain.id as published_revision from chain
       join workspace_revisions r on r.id = chain.id
       join publications p
         on p.revision_id = chain.id
         or p.job_id = r.job_id and p.commit = r.base_commit and r.files = '{}'
       where p.state in ('pushed', 'published')
       order by chain.created_at desc, p.created_at desc, p.id desc limit 1`,
    values: [revisionId],
  });
  return rows[0];
}

/**
 * Commits of ours for a branch, newest first, that neither the workspace `head` descends from nor
 * the commit that
 * `revisionId` (the same where it is left out) lies on can hold: a rewind undid them. One that is
 * merely planned may never have been sent.
 */
export async function undonePublications(
  db: Queryable,
  jobId: string,
  branch: string,
  head: string | null,
  revisionId: string | null = head,
): Promise<Publication[]> {
  const { rows } = await db.query<Publication>({
    name: 'undone-publications',
    text: `${CHAIN} select * from publications p
       where p.job_id = $2 and p.branch = $3 and p.revision_id not in (select id from chain)
         and p.created_at > coalesce(
               (select min(c.created_at)
                  from chain c join workspace_revisions r on r.base_commit = c.base_commit
                 where r.id = $4),
               '-infinity')
       order by p.created_at desc, p.id desc`,
    values: [head, jobId, branch, revisionId],
  });
  return rows;
}

/** All that a turn and those after it have planned, undone or not, oldest first. */
export async function publicationsSince(
  db: Queryable,
  jobId: string,
  turn: number,
): Promise<Publication[]> {
  const { rows } = await db.query<Publication>({
    name: 'publications-since',
    text: 'select * from publications where job_id = $1 and turn >= $2 order by created_at, id',
    values: [jobId, turn],
  });
  return rows;
}

/**
 * Publications for a branch that were planned, and perhaps pushed, by a run that did not live to
 * open their pull request; newest first. Once a later one is shown, they are past: it holds them or
 * takes them back, and those that lost a race never came.
 */
export async function unopenedPublications(
  db: Queryable,
  jobId: string,
  branch: string,
): Promise<Publication[]> {
  const { rows } = await db.query<Publication>({
    name: 'unopened-publications',
    text: `select * from publications where job_id = $1 and branch = $2 and state in ('planned', 'pushed')
        and created_at > coalesce(
              (select max(created_at) from publications
                where job_id = $1 and branch = $2 and state = 'published'),
              '-infinity')
      order by created_at desc, id desc`,
    values: [jobId, branch],
  });
  return rows;
}

/** The newest publication of a job that a branch's pull request shows, other than `id`. */
export async function lastShown(
  db: Queryable,
  jobId: string,
  branch: string,
  id: string,
): Promise<Publication | undefined> {
  const { rows } = await db.query<Publication>({
    name: 'last-shown',
    text: `select * from publications
      where job_id = $1 and branch = $2 and state = 'published' and id <> $3
      order by updated_at desc, id desc limit 1`,
    values: [jobId, branch, id],
  });
  return rows[0];
}

/**
 * A publication after those on its branch that it builds upon, oldest first: the sections of the
 * pull request's body.
 */
export async function sectionsOf(
  db: Queryable,
  publication: NewPublication,
): Promise<Publication[]> {
  const { rows } = await db.query<Publication>({
    name: 'sections-of',
    text: `${CHAIN} select * from publications p
       where p.branch = $2 and p.revision_id in (select id from chain)
         and (p.state = 'published' or p.id = $3)
         and p.created_at <= (select created_at from publications where id = $3)
       order by p.created_at, p.id`,
    values: [publication.revision_id, publication.branch, publication.id],
  });
  return rows;
}

/** What gives a publication its next state. */
export function publicationState(
  id: string,
  state: Publication['state'],
  pr?: { number: number; link: string },
): StatementPart {
  const text: StatementPart['text'] = (value, from) =>
    `update publications p
        set state = ${value(state, 'text')},
            pr_number = coalesce(${value(pr?.number ?? null, 'int')}, pr_number),
            pr_link = coalesce(${value(pr?.link ?? null, 'text')}, pr_link), updated_at = now()
       ${from} where p.id = ${value(id, 'text')}`;
  return { name: 'publication-state', text };
}
