import { LARGEST_UPLOADS } from '../../shared/images/upload-limits.ts';
import { attachUploads, holdUploads } from '../../db/uploads/uploads.ts';
import type { Transaction } from '../../db/pool.ts';
import { Problem } from '../../shared/errors.ts';

/** Attaches uploads of the project to an instruction. Throws 400. */
export async function attachImages(
  tx: Transaction,
  { projectId, jobId, messageId }: { projectId: string; jobId: string; messageId: string },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const found = await holdUploads(tx, projectId, ids);
  const unknown = ids.find(id => !found.some(one => one.id === id));
  if (unknown !== undefined)
    throw new Problem(
      'invalid_request',
      `There is no upload ${unknown} in this project. Unused ones are deleted after a day.`,
    );
  if (found.reduce((sum, { size }) => sum + size, 0) > LARGEST_UPLOADS)
    throw new Problem('invalid_request', 'The images of one instruction may have 3 MiB together.');
  await attachUploads(tx, jobId, messageId, ids);
}
