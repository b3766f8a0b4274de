/** Raster images by the bytes that they begin with. */
const SIGNATURES: readonly { type: string; at: number; bytes: string }[] = [
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, bytes: 'GIF87a' },
  { type: 'image/gif', at: 0, bytes: 'GIF89a' },
  { type: 'image/webp', at: 8, bytes: 'WEBP' },
  { type: 'image/avif', at: 4, bytes: 'ftypavif' },
];

/** The type of a picture; undefined for anything else. SVG is a document: it is not served. */
export function rasterImageType(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 32).toString('latin1');
  return SIGNATURES.find(signature => head.startsWith(signature.bytes, signature.at))?.type;
}
