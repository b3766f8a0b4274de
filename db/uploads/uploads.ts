import { createHash } from 'node:crypto';
import { newId } from '../../shared/ids.ts';
import type { UploadType } from '../../shared/images/image-type.ts';
import type { Queryable, Transaction } from '../pool.ts';

/** An image that a person attached, without its bytes. */
export interface Upload {
  id: string;
  /** As the person calls it; its type is by its bytes. */
  name: string;
  mediaType: UploadType;
  /** Bytes. */
  size: number;
  createdAt: Date;
}

const COLUMNS =
  'u.id, u.name, u.media_type as "mediaType", length(u.bytes) as size, u.created_at as "createdAt"';

/** Stores an image; bytes that the project has already are the same upload, under the new name. */
export async function storeUpload(
  db: Queryable,
  upload: { projectId: string; name: string; mediaType: UploadType; bytes: Buffer },
): Promise<Upload> {
  const sha256 = createHash('sha256').update(upload.bytes).digest();
  const { rows } = await db.query<Upload>(
    `insert into uploads as u (id, project_id, sha256, name, media_type, bytes)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (project_id, sha256) do update set name = excluded.name, created_at = now()
     returning ${COLUMNS}`,
    [newId('upl'), upload.projectId, sha256, upload.name, upload.mediaType, upload.bytes],
  );
  return rows[0]!;
}

/** Uploads of a project that no instruction has yet. */
export async function countUnusedUploads(db: Queryable, projectId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) from uploads u
      where project_id = $1
        and not exists (select from instruction_uploads i where i.upload_id = u.id)`,
    [projectId],
  );
  return rows[0]!.count;
}

/** Those of the ids that the project has; the sweeper leaves them until the transaction ends. */
export async function holdUploads(
  tx: Transaction,
  projectId: string,
  ids: readonly string[],
): Promise<Upload[]> {
  const { rows } = await tx.query<Upload>(
    // Locked in one order, whatever order two instructions name the same ones in.
    `with held as (
       select id from uploads where project_id = $1 and id = any($2) order by id for update)
     update uploads u set created_at = now() from held where u.id = held.id
     returning ${COLUMNS}`,
    [projectId, ids],
  );
  return rows;
}

export async function attachUploads(
  tx: Transaction,
  jobId: string,
  messageId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into instruction_uploads (job_id, message_id, position, upload_id)
     select $1, $2, position, id
       from unnest($3::text[]) with ordinality as t (id, position)`,
    [jobId, messageId, ids],
  );
}

/** The uploads of a job's instructions, in order, by the instruction's id. */
export async function listUploads(
  db: Queryable,
  jobId: string,
): Promise<Map<string, Omit<Upload, 'createdAt'>[]>> {
  const { rows } = await db.query<Upload & { messageId: string }>(
    `select i.message_id as "messageId", ${COLUMNS}
       from instruction_uploads i join uploads u on u.id = i.upload_id
      where i.job_id = $1 order by i.message_id, i.position`,
    [jobId],
  );
  const byMessage = new Map<string, Omit<Upload, 'createdAt'>[]>();
  for (const { messageId, id, name, mediaType, size } of rows)
    byMessage.set(messageId, [...(byMessage.get(messageId) ?? []), { id, name, mediaType, size }]);
  return byMessage;
}

/** The uploads of an instruction with their bytes, in order. */
export async function uploadsOf(
  db: Queryable,
  jobId: string,
  messageId: string,
): Promise<(Upload & { bytes: Buffer })[]> {
  const { rows } = await db.query<Upload & { bytes: Buffer }>(
    `select ${COLUMNS}, u.bytes
       from instruction_uploads i join uploads u on u.id = i.upload_id
      where i.job_id = $1 and i.message_id = $2 order by i.position`,
    [jobId, messageId],
  );
  return rows;
}

/** The bytes of an upload that an instruction of this job has. */
export async function readUpload(
  db: Queryable,
  jobId: string,
  uploadId: string,
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ bytes: Buffer }>(
    `select u.bytes from uploads u
      where u.id = $2
        and exists (select from instruction_uploads i where i.job_id = $1 and i.upload_id = u.id)`,
    [jobId, uploadId],
  );
  return rows[0]?.bytes;
}

/**
 * Deletes up to `limit` uploads that nobody attached to an instruction for a day, or whose jobs are
 * all deleted. How many it were.
 */
export async function deleteUnusedUploads(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    // A row that is locked is in use by a request.
    `delete from uploads where id in (
       select id from uploads u
        where not attached and created_at < now() - interval '1 day'
          and (select true from instruction_uploads i where i.upload_id = u.id limit 1) is null
        order by created_at limit $1 for update skip locked)
        and not attached and created_at < now() - interval '1 day'`,
    [limit],
  );
  return rowCount ?? 0;
}
