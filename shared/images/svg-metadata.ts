/** A tag of plain markup: `/` if it closes, name, attributes, `/` if it is empty. */
export const SVG_TAG =
  /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
/** Of drawing programs: people, files and windows. Nothing of it is drawn. */
const HIDDEN = /^(?:metadata$|svg:metadata$|(?:inkscape|sodipodi|rdf|cc|dc|sketch):)/i;
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const EMBEDDED = /^(\s*data:image\/\w+;base64,)([a-z\d+/=\s]*)$/i;

/**
 * A drawing without comments, metadata and what drawing programs keep for themselves. `clean` does
 * the same for an image within it. Throws a RangeError if something is not closed.
 */
export function withoutSvgMetadata(text: string, clean: (image: Buffer) => Buffer): string {
  const kept: string[] = [];
  let hidden: string | undefined; // the element that is being left out
  let depth = 0; // of its like
  let from = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', from)) {
    if (hidden === undefined) kept.push(text.slice(from, at));
    SVG_TAG.lastIndex = at;
    const [tag, closing, name = '', attributes = '', empty] = SVG_TAG.exec(text) ?? [];
    const isComment = text.startsWith('<!--', at);
    from = isComment ? endOf('-->', text, at) : at + (tag?.length ?? 1);
    if (isComment) continue;
    const step = tag === undefined || empty ? 0 : closing ? -1 : 1;
    if (hidden === undefined && HIDDEN.test(name)) hidden = name;
    else if (hidden === undefined) kept.push(tag ? cleanTag(tag, attributes, clean) : '<');
    if (name === hidden) depth += step;
    if (depth < 0) throw new RangeError('never opened');
    if (depth === 0) hidden = undefined;
  }
  if (hidden !== undefined) throw new RangeError('never closed');
  return kept.join('') + text.slice(from);
}

function endOf(what: string, text: string, from: number): number {
  const at = text.indexOf(what, from + 4);
  if (at < 0) throw new RangeError('never closed');
  return at + what.length;
}

function cleanTag(tag: string, attributes: string, clean: (image: Buffer) => Buffer): string {
  const own = attributes.replaceAll(ATTRIBUTE, (whole, name: string, double, single) => {
    if (HIDDEN.test(name)) return '';
    const [, head, data] = EMBEDDED.exec(double ?? single) ?? [];
    if (head === undefined || data === undefined) return whole;
    const image = Buffer.from(data, 'base64');
    const cleaned = clean(image);
    return cleaned === image ? whole : whole.replace(data, cleaned.toString('base64'));
  });
  return own === attributes ? tag : tag.replace(attributes, () => own);
}
