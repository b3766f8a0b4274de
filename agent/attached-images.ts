import { docentNote } from '../shared/agent-text.ts';
import type { Queryable } from '../db/pool.ts';
import { type ImageBlock, type Block } from '../db/jobs/transcript.ts';
import { uploadsOf } from '../db/uploads/uploads.ts';
import { readImage } from './tools/images.ts';

export interface AttachedImages {
  /** A line on each image, and the image if it can be seen. */
  blocks: Block[];
  uploads: { id: string; name: string }[];
}

export const NOTHING_ATTACHED: AttachedImages = { blocks: [], uploads: [] };

/** What an instruction brings along. */
export async function attachedImages(
  db: Queryable,
  jobId: string,
  messageId: string,
  canSeeImages: () => Promise<boolean>,
): Promise<AttachedImages> {
  const found = await uploadsOf(db, jobId, messageId);
  if (found.length === 0) return NOTHING_ATTACHED;
  const seesImages = await canSeeImages();
  const blocks = found.flatMap(({ id, name, bytes }): Block[] => {
    const { description, shown } = readImage(bytes) ?? {
      description: `SVG image, ${Math.ceil(bytes.length / 1000)} kB`,
      shown: 'Images of this type cannot be shown.',
    };
    const image = seesImages ? shown : 'This model cannot see images.';
    const line = `Attached image ${id}, ${JSON.stringify(name)}: ${description}.`;
    const told = typeof image === 'string' ? `${line} ${image}` : line;
    return [
      { type: 'text', text: docentNote(told.replaceAll('<', '‹')) },
      ...(typeof image === 'string' ? [] : [imageBlock(image)]),
    ];
  });
  return { blocks, uploads: found.map(({ id, name }) => ({ id, name })) };
}

export function imageBlock({
  mediaType,
  data,
}: {
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  data: string;
}): ImageBlock {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}
