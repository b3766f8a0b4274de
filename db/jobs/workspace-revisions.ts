import { newId } from '../../shared/ids.ts';
import { jsonText } from '../json.ts';
import type { Queryable } from '../pool.ts';
import { execute, type StatementPart } from '../statement-part.ts';

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
  const { id, part } = newRevision(jobId, parent, revision);
  await execute(tx, part);
  return id;
}

/** The id of a revision below `parent`, and what adds it. */
export function newRevision(
  jobId: string,
  parent: string | null,
  { base_commit, files, touched }: Omit<Revision, 'id'>,
): { id: string; part: StatementPart } {
  const id = newId('rev');
  const text: StatementPart['text'] = (value, from) =>
    `insert into workspace_revisions (id, job_id, parent_id, base_commit, files, touched)
     select ${value(id, 'text')}, ${value(jobId, 'text')}, ${value(parent, 'text')},
            ${value(base_commit, 'text')}, ${value(jsonText(files), 'jsonb')},
            ${value(jsonText(touched), 'jsonb')} ${from}`;
  return { id, part: { name: 'revision', text } };
}

/** Stores the bytes that the job does not have yet. */
export async function storeBlobs(
  tx: Queryable,
  jobId: string,
  blobs: Map<string, Buffer>,
): Promise<void> {
  if (blobs.size > 0) await execute(tx, newBlobs(jobId, blobs));
}

/** What stores the bytes that the job does not have yet. */
export function newBlobs(jobId: string, blobs: ReadonlyMap<string, Buffer>): StatementPart {
  const text: StatementPart['text'] = (value, from) =>
    `insert into blobs (job_id, id, bytes)
     select ${value(jobId, 'text')}, b.id, b.bytes
       ${from === '' ? 'from' : `${from} cross join`}
            unnest(${value([...blobs.keys()], 'text[]')}, ${value([...blobs.values()], 'bytea[]')})
              as b (id, bytes)
     on conflict do nothing`;
  return { name: 'blobs', text };
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
