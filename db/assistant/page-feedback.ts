import { newId } from '../../shared/ids.ts';
import type { FEEDBACK_SOURCES, FEEDBACK_STATUSES } from '../../shared/page-feedback.ts';
import type { Queryable, Transaction } from '../pool.ts';

export interface PageFeedback {
  id: string;
  path: string;
  helpful: boolean | null;
  comment: string | null;
  contact: string | null;
  source: (typeof FEEDBACK_SOURCES)[number];
  status: (typeof FEEDBACK_STATUSES)[number];
  createdAt: Date;
}

type Given = Pick<PageFeedback, 'path' | 'helpful' | 'comment' | 'contact' | 'source'> & {
  projectId: string;
  fp: string;
};

/** Stores it; a second one of a reader who is known replaces the first, and is new to the staff. */
export async function savePageFeedback(db: Queryable, given: Given): Promise<void> {
  await db.query(
    `insert into page_feedback (id, project_id, path, fp, helpful, comment, contact, source)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (project_id, fp, path) where fp <> 'anonymous' do update
       set helpful = excluded.helpful, comment = excluded.comment, contact = excluded.contact,
           source = excluded.source, status = 'pending', updated_at = now()`,
    [
      ...[newId('fb'), given.projectId, given.path, given.fp],
      ...[given.helpful, given.comment, given.contact, given.source],
    ],
  );
}

/** Of a reader who is known. */
export async function withdrawPageFeedback(
  db: Queryable,
  { projectId, fp, path }: Pick<Given, 'projectId' | 'fp' | 'path'>,
): Promise<void> {
  await db.query(
    `delete from page_feedback
      where project_id = $1 and fp = $2 and path = $3 and fp <> 'anonymous'`,
    [projectId, fp, path],
  );
}

const COLUMNS = `id, path, helpful, comment, contact, source, status, created_at as "createdAt"`;

export async function findPageFeedback(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<PageFeedback | undefined> {
  const { rows } = await db.query<PageFeedback>(
    `select ${COLUMNS} from page_feedback where project_id = $1 and id = $2`,
    [projectId, id],
  );
  return rows[0];
}

/** From and until when it was given; the latter excluded. */
export interface Period {
  from?: Date | undefined;
  until?: Date | undefined;
}

/** A project's, newest first, which is the order of ids; those after one, which may be gone. */
export async function listPageFeedback(
  db: Queryable,
  projectId: string,
  { from, until, limit, after }: Period & { limit: number; after?: string | undefined },
): Promise<PageFeedback[]> {
  const { rows } = await db.query<PageFeedback>(
    `select ${COLUMNS} from page_feedback
      where project_id = $1 and ($2::timestamptz is null or created_at >= $2)
        and ($3::timestamptz is null or created_at < $3)
        and ($4::text is null or id < $4)
      order by id desc limit $5`,
    [projectId, from ?? null, until ?? null, after ?? null, limit],
  );
  return rows;
}

export interface FeedbackOfPage {
  path: string;
  thumbsUp: number;
  thumbsDown: number;
  /** From code snippets. */
  code: number;
  total: number;
}

/** Pages with the most first. */
export async function countPageFeedback(
  db: Queryable,
  projectId: string,
  { from, until, limit }: Period & { limit: number },
): Promise<FeedbackOfPage[]> {
  const { rows } = await db.query<FeedbackOfPage>(
    `select path, count(*) filter (where helpful)::int as "thumbsUp",
            count(*) filter (where not helpful)::int as "thumbsDown",
            count(*) filter (where source = 'code_snippet')::int as code, count(*)::int as total
       from page_feedback
      where project_id = $1 and ($2::timestamptz is null or created_at >= $2)
        and ($3::timestamptz is null or created_at < $3)
      group by path order by total desc, path limit $4`,
    [projectId, from ?? null, until ?? null, limit],
  );
  return rows;
}

/** False if the project has no such one. */
export async function changePageFeedback(
  db: Queryable,
  projectId: string,
  id: string,
  status: PageFeedback['status'],
): Promise<boolean> {
  const { rowCount } = await db.query(
    'update page_feedback set status = $3, updated_at = now() where project_id = $1 and id = $2',
    [projectId, id, status],
  );
  return rowCount === 1;
}

/** Takes a pending one in hand; false if there is none: of two who ask, one gets it. */
export async function claimPageFeedback(
  tx: Transaction,
  projectId: string,
  id: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update page_feedback set status = 'in_progress', updated_at = now()
      where project_id = $1 and id = $2 and status = 'pending'`,
    [projectId, id],
  );
  return rowCount === 1;
}

/** Deletes up to `limit` that are older than so many days. How many it were. */
export async function deleteOldPageFeedback(
  db: Queryable,
  days: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from page_feedback where ctid = any(array(
       select ctid from page_feedback where created_at < now() - make_interval(days => $1)
        order by created_at limit $2))`,
    [days, limit],
  );
  return rowCount ?? 0;
}
