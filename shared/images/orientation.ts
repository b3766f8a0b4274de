/** What a reader sees upside down or mirrored without it, in the form of Exif (TIFF). */
const ORIENTATION = 0x0112;

/**
 * Exif of nothing but how the image is turned; undefined for one that is not, and where it cannot
 * be read.
 * @param exif from its byte order on.
 */
export function orientationOnly(exif: Buffer): Buffer | undefined {
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
