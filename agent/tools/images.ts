import { imageType } from '../../shared/images/image-type.ts';
import type { ToolImage } from './tool.ts';

/** What the Messages API shows to a model. */
const MEDIA_TYPES: Readonly<Record<string, ToolImage['mediaType']>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
/** Each request repeats the images of the requests before it. */
const LARGEST_SHOWN = 1024 * 1024;
/** Pixels of a side: more is refused by the API. */
const LONGEST_SIDE = 8_000;

export interface ReadImage {
  /** `PNG image, 640 × 480 pixels, 12 kB`. */
  description: string;
  /** For a model that can see it; a sentence: why not. */
  shown: ToolImage | string;
}

/** Undefined if the bytes are not an image. */
export function readImage(content: Buffer): ReadImage | undefined {
  const type = imageType(content);
  if (type === undefined) return undefined;
  const size = sizeOf(type, content);
  const pixels = size ? `, ${size.width} × ${size.height} pixels` : '';
  const description = `${type.toUpperCase()} image${pixels}, ${Math.ceil(content.length / 1000)} kB`;
  const mediaType = MEDIA_TYPES[type];
  if (!mediaType) return { description, shown: 'Images of this type cannot be shown.' };
  if (content.length > LARGEST_SHOWN)
    return { description, shown: 'Images over 1 MiB are not shown.' };
  if (!size || size.width > LONGEST_SIDE || size.height > LONGEST_SIDE)
    return { description, shown: 'Its size cannot be read, or is over 8,000 pixels.' };
  return { description, shown: { mediaType, data: content.toString('base64') } };
}

interface Size {
  width: number;
  height: number;
}

/** Undefined where the header is damaged. */
function sizeOf(type: string, content: Buffer): Size | undefined {
  try {
    const size = SIZES[type]?.(content);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    return undefined; // it ends too early
  }
}

const SIZES: Readonly<Record<string, (content: Buffer) => Size | undefined>> = {
  png: content => ({ width: content.readUInt32BE(16), height: content.readUInt32BE(20) }),
  gif: content => ({ width: content.readUInt16LE(6), height: content.readUInt16LE(8) }),
  jpg: jpegSize,
  webp: webpSize,
};

/** In the first frame header; other segments before it are passed over. */
function jpegSize(content: Buffer): Size | undefined {
  for (let at = 2; at + 9 < content.length && content[at] === 0xff;) {
    const marker = content.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { height: content.readUInt16BE(at + 5), width: content.readUInt16BE(at + 7) };
    at += 2 + content.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(content: Buffer): Size | undefined {
  switch (content.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: content.readUIntLE(24, 3) + 1, height: content.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = content.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return {
        width: content.readUInt16LE(26) & 0x3fff,
        height: content.readUInt16LE(28) & 0x3fff,
      };
    default:
      return undefined;
  }
}
