/** Colours of the accent in both themes, each with enough contrast to what it is on. */
export interface Colours {
  /** Behind a button. */
  fill: string;
  onFill: string;
  /** As text, on white and on the dark surface. */
  light: string;
  dark: string;
}
type Rgb = [number, number, number];

const USUAL: Rgb = [67, 80, 201];
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const DARK: Rgb = [23, 25, 31];
/** WCAG 2.2, 1.4.3; a little more, since surfaces are tinted. */
const ENOUGH = 4.9;

export function accentColours(given: string | undefined): Colours {
  const accent = (given && readColour(given)) || USUAL;
  return {
    fill: css(accent),
    onFill: contrast(accent, WHITE) >= contrast(accent, BLACK) ? '#fff' : '#000',
    light: css(readable(accent, WHITE, BLACK)),
    dark: css(readable(accent, DARK, WHITE)),
  };
}

/** Whether what is behind the page's text is dark. */
export function pageIsDark(): boolean {
  for (const element of [document.body, document.documentElement]) {
    const { backgroundColor } = getComputedStyle(element);
    const colour = readColour(backgroundColor);
    if (colour) return luminance(colour) < 0.2;
  }
  return getComputedStyle(document.documentElement).colorScheme === 'dark';
}

const known = new Map<string, Rgb | undefined>();
/** A background that moves has many. */
const MAX_KNOWN = 100;

/** Any colour that CSS can write; undefined if it is none, or can be seen through. */
function readColour(written: string): Rgb | undefined {
  if (known.size >= MAX_KNOWN) known.clear();
  if (!known.has(written)) known.set(written, parseColour(written));
  return known.get(written);
}

/**
 * A canvas writes a colour in few ways. Its pixels are not read: a browser that resists
 * fingerprinting makes them up.
 */
function parseColour(written: string): Rgb | undefined {
  const context = document.createElement('canvas').getContext('2d');
  if (!context || !CSS.supports('color', written)) return undefined;
  context.fillStyle = 'transparent'; // stays if the next one is none, such as a variable
  context.fillStyle = written;
  // `oklch` and the like stay as they are, unless mixed.
  if (!/^(#|rgb|color\(srgb )/.test(context.fillStyle))
    context.fillStyle = `color-mix(in srgb, ${written}, ${written})`;
  const [, hex] = /^#(\w{6})$/.exec(context.fillStyle) ?? [];
  if (hex) return [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;
  const [, parts] = /^color\(srgb ([^/]+)\)$/.exec(context.fillStyle) ?? [];
  if (!parts) return undefined;
  const values = parts.split(' ').map(part => Number.parseFloat(part) || 0); // or `none`
  return values.map(value => Math.round(Math.min(Math.max(value, 0), 1) * 255)) as Rgb;
}

/** The colour, mixed with another as far as it takes to be read. */
function readable(colour: Rgb, surface: Rgb, towards: Rgb): Rgb {
  for (let part = 0; part < 1; part += 0.1) {
    const mixed = colour.map((value, i) => Math.round(value + (towards[i]! - value) * part)) as Rgb;
    if (contrast(mixed, surface) >= ENOUGH) return mixed;
  }
  return towards;
}

function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map(value => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function css(colour: Rgb): string {
  return `rgb(${colour.join(' ')})`;
}
