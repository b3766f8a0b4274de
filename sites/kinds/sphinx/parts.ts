import { dedented, numbered } from '../cut-text.ts';
import { type CutLines, type FindParts, matchedParts, partBody } from '../includes.ts';
import { below, folderOf, joinPath } from '../paths.ts';
import type { PlacedLine } from '../site-kind.ts';

const INCLUDE =
  /^(?<indent>[ \t]*)([`:~]{3,})\{(include|literalinclude)\}[ \t]+(\S+)[ \t]*\r?\n((?:(?![ \t]*\2)[^\n]*\n){0,100})[ \t]*\2[ \t]*$/gm;
const OPTION = /^[ \t]*:([\w-]+):[ \t]*(["']?)(.*?)\2[ \t]*$/gm;

type Options = ReadonlyMap<string, string>;

/** `{include}` and `{literalinclude}`: whole files, or what the options choose. */
export function partsOf(folder: string): FindParts {
  return matchedParts(INCLUDE, ([, , , name, path = '', written = ''], from) => {
    const file = joinPath(path.startsWith('/') ? folder : folderOf(from), path);
    const options = new Map(
      Array.from(written.matchAll(OPTION), ([, key = '', , value = '']) => [key, value] as const),
    );
    if (file === undefined || options.has('parser') || options.has('pyobject')) return undefined;
    const cut = cutBy(options);
    if (name !== 'literalinclude' && !options.has('literal') && !options.has('code'))
      return { file, cut: lines => relocated(cut(partBody(lines)), folder, file, options) };
    const language = options.get('language') ?? options.get('code') ?? /\.(\w+)$/.exec(file)?.[1];
    return { file, code: language ?? '', cut: lines => dedented(cut(lines)) };
  });
}

/** `:start-after:`, `:end-line:`, `:lines:` and their like. */
function cutBy(options: Options): CutLines {
  return lines => {
    const place = (name: string, from: number, offset: number) => {
      const text = options.get(name);
      if (!text) return undefined;
      const at = lines.findIndex((line, i) => i >= from && line.text.includes(text));
      return at < 0 ? Number.NaN : at + offset;
    };
    const start =
      place('start-at', 0, 0) ??
      place('start-after', 0, 1) ??
      Number(options.get('start-line') ?? 0);
    const end =
      place('end-at', start, 1) ??
      place('end-before', start, 0) ??
      Number(options.get('end-line') ?? lines.length);
    if (Number.isNaN(start) || Number.isNaN(end)) return undefined;
    return inRanges(options.get('lines'), lines.slice(start, end));
  };
}

/** Lines may be named again, but not so often that a short file becomes a long one. */
function inRanges(ranges: string | undefined, lines: PlacedLine[]): PlacedLine[] | undefined {
  if (ranges === undefined) return lines;
  const chosen: PlacedLine[] = [];
  for (const range of ranges.split(',')) {
    for (const line of inRange(range, lines)) chosen.push(line);
    if (chosen.length > lines.length + 1_000) return undefined;
  }
  return chosen;
}

/** `3`, `3-5`, `3-`. */
function inRange(range: string, lines: PlacedLine[]): PlacedLine[] {
  const [, first, dash, last] = /^\s*(\d*)(-?)(\d*)\s*$/.exec(range) ?? [];
  const end = dash ? last : first;
  return numbered(Number(first) || undefined, Number(end) || undefined)(lines) ?? [];
}

/** `:relative-docs: docs/` and `:relative-images:`: such paths are read from the included file. */
function relocated(
  lines: PlacedLine[] | undefined,
  folder: string,
  file: string,
  options: Options,
): PlacedLine[] | undefined {
  const prefix = options.get('relative-docs');
  const movesImages = options.has('relative-images');
  if (prefix === undefined && !movesImages) return lines;
  return lines?.map(line => ({
    ...line,
    text: line.text.replace(/\]\(([\w.][^)\s]*)/g, (whole, path: string) => {
      const isImage = movesImages && /\.(?:png|svg|jpe?g|gif|webp)$/i.test(path);
      if (!isImage && (prefix === undefined || !path.startsWith(prefix))) return whole;
      const target = below(folder, joinPath(folderOf(file), path) ?? '');
      return target === undefined ? whole : `](/${target}`;
    }),
  }));
}
