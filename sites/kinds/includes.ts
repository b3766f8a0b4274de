import { keptOutline } from '../outline/kept-outlines.ts';
import { lineCounter } from '../outline/line-counter.ts';
import type { PageOutline } from '../outline/page-outline.ts';
import { readFrontMatter } from '../outline/front-matter.ts';
import type { PlacedLine, ShownPage, ShownPages, Site, SiteSource } from './site-kind.ts';

/** Parts within parts. */
const DEEPEST = 8;
/** Of one page. */
const MOST_PARTS = 200;
const MOST_CHARACTERS = 1_000_000;
/** Of all pages of a site: each may show the same large file. */
const MOST_IN_SITE = 32_000_000;
/** Reading a file for some lines of it costs less than showing it. */
const READ_PER_SHOWN = 20;

/** Something in a text for which the page shows a part of another file. */
export interface FoundPart {
  /** Offsets in the text. */
  start: number;
  end: number;
  /** Undefined: nothing is shown there, such as for the import of a part. */
  file?: string | undefined;
  /** The lines of the file that are shown; undefined: there are none such. */
  cut?: CutLines | undefined;
  /** What stands behind the fence of the block of code that it is shown as. */
  code?: string | undefined;
}

export type CutLines = (lines: PlacedLine[]) => PlacedLine[] | undefined;

/** Finds the parts of a kind's own form; `isPart`: the text is one of another page. */
export type FindParts = (text: string, file: string, isPart: boolean) => FoundPart[];

/**
 * The parts that matches of a pattern (with the flag `g`) stand for; what its group `indent` matches
 * stays before the part.
 */
export function matchedParts(
  pattern: RegExp,
  read: (match: RegExpExecArray, file: string) => Omit<FoundPart, 'start' | 'end'> | undefined,
): FindParts {
  return (text, file) =>
    Array.from(text.matchAll(pattern)).flatMap(match => {
      const part = read(match, file);
      const start = match.index + (match.groups?.indent ?? '').length;
      return part ? [{ start, end: match.index + match[0].length, ...part }] : [];
    });
}

/**
 * Pages as readers see them: a part of another file that one shows stands in its text.
 * `outlineOf` outlines such a text, as the generator would.
 */
export function shownPages(
  source: SiteSource,
  forms: readonly FindParts[],
  outlineOf: (file: string, text: string) => PageOutline = keptOutline,
): ShownPages {
  const used = new Map<string, number>();
  let left = MOST_IN_SITE;
  const page = (file: string) => {
    left += used.get(file) ?? 0;
    const reader = new PartReader(source, forms, Math.min(left, MOST_CHARACTERS));
    const shown = reader.page(file);
    used.set(file, reader.used);
    left -= reader.used;
    return shown;
  };
  return {
    page,
    outline: onceForEach(file => {
      const { text, lines } = page(file);
      return withPlaces(outlineOf(file, text), lines);
    }),
  };
}

/** The text of a page as readers see it: with its front matter, and the parts of other files. */
export function shownText(site: Site, source: SiteSource, file: string): string {
  return site.shown?.page(file).text ?? source.read(file) ?? '';
}

/** The outline of a page as readers see it. */
export function shownOutline(site: Site, file: string): PageOutline {
  return site.shown?.outline(file) ?? site.outline(file);
}

class PartReader {
  readonly #source: SiteSource;
  readonly #forms: readonly FindParts[];
  readonly #parts = new Set<string>();
  readonly #most: number;
  /** Characters of parts so far. */
  used = 0;
  #left = MOST_PARTS;

  constructor(source: SiteSource, forms: readonly FindParts[], most: number) {
    this.#source = source;
    this.#forms = forms;
    this.#most = most;
  }

  page(file: string): ShownPage {
    const text = this.#source.read(file) ?? '';
    // Most pages show nothing of other files, and need not be taken apart.
    if (this.#found(text, file, false).length === 0) return { text, lines: [], parts: [] };
    const lines = this.#joined(placed(text, file), []);
    // A part whose text comes later is one, too.
    const parts = [...this.#parts];
    return { text: lines ? textOf(lines) : text, lines: lines ?? [], parts };
  }

  /** Undefined: nothing is put in. */
  #joined(own: readonly PlacedLine[], above: readonly string[]): PlacedLine[] | undefined {
    const file = own[0]?.file ?? '';
    const text = textOf(own);
    const lineOf = lineCounter(text);
    const piece = (start: number, end?: number): PlacedLine[] => {
      const first = lineOf(start);
      const pieces = text.slice(start, end).split('\n');
      return pieces.map((each, i) => ({ file, line: own[first + i]?.line ?? 1, text: each }));
    };
    const lines: PlacedLine[] = [];
    let next = 0;
    for (const part of this.#found(text, file, above.length > 0)) {
      if (part.start < next) continue;
      const inner = part.file === undefined ? [] : this.#shown(part, part.file, [...above, file]);
      if (!inner) continue;
      add(lines, piece(next, part.start));
      add(lines, inner, /^[ \t]*$/.exec(lines.at(-1)?.text ?? '')?.[0]);
      next = part.end;
    }
    if (next === 0) return undefined;
    add(lines, piece(next));
    return lines;
  }

  #found(text: string, file: string, isPart: boolean): FoundPart[] {
    return this.#forms
      .flatMap(find => find(text, file, isPart))
      .toSorted((a, b) => a.start - b.start);
  }

  #shown(part: FoundPart, file: string, above: readonly string[]): PlacedLine[] | undefined {
    if (!this.#source.has(file) || above.includes(file) || above.length > DEEPEST) return undefined;
    if ((this.#left -= 1) < 0) return undefined;
    this.#parts.add(file);
    const text = this.#source.read(file)?.replace(/\r?\n$/, '');
    if (text === undefined || !this.#hasRoom(text.length / READ_PER_SHOWN)) return undefined;
    const lines = (part.cut ?? partBody)(placed(text, file));
    if (!lines || !this.#hasRoom(lengthOf(lines))) return undefined;
    if (part.code === undefined) return this.#joined(lines, above) ?? lines;
    const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([marks]) => marks.length));
    const fence = '`'.repeat(longest + 1);
    const mark = (marks: string) => ({ text: marks, file, line: lines[0]?.line ?? 1 });
    return [mark(fence + part.code), ...lines, mark(fence)];
  }

  #hasRoom(characters: number): boolean {
    if (this.used + characters > this.#most) return false;
    this.used += characters;
    return true;
  }
}

function lengthOf(lines: readonly PlacedLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
}

function textOf(lines: readonly PlacedLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

function placed(text: string, file: string): PlacedLine[] {
  return text.split('\n').map((each, i) => ({ text: each, file, line: i + 1 }));
}

/** Front matter of a part is not shown. */
export function partBody(lines: PlacedLine[]): PlacedLine[] {
  if (!/^(?:\uFEFF)?(?:---|\+\+\+)\s*$/.test(lines[0]?.text ?? '')) return lines;
  return lines.slice(readFrontMatter(textOf(lines)).lines);
}

/** Continues the last line; the others are indented as what they stand for. */
function add(lines: PlacedLine[], more: readonly PlacedLine[], indent = ''): void {
  const [first, ...others] = more;
  const last = lines.at(-1);
  if (!first) return;
  if (!last) lines.push(first);
  else if (last.text.trim() === '')
    lines[lines.length - 1] = { ...first, text: last.text + first.text };
  else last.text += first.text;
  for (const line of others)
    lines.push(indent === '' || line.text === '' ? line : { ...line, text: indent + line.text });
}

/** The outline of joined lines, with each link at the place where it is written. */
export function withPlaces(outline: PageOutline, lines: readonly PlacedLine[]): PageOutline {
  if (lines.every(({ file }) => file === outline.file)) return outline;
  const links = outline.links.map(link => {
    const { file, line } = lines[link.line - 1] ?? { file: outline.file, line: link.line };
    return file === outline.file ? { ...link, line } : { ...link, file, line };
  });
  return { ...outline, links };
}

/** A function of a file that is worked out once for each. */
export function onceForEach<T>(find: (file: string) => T): (file: string) => T {
  const known = new Map<string, T>();
  return file => {
    const found = known.get(file);
    if (found !== undefined || known.has(file)) return found as T;
    const made = find(file);
    known.set(file, made);
    return made;
  };
}
