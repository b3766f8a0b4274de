import { decode } from './addresses.ts';
import { type ContentItem, squeeze } from './item.ts';

/** Elements that draw. What moves, links, embeds or holds HTML is not among them. */
const ELEMENTS = new Set(
  (
    'svg g path rect circle ellipse line polyline polygon text tspan textPath defs linearGradient ' +
    'radialGradient stop clipPath mask pattern title desc symbol use marker filter metadata style ' +
    'image switch feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix ' +
    'feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB ' +
    'feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight ' +
    'feSpecularLighting feSpotLight feTile feTurbulence'
  ).split(' '),
);
/** Of descriptions and drawing programs: nothing that a browser runs is in them. */
const NAMESPACES = new RegExp(
  '^https?://(?:www\\.w3\\.org/(?:1999/xlink|XML/1998/namespace|2000/xmlns/|1999/02/22-rdf-syntax-ns#)|' +
    'www\\.inkscape\\.org/|sodipodi\\.sourceforge\\.net/|purl\\.org/|creativecommons\\.org/|' +
    'ns\\.adobe\\.com/|www\\.bohemiancoding\\.com/|web\\.resource\\.org/)',
);
const SVG = 'http://www.w3.org/2000/svg';
/** Metadata of drawing programs: described data, in a namespace of its own. */
const FOREIGN = /^(?:inkscape|sodipodi|rdf|cc|dc|sketch|i|x|a|xmp|xmpMM|stRef):/;
const TAG = /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** What makes a drawing more than a drawing; empty for one that only draws. */
export function svgItems(text: string): ContentItem[] {
  const items: ContentItem[] = [];
  const add = (at: number, what: string, source: string): void => {
    items.push({
      rule: 'script',
      key: `svg ${squeeze(source)}`,
      what,
      instead: 'Keep to shapes, text, gradients and filters.',
      hint: source.slice(0, 20),
      line: text.slice(0, at).split('\n').length,
    });
  };
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at))
    at = readMarkup(text, at, add);
  const outside = text.replace(/<[^>]*>/g, '');
  for (const match of outside.matchAll(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/gi))
    add(0, 'a reference to an entity', outside.slice(match.index, match.index + 40));
  if (!/^\s*(?:<\?xml|<!--|<svg)/.test(text.replace(/^\uFEFF/, '')))
    add(0, 'a file that does not begin as an SVG does', text.slice(0, 40));
  return items;
}

type Add = (at: number, what: string, source: string) => void;

/** Judges the markup at `at`; returns where to continue. */
function readMarkup(text: string, at: number, add: Add): number {
  const prolog = /<\?xml\s[^?<>]*\?>/y;
  prolog.lastIndex = at;
  if (/^\uFEFF?$/.test(text.slice(0, at)) && prolog.test(text)) return prolog.lastIndex;
  if (text.startsWith('<!--', at)) {
    const close = text.indexOf('-->', at + 4);
    const inner = text.slice(at + 4, close);
    if (close >= 0 && !/--|<\/?script|<!\w/i.test(inner)) return close + 3;
  }
  TAG.lastIndex = at;
  const tag = TAG.exec(text);
  if (!tag) {
    add(at, 'markup that is not plain SVG', text.slice(at, at + 200));
    return at + 1;
  }
  const [whole, closing, name = '', attributes = ''] = tag;
  if (!ELEMENTS.has(name.replace(/^svg:/, '')) && !FOREIGN.test(name))
    add(at, `an element <${name}>`, whole);
  if (name === 'style' && closing === '') judgeStyle(text, at + whole.length, add);
  for (const [source, attribute = '', double, single] of attributes.matchAll(ATTRIBUTE))
    judgeAttribute(name, attribute, double ?? single ?? '', () =>
      add(at, `an attribute ${attribute}`, `${name} ${source}`),
    );
  return at + whole.length;
}

function judgeStyle(text: string, at: number, add: Add): void {
  const end = text.indexOf('</style', at);
  const css = text.slice(at, end < 0 ? undefined : end);
  if (isActiveStyle(css)) add(at, 'a style that loads something', css);
}

function isActiveStyle(css: string): boolean {
  const plain = decode(css).replace(/url\(\s*["']?#[\w.:-]+["']?\s*\)/gi, '');
  return /url\s*\(|@|\\|expression|behavior|binding|javascript/i.test(plain);
}

function judgeAttribute(tag: string, name: string, raw: string, refuse: () => void): void {
  const value = decode(raw).trim();
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(raw)) refuse();
  else if (/^on/i.test(name) || /:on/i.test(name)) refuse();
  else if (/^xmlns(?::|$)/.test(name)) {
    if (/^xmlns(?::svg)?$/.test(name) ? value !== SVG : !NAMESPACES.test(value)) refuse();
  } else if (/(?:^|:)(?:href|src|base)$/i.test(name)) {
    const isImage =
      tag === 'image' && /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z\d+/=\s]*$/i.test(value);
    if (!isImage && !/^#[\w.:-]+$/.test(value) && !(FOREIGN.test(tag) && /^https?:/.test(value)))
      refuse();
  } else if (isActiveStyle(value) && !FOREIGN.test(name)) refuse();
  else if (/(?:java|vb)script\s*:|^data:/i.test(value.replace(/[\p{Cc}\p{Z}]/gu, ''))) refuse();
}
