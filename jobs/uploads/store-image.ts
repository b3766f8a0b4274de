import { uploadType } from '../../shared/images/image-type.ts';
import { LARGEST_UPLOAD } from '../../shared/images/upload-limits.ts';
import { countUnusedUploads, storeUpload } from '../../db/uploads/uploads.ts';
import type { Pool } from '../../db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import type { NewUpload, Upload } from '../../shared/jobs/uploads.ts';
import { RETRY_AFTER_SECONDS } from '../../shared/retry-after.ts';
import { jobLimitReached } from '../limits.ts';

/** Of a project, waiting for an instruction. */
const MOST_UNUSED = 200;

/** Stores an image that an instruction may have. Throws 400, 413 and 429. */
export async function storeImage(
  pool: Pool,
  projectId: string,
  { name, data }: NewUpload,
): Promise<Upload> {
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    throw new Problem('invalid_request', 'body/data must be base64.');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > LARGEST_UPLOAD)
    throw new Problem('payload_too_large', 'The image is larger than 1 MiB. Make it smaller.');
  const mediaType = uploadType(bytes);
  if (mediaType === undefined)
    throw new Problem(
      'invalid_request',
      'The file is not a PNG, JPEG, GIF, WebP or SVG image.',
    );
  if ((await countUnusedUploads(pool, projectId)) >= MOST_UNUSED)
    throw jobLimitReached(
      'unused-uploads',
      MOST_UNUSED,
      RETRY_AFTER_SECONDS.unusedUploads,
      `Limit exceeded: ${MOST_UNUSED} images of this project wait for an instruction. ` +
        'Each is deleted after a day.',
    );
  const stored = await storeUpload(pool, { projectId, name, mediaType, bytes });
  return { ...stored, createdAt: stored.createdAt.toISOString() };
}
