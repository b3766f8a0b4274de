import type { SiteFacts } from './published-site.ts';
import type { Queryable } from '../pool.ts';

export interface IndexState {
  commit: string;
  pages: number;
  sections: number;
  builtAt: Date;
  /** False while the first indexing continues: what was read so far can be searched. */
  complete: boolean;
  site: SiteFacts;
}

/** What is in a project's search index; null until it was built once. */
export async function readIndexState(db: Queryable, projectId: string): Promise<IndexState | null> {
  const { rows } = await db.query<IndexState>(
    `select commit, pages, sections, built_at as "builtAt", complete, site from search_indexes
      where project_id = $1`,
    [projectId],
  );
  return rows[0] ?? null;
}

/** Whether a project was indexed once; false while its first index grows. */
export async function isIndexComplete(db: Queryable, projectId: string): Promise<boolean> {
  const { rows } = await db.query<{ complete: boolean }>(
    'select complete from search_indexes where project_id = $1',
    [projectId],
  );
  return rows[0]?.complete ?? false;
}
