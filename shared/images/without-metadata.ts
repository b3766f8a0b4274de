import { crc32 } from 'node:zlib';
import { assertOnlyPixels } from './avif-parts.ts';
import { imageType } from './image-type.ts';
import { withoutSvgMetadata } from './svg-metadata.ts';

/**
 * The image with what is needed to show it: pixels, colour profile, how it is turned and animated.
 * Places, devices, names, comments, previews and what follows its end are left out, and
 * pixels stay as they are. Undefined for one whose parts cannot be read, and for an AVIF that says
 * more than how it looks.
 * @param type as `imageType` says; else `svg`.
 */
export function withoutMetadata(type: string, image: Buffer): Buffer | undefined {
  const parts = PARTS[type];
  if (!parts) return image;
  try {
    const kept = Buffer.concat([...parts(image)]);
    return kept.equals(image) ? image : kept;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // it ends too early
    throw error;
  }
}

type Parts = (image: Buffer) => Generator<Buffer>;

const PARTS: Readonly<Record<string, Parts>> = {
  png: pngParts,
  jpg: jpegParts,
  gif: gifParts,
  webp: webpParts,
  avif: avifParts,
  svg: svgParts,
};

function* avifParts(image: Buffer): Generator<Buffer> {
  assertOnlyPixels(image);
  yield image;
}

function* svgParts(image: Buffer): Generator<Buffer> {
  const text = image.toString('utf8');
  if (!Buffer.from(text).equals(image)) throw new RangeError('not UTF-8');
  const drawing = withoutSvgMetadata(text, embedded => {
    const cleaned = withoutMetadata(imageType(embedded) ?? '', embedded);
    if (!cleaned) throw new RangeError('a damaged image');
    return cleaned;
  });
  yield Buffer.from(drawing);
}

const PNG_CHUNKS = new Set(
  (
    'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT ' +
    'acTL fcTL fdAT'
  ).split(' '),
);

function* pngParts(image: Buffer): Generator<Buffer> {
  yield image.subarray(0, 8);
  for (let at = 8, name = ''; name !== 'IEND';) {
    const end = at + 12 + image.readUInt32BE(at);
    name = image.toString('latin1', at + 4, at + 8);
    const chunk = part(image, at, end);
    const exif = name === 'eXIf' ? orientationOnly(chunk.subarray(8, -4)) : undefined;
    if (exif) yield pngChunk(name, exif);
    if (PNG_CHUNKS.has(name)) yield chunk;
    at = end;
  }
}

function pngChunk(name: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + content.length);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write(name, 4, 'latin1');
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

const [START_OF_SCAN, END_OF_IMAGE, COMMENT] = [0xda, 0xd9, 0xfe];
const [APP0, APP1, APP15] = [0xe0, 0xe1, 0xef];
/** JFIF, colour profile, and Adobe's word on how colours are coded. */
const JPEG_SEGMENTS = /^(?:\xff\xe0..JFIF\0|\xff\xe2..ICC_PROFILE\0|\xff\xee..Adobe)/s;

function* jpegParts(image: Buffer): Generator<Buffer> {
  yield image.subarray(0, 2);
  for (let at = 2, marker = 0; ;) {
    while (image.readUInt8(at + 1) === 0xff) at += 1; // padding
    marker = image.readUInt8(at + 1);
    if (image.readUInt8(at) !== 0xff) throw new RangeError('no marker');
    if (marker === END_OF_IMAGE) return yield image.subarray(at, at + 2);
    const end = at + 2 + image.readUInt16BE(at + 2);
    const kept = keptSegment(marker, part(image, at, end));
    if (kept) yield kept;
    at = end;
    if (marker !== START_OF_SCAN) continue;
    // The coded part ends with a marker that does not belong to it.
    for (at = end; image.readUInt8(at) !== 0xff || /[\x00\xd0-\xd7]/.test(latin1(image, at + 1));)
      at += 1;
    yield image.subarray(end, at);
  }
}

function keptSegment(marker: number, segment: Buffer): Buffer | undefined {
  const isOther = (marker < APP0 || marker > APP15) && marker !== COMMENT;
  const start = segment.toString('latin1', 0, 16);
  if (marker === APP1 && start.slice(4, 10) === 'Exif\0\0') {
    const exif = orientationOnly(segment.subarray(10));
    if (!exif) return undefined;
    return Buffer.concat([
      Buffer.from([0xff, APP1, 0, 8 + exif.length]),
      Buffer.from('Exif\0\0'),
      exif,
    ]);
  }
  if (isOther || !JPEG_SEGMENTS.test(start)) return isOther ? segment : undefined;
  if (marker !== APP0 || segment.length <= 18) return segment;
  // A small preview follows, which may be of what was cut away.
  return Buffer.concat([
    Buffer.from([0xff, APP0, 0, 16]),
    part(segment, 4, 16),
    Buffer.from([0, 0]),
  ]);
}

/** Blocks of pixels, of how they are shown, and of how often. */
const GIF_APPLICATIONS = /^(?:NETSCAPE2\.0|ANIMEXTS1\.0|ICCRGBG1012)$/;

function* gifParts(image: Buffer): Generator<Buffer> {
  let at = 13 + colorTable(image.readUInt8(10));
  yield part(image, 0, at);
  for (;;) {
    const from = at;
    const kind = latin1(image, at);
    if (kind === ';') return yield image.subarray(at, at + 1);
    if (kind === ',') at += 11 + colorTable(image.readUInt8(at + 9));
    else if (kind === '!') at += 2;
    else throw new RangeError('no block');
    const content = at;
    while (image.readUInt8(at) !== 0) at += 1 + image.readUInt8(at);
    at += 1;
    const label = kind === '!' ? latin1(image, from + 1) : '';
    const isKept =
      label === '\xff'
        ? GIF_APPLICATIONS.test(image.toString('latin1', content + 1, content + 12))
        : label !== '\xfe';
    if (isKept) yield image.subarray(from, at);
  }
}

function colorTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

const WEBP_CHUNKS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04];

function* webpParts(image: Buffer): Generator<Buffer> {
  const kept: Buffer[] = [];
  const end = Math.min(image.length, 8 + image.readUInt32LE(4));
  let exif: Buffer | undefined;
  for (let at = 12; at + 8 <= end;) {
    const name = image.toString('latin1', at, at + 4);
    const length = image.readUInt32LE(at + 4);
    const chunk = part(image, at, at + 8 + length + (length % 2));
    if (WEBP_CHUNKS.has(name)) kept.push(Buffer.from(chunk));
    if (name === 'EXIF') exif = orientationOnly(exifOf(chunk.subarray(8)));
    at += chunk.length;
  }
  const [first] = kept;
  if (first?.toString('latin1', 0, 4) === 'VP8X') {
    const flags = first.readUInt8(8) & ~(HAS_EXIF | HAS_XMP);
    first.writeUInt8(exif ? flags | HAS_EXIF : flags, 8);
    if (exif) kept.push(webpHead('EXIF', exif.length), exif);
  }
  const size = kept.reduce((sum, { length }) => sum + length, 4);
  yield* [webpHead('RIFF', size), Buffer.from('WEBP'), ...kept];
}

/** Some writers begin it as in a JPEG. */
function exifOf(content: Buffer): Buffer {
  return content.subarray(content.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0);
}

function webpHead(name: string, length: number): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(length, 4);
  return head;
}

function latin1(image: Buffer, at: number): string {
  return String.fromCharCode(image.readUInt8(at));
}

/** Throws where the image ends before it. */
function part(image: Buffer, from: number, to: number): Buffer {
  if (to > image.length || to < from) throw new RangeError('too short');
  return image.subarray(from, to);
}

/** What a reader sees upside down or mirrored without it, in the form of Exif (TIFF). */
const ORIENTATION = 0x0112;

/**
 * Exif of nothing but how the image is turned; undefined for one that is not, and where it cannot
 * be read.
 * @param exif from its byte order on.
 */
function orientationOnly(exif: Buffer): Buffer | undefined {
  const value = orientationOf(exif);
  if (value === undefined || value < 2 || value > 8) return undefined;
  const own = Buffer.alloc(26);
  own.write('MM\0*', 0, 'latin1');
  own.writeUInt32BE(8, 4);
  own.writeUInt16BE(1, 8);
  own.writeUInt16BE(ORIENTATION, 10);
  own.writeUInt16BE(3, 12);
  own.writeUInt32BE(1, 14);
  own.writeUInt16BE(value, 18);
  return own;
}

function orientationOf(exif: Buffer): number | undefined {
  try {
    const isLittle = exif.toString('latin1', 0, 2) === 'II';
    const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
    const directory = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
    for (let entry = 0; entry < short(directory); entry += 1) {
      const at = directory + 2 + 12 * entry;
      if (short(at) === ORIENTATION) return short(at + 8);
    }
  } catch {
    // It ends too early.
  }
  return undefined;
}
