/** Of an image that stands still. Some boxes contain boxes, which follow their name. */
const BOXES = new Set(['ftyp', 'meta', 'mdat']);
const META = new Set('hdlr pitm iloc iinf iprp iref idat grpl dinf'.split(' '));
/** Coded pixels and how they are put together; Exif and XMP are items, too. */
const ITEMS = new Set(['av01', 'grid', 'iovl', 'tmap']);

/**
 * Throws a RangeError for an AVIF that says more than how it looks, and for an animated one: its
 * parts are named by where they are in the file, so that none can be taken out.
 */
export function assertOnlyPixels(image: Buffer): void {
  for (const { name, content } of boxes(image, BOXES)) {
    if (name !== 'meta') continue;
    for (const { name: part, content: items } of boxes(content.subarray(4), META))
      if (part === 'iinf') assertItems(items);
  }
}

function assertItems(items: Buffer): void {
  const head = items.readUInt8(0) === 0 ? 6 : 8;
  for (const { content } of boxes(items.subarray(head), new Set(['infe']))) {
    const at = content.readUInt8(0) === 2 ? 8 : 10;
    const type = content.toString('latin1', at, at + 4);
    if (!ITEMS.has(type)) throw new RangeError(`an item ${type}`);
  }
}

function* boxes(bytes: Buffer, names: ReadonlySet<string>) {
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32BE(at) || bytes.length - at; // 0: to the end
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (!names.has(name)) throw new RangeError(`a box ${name}`);
    if (length < 8 || at + length > bytes.length) throw new RangeError('too short');
    yield { name, content: bytes.subarray(at + 8, at + length) };
    at += length;
  }
}
