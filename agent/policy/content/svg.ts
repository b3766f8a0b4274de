import { SVG_TAG } from '../../../shared/images/svg-metadata.ts';
import { type Report, squeeze } from './item.ts';

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
const FOREIGN =
  /^(?:inkscape|sodipodi|rdf|cc|dc|sketch):(?!script|style|iframe|object|embed|image|use|a$|foreign|html|body|svg|set|animate)/i;
/** Any other character set would be read as other characters. */
const PROLOG =
  /<\?xml version="1\.[01]"(?: encoding="utf-8")?(?: standalone="(?:yes|no)")?\s*\?>/iy;
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/gi;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Reports what makes a drawing more than a drawing. */
export function judgeSvg(text: string, report: Report): void {
  new DrawingReader(text, report).read();
}

class DrawingReader {
  readonly #text: string;
  readonly #report: Report;
  /** What is between tags. */
  readonly #outside: string[] = [];
  /** The end of the last style sheet that was judged. */
  #styledTo = 0;
  #lastComment = Infinity;

  constructor(text: string, report: Report) {
    this.#text = text;
    this.#report = report;
  }

  read(): void {
    const text = this.#text;
    let from = 0;
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', from)) {
      this.#outside.push(text.slice(from, at));
      from = this.#markup(at);
    }
    this.#outside.push(text.slice(from));
    const outside = this.#outside.join(' ');
    for (const match of outside.matchAll(ENTITY))
      this.#add(0, 'a reference to an entity', outside.slice(match.index, match.index + 40));
    if (!/^\s*(?:<\?xml|<!--|<svg)/.test(text.replace(/^\uFEFF/, '')))
      this.#add(0, 'a file that does not begin as an SVG does', text.slice(0, 40));
  }

  #add(at: number, what: string, source: string): void {
    this.#report(at, {
      rule: 'script',
      key: `svg ${squeeze(source)}`,
      what,
      instead: 'Keep to shapes, text, gradients and filters.',
      hint: source.slice(0, 20),
    });
  }

  /** Judges the markup at `at`; returns where to continue. */
  #markup(at: number): number {
    const text = this.#text;
    if (at <= 1 && /^\uFEFF?$/.test(text.slice(0, at))) {
      PROLOG.lastIndex = at;
      if (PROLOG.test(text)) return PROLOG.lastIndex;
    }
    const comment = this.#comment(at);
    if (comment !== undefined) return comment;
    SVG_TAG.lastIndex = at;
    const tag = SVG_TAG.exec(text);
    if (!tag) {
      this.#add(at, 'markup that is not plain SVG', text.slice(at, at + 200));
      return at + 1;
    }
    const [whole, closing, name = '', attributes = ''] = tag;
    if (!ELEMENTS.has(name.replace(/^svg:/, '')) && !FOREIGN.test(name))
      this.#add(at, `an element <${name}>`, whole);
    if (name === 'style' && closing === '') this.#style(at + whole.length);
    for (const [source, attribute = '', double, single] of attributes.matchAll(ATTRIBUTE))
      judgeAttribute(name, attribute, double ?? single ?? '', () =>
        this.#add(at, `an attribute ${attribute}`, `${name} ${source}`),
      );
    return at + whole.length;
  }

  /** The end of a comment that every reader ends there. */
  #comment(at: number): number | undefined {
    if (!this.#text.startsWith('<!--', at) || at > this.#lastComment) return undefined;
    const close = this.#text.indexOf('-->', at + 4);
    if (close < 0) this.#lastComment = at;
    const inner = this.#text.slice(at + 4, close);
    return close >= 0 && !/--|<\/?script|<!\w/i.test(inner) ? close + 3 : undefined;
  }

  #style(at: number): void {
    // A style sheet within one was judged with it.
    if (at < this.#styledTo) return;
    const end = this.#text.indexOf('</style', at);
    this.#styledTo = end < 0 ? this.#text.length : end;
    const css = this.#text.slice(at, this.#styledTo);
    if (isActiveStyle(css)) this.#add(at, 'a style that loads something', css);
  }
}

/** Functions of colours, shapes and places; nothing is loaded by them. */
const CALLS =
  /^(?:rgba?|hsla?|translate[xyz]?|scale[xy]?|rotate|skew[xy]?|matrix|calc|var|min|max|cubic-bezier|steps|drop-shadow|blur|not|is|where|nth-child)$/i;

const STYLES =
  /^(?:style|fill|stroke|filter|mask|clip-path|marker(?:-\w+)?|cursor|\w*transform|color|(?:stop|flood|lighting)-color)$/i;

function isActiveStyle(css: string): boolean {
  const plain = css
    .replace(/url\(\s*["']?#[\w.:-]+["']?\s*\)/gi, '')
    .replace(/@media \(prefers-color-scheme: (?:dark|light)\)/g, '');
  const calls = plain.matchAll(/([\w-]*)\s*\(/g);
  const isCall = [...calls].some(([, name = '']) => !CALLS.test(name));
  return isCall || /@|\\|&|expression|behavior|binding|javascript|\/\*/i.test(plain);
}

function judgeAttribute(tag: string, name: string, raw: string, refuse: () => void): void {
  const value = raw.trim();
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(raw)) refuse();
  else if (/^on/i.test(name) || /:on/i.test(name)) refuse();
  else if (/^xmlns(?::|$)/.test(name)) {
    if (/^xmlns(?::svg)?$/.test(name) ? value !== SVG : !NAMESPACES.test(value)) refuse();
  } else if (/(?:^|:)(?:href|src|base)$/i.test(name)) {
    const isImage =
      tag === 'image' && /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z\d+/=\s]*$/i.test(value);
    if (!isImage && !/^#[\w.:-]+$/.test(value) && !(FOREIGN.test(tag) && /^https?:/.test(value)))
      refuse();
  } else if (STYLES.test(name)) {
    if (isActiveStyle(value)) refuse();
  } else if (/url\s*\(|image-set|expression\s*\(|\\/i.test(value)) refuse();
  else if (/(?:java|vb)script\s*:|^data:/i.test(value.replace(/[\p{Cc}\p{Z}]/gu, ''))) refuse();
}
