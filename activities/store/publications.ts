import type { Queryable } from '../../shared/db/pool.ts';

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
  title: string;
  body: string;
  draft: boolean;
  state: 'planned' | 'pushed' | 'published' | 'abandoned';
  pr_number: number | null;
  pr_link: string | null;
}

export async function addPublication(tx: Queryable, plan: Omit<Publication, 'state' | 'pr_number' | 'pr_link'>): Promise<void> {
  await tx.query(
    `insert into publications (id, job_id, turn, revision_id, branch, parent, expected_head, commit, tree, message, author_time, title, body, draft)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [plan.id, plan.job_id, plan.turn, plan.revision_id, plan.branch, plan.parent, plan.expected_head, plan.commit, plan.tree, plan.message,
      plan.author_time, plan.title, plan.body, plan.draft],
  );
}

export async function readPublication(db: Queryable, id: string): Promise<Publication> {
  const { rows } = await db.query<Publication>('select * from publications where id = $1', [id]);
  if (!rows[0]) throw new Error(`no publication ${id}`);
  return rows[0];
}

/** The newest commit of the job that reached its branch. */
export async function lastPushed(db: Queryable, jobId: string): Promise<Publication | undefined> {
  const { rows } = await db.query<Publication>(
    "select * from publications where job_id = $1 and state in ('pushed', 'published') order by created_at desc, id desc limit 1", [jobId],
  );
  return rows[0];
}

/** The publications that a pull request shows, oldest first. */
export async function publishedTo(db: Queryable, jobId: string, branch: string): Promise<Publication[]> {
  const { rows } = await db.query<Publication>(
    "select * from publications where job_id = $1 and branch = $2 and state = 'published' order by created_at, id", [jobId, branch],
  );
  return rows;
}

export async function setPublicationState(tx: Queryable, id: string, state: Publication['state'], pr?: { number: number; link: string }): Promise<void> {
  await tx.query(
    'update publications set state = $2, pr_number = coalesce($3, pr_number), pr_link = coalesce($4, pr_link), updated_at = now() where id = $1',
    [id, state, pr?.number ?? null, pr?.link ?? null],
  );
}

/** Moves the job's hold to another branch of the same repository. */
export async function holdBranch(tx: Queryable, jobId: string, repositoryUrl: string, branch: string): Promise<void> {
  await tx.query('delete from branch_holds where job_id = $1 and branch <> $2', [jobId, branch]);
  await tx.query('insert into branch_holds (repository_url, branch, job_id) values ($1, $2, $3) on conflict do nothing', [repositoryUrl, branch, jobId]);
}
