import { SVG_TAG } from '../../../shared/images/svg-metadata.ts';
import { named } from './names.ts';
import { type Report, squeeze } from './item.ts';

/** Elements that draw. What moves, links, embeds, describes or holds HTML is not among them. */
const ELEMENT = named(`
  svg g path rect circle ellipse line polyline polygon text tspan textPath defs linearGradient
  radialGradient stop clipPath mask pattern title desc symbol use marker filter style image
  fe(?:Blend|ColorMatrix|ComponentTransfer|Composite|ConvolveMatrix|DiffuseLighting|DistantLight)
  fe(?:DisplacementMap|DropShadow|Flood|Func[ABGR]|GaussianBlur|Merge|MergeNode|Morphology|Offset)
  fe(?:PointLight|SpecularLighting|SpotLight|Tile|Turbulence)
`);
/** Any other character set would be read as other characters. */
const PROLOG =
  /^\uFEFF?<\?xml version="1\.[01]"(?: encoding="utf-8")?(?: standalone="(?:yes|no)")?\s*\?>/i;
const COMMENT = /<!--(?!-?>)(?:(?!--)[^<])*-->/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const SVG = 'http://www.w3.org/2000/svg';
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos);)/;
/** In text, a number stands for a character and for nothing else. */
const NAMED_ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i;
/** What loads, runs, or is read in another way than as it is written. */
const ACTIVE =
  /[@\\]|\/\*|(?:\b(?:url|expression)|image-set)\s*\(|behavior|binding|\bscript\b|(?:java|vb)script|\b(?:data|https?):/i;
const OWN_URL =
  /url\(\s*["']?#[\w.:-]+["']?\s*\)|@media \(prefers-color-scheme: (?:dark|light)\)/gi;
const EMBEDDED = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z\d+/=\s]*$/i;

/** Reports what makes a drawing more than a drawing: its tags are read in their one spelling. */
export function judgeSvg(text: string, report: Report): void {
  const add = (at: number, what: string, source: string): void =>
    report(at, {
      rule: 'script',
      key: `svg ${squeeze(source)}`,
      what,
      instead: 'Keep to shapes, text, gradients and filters.',
      hint: source.slice(0, 20),
    });
  let from = PROLOG.exec(text)?.[0].length ?? 0;
  if (!/^\uFEFF?\s*(?:<!--|<svg)/.test(text.slice(from, from + 500)))
    add(0, 'a file that does not begin as an SVG does', text.slice(0, 40));
  for (let inStyle = false; ;) {
    const at = text.indexOf('<', from);
    const between = text.slice(from, at < 0 ? undefined : at);
    if ((inStyle ? ENTITY : NAMED_ENTITY).test(between))
      add(from, 'a reference to an entity', between);
    if (inStyle && isActive(between)) add(from, 'a style that loads something', between);
    if (at < 0) return;
    COMMENT.lastIndex = SVG_TAG.lastIndex = at;
    const comment = COMMENT.test(text);
    const [tag, closing, name = '', attributes = ''] = (!comment && SVG_TAG.exec(text)) || [];
    if (tag !== undefined) {
      if (name === 'style') inStyle = closing === '';
      if (!ELEMENT.test(name)) add(at, `an element <${name}>`, tag);
      for (const [source, attribute = '', double, single] of attributes.matchAll(ATTRIBUTE))
        if (!isPlain(name, attribute, (double ?? single ?? '').trim()))
          add(at, `an attribute ${attribute}`, `${name} ${source}`);
    } else if (!comment) add(at, 'markup that is not plain SVG', text.slice(at, at + 200));
    from = comment ? COMMENT.lastIndex : at + (tag?.length ?? 1);
  }
}

function isPlain(tag: string, name: string, value: string): boolean {
  if (ENTITY.test(value) || /(?:^|:)on/i.test(name)) return false;
  if (name === 'xmlns') return value === SVG;
  // No name has a prefix but these.
  if (/^xmlns:\w+$/.test(name)) return /^https?:\/\/[\w./#-]+$/.test(value);
  if (/(?:^|:)(?:href|src|base)$/i.test(name))
    return /^#[\w.:-]+$/.test(value) || (tag === 'image' && EMBEDDED.test(value));
  return /^(?:xml:space|[\w.-]+)$/.test(name) && !isActive(value);
}

function isActive(css: string): boolean {
  return ACTIVE.test(css.replace(OWN_URL, ''));
}
