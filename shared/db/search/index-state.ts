import type { Queryable } from '../pool.ts';

export interface IndexState {
  commit: string;
  pages: number;
  sections: number;
  builtAt: Date;
}

/** What is in a project's search index; null until it was built once. */
export async function readIndexState(db: Queryable, projectId: string): Promise<IndexState | null> {
  const { rows } = await db.query<IndexState>(
    `select commit, pages, sections, built_at as "builtAt" from search_indexes
      where project_id = $1`,
    [projectId],
  );
  return rows[0] ?? null;
}
