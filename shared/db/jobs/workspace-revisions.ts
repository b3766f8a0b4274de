import { newId } from '../../ids.ts';
import { jsonText } from '../json.ts';
import type { Queryable } from '../pool.ts';

/** Path -> blob id, or null if there is no file. */
export type Files = Record<string, string | null>;
/** Path -> [blob id before the job, blob id now]: the job's whole diff, published or not. */
export type Touched = Record<string, [string | null, string | null]>;

export interface Revision {
  id: string;
  base_commit: string;
  files: Files;
  touched: Touched;
}

export async function readRevision(db: Queryable, id: string): Promise<Revision> {
  const { rows } = await db.query<Revision>({
    name: 'read-revision',
    text: 'select id, base_commit, files, touched from workspace_revisions where id = $1',
    values: [id],
  });
  if (!rows[0]) throw new Error(`no workspace revision ${id}`);
  return rows[0];
}

/** The commit that a job's first revision lies on; undefined if the head is not stored. */
export async function firstBaseCommit(
  db: Queryable,
  head: string | null,
): Promise<string | undefined> {
  const { rows } = await db.query<{ base_commit: string }>(
    `with recursive chain as (
       select id, parent_id, base_commit from workspace_revisions where id = $1
       union all
       select r.id, r.parent_id, r.base_commit
         from workspace_revisions r join chain c on r.id = c.parent_id
     )
     select base_commit from chain where parent_id is null`,
    [head],
  );
  return rows[0]?.base_commit;
}

/** Adds a revision; nothing that is there ever changes. Returns its id: the new head. */
export async function addRevision(
  tx: Queryable,
  jobId: string,
  parent: string | null,
  revision: Omit<Revision, 'id'>,
): Promise<string> {
  const id = newId('rev');
  await tx.query(
    `insert into workspace_revisions (id, job_id, parent_id, base_commit, files, touched)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, jobId, parent, revision.base_commit, jsonText(revision.files), jsonText(revision.touched)],
  );
  return id;
}

/** Stores the bytes that the job does not have yet. */
export async function storeBlobs(
  tx: Queryable,
  jobId: string,
  blobs: Map<string, Buffer>,
): Promise<void> {
  if (blobs.size === 0) return;
  await tx.query(
    `insert into blobs (job_id, id, bytes) select $1, * from unnest($2::text[], $3::bytea[])
     on conflict do nothing`,
    [jobId, [...blobs.keys()], [...blobs.values()]],
  );
}

/** Blobs by id, whichever job's they are: equal ids have equal bytes. */
export async function readBlobs(db: Queryable, ids: string[]): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; bytes: Buffer }>({
    name: 'read-blobs',
    text: 'select distinct on (id) id, bytes from blobs where id = any($1) order by id',
    values: [ids],
  });
  return new Map(rows.map(row => [row.id, row.bytes]));
}
