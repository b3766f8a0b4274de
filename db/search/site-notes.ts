import type { Queryable } from '../pool.ts';

/** How far the first index of a site is. */
export interface FirstIndex {
  /** Pages that can be searched. */
  pagesRead: number;
  /** Null until the site was read. */
  pagesTotal: number | null;
}

/** What the assistant must know of a site besides its pages. */
export interface SiteNotes {
  /** What the site's owner tells the assistant; null if nothing. */
  instructions: string | null;
  /** One sentence on pages that are not read; null: all are. */
  unreadPages: string | null;
  /** Null: the site was indexed once. */
  firstIndex: FirstIndex | null;
}

export async function readSiteNotes(db: Queryable, projectId: string): Promise<SiteNotes> {
  const { rows } = await db.query<
    Omit<SiteNotes, 'firstIndex'> & FirstIndex & { complete: boolean }
  >({
    name: 'read-site-notes',
    text: `select (select text from site_instructions where project_id = $1) as instructions,
                  i.site ->> 'unreadPages' as "unreadPages", coalesce(i.complete, false) as complete,
                  coalesce(i.pages, 0) as "pagesRead", r.pages_total as "pagesTotal"
             from (values ($1)) as asked (project_id)
             left join search_indexes i on i.project_id = asked.project_id
             left join index_runs r on r.project_id = asked.project_id`,
    values: [projectId],
  });
  const { instructions, unreadPages, complete, pagesRead, pagesTotal } = rows[0]!;
  return { instructions, unreadPages, firstIndex: complete ? null : { pagesRead, pagesTotal } };
}

/** Null: the site was indexed once. */
export async function readFirstIndex(db: Queryable, projectId: string): Promise<FirstIndex | null> {
  return (await readSiteNotes(db, projectId)).firstIndex;
}
