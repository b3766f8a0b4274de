/** How files of a type begin, in bytes as Latin-1, by the ending of their names. */
export const IMAGES: Readonly<Record<string, RegExp>> = {
  png: /^\x89PNG\r\n\x1a\n/,
  jpg: /^\xff\xd8\xff/,
  jpeg: /^\xff\xd8\xff/,
  gif: /^GIF8[79]a/,
  webp: /^RIFF[^]{4}WEBP/,
  avif: /^[^]{4}ftyp(?:avif|avis|mif1)/,
  ico: /^\0\0\x01\0/,
};

/** What kind of image the bytes are: the ending of its files, such as `png`; undefined: none. */
export function imageType(content: Buffer): string | undefined {
  const start = content.subarray(0, 16).toString('latin1');
  return Object.keys(IMAGES).find(extension => IMAGES[extension]?.test(start));
}

export const UPLOAD_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
] as const;
export type UploadType = (typeof UPLOAD_TYPES)[number];

const MEDIA_TYPES: Readonly<Record<string, UploadType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
/** The root of an SVG, after what may come before it. */
const SVG =
  /^\ufeff?\s*(?:<\?xml[^<>]{0,500}\?>\s*)?(?:<!--(?:(?!-->)[^]){0,5000}-->\s*){0,5}(?:<!doctype svg[^<>[\]]{0,500}>\s*)?<svg[\s>]/i;

/** By the bytes, whatever a name says; undefined: none that may be attached. */
export function uploadType(content: Buffer): UploadType | undefined {
  const type = imageType(content);
  if (type !== undefined) return MEDIA_TYPES[type];
  const start = content.subarray(0, 32_768).toString('utf8');
  return SVG.test(start) && !content.includes(0) ? 'image/svg+xml' : undefined;
}
