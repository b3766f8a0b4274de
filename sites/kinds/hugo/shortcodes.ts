import { keptOutline } from '../../outline/kept-outlines.ts';
import type { OutlineHeading, PageOutline } from '../../outline/page-outline.ts';
import { onceForEach } from '../includes.ts';
import { folderOf, joinPath } from '../paths.ts';
import { jsonOf, listOf, objectOf } from '../../values.ts';
import type { Site, SiteSource } from '../site-kind.ts';
import type { HugoConfig } from './config.ts';
import type { HugoOutline } from './heading-ids.ts';
import { REFERENCES } from './references.ts';

/** Shortcodes within shortcodes, and pages put into pages. */
const DEEPEST = 5;
const MOST_INCLUDES = 200;

/** Pages with the links that shortcodes make, and the headings of what shortcodes put in. */
export function outliner(source: SiteSource, config: HugoConfig): Site['outline'] {
  const including = includingShortcodes(source);
  return onceForEach(file => {
    const outline = source.outline(file);
    const links = [...outline.links, ...referencesOf(outline.text)];
    const pieces = new IncludeReader(source, config, including).pieces(outline, 0);
    const whole: HugoOutline = { ...outline, links, headings: [], terms: [] };
    for (const { heading, term } of pieces)
      if (heading) whole.headings.push(heading);
      else if (term !== undefined) whole.terms.push({ text: term, before: whole.headings.length });
    return whole;
  });
}

/** `{{< ref "/a/b#c" >}}`, `{{% relref path="a/b" %}}`: what leads nowhere stops the build. */
function referencesOf(text: string): PageOutline['links'] {
  if (!/\{\{[<%][ \t]*(?:rel)?ref\b/.test(text)) return [];
  return text.split('\n').flatMap((line, index) =>
    REFERENCES.flatMap(({ pattern }) =>
      Array.from(line.matchAll(pattern), ([, ...urls]) => ({
        kind: 'link' as const,
        url: urls.find(url => url !== undefined) ?? '',
        line: index + 1,
        element: 'ref',
        isName: true as const,
      })),
    ),
  );
}

/** Names of the shortcodes whose templates put the text of a file into the page. */
function includingShortcodes(source: SiteSource): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of source.paths) {
    const name = /(?:^|\/)layouts\/_?shortcodes\/(.+)\.(?:html|md)$/.exec(path)?.[1];
    if (name === undefined) continue;
    const template = (source.read(path) ?? '').replace(/\{\{-?\s*\/\*[\s\S]*?\*\/\s*-?\}\}/g, '');
    if (READS.test(template) && SHOWS.test(template)) names.add(name);
  }
  return names;
}

/** A template that takes a file or page, and shows its text or the cells of its notebook. */
const READS = /\breadFile\b|\bos\.ReadFile\b|\bGetPage\b|\bResources\.Get|\bresources\.Get\b/;
const SHOWS = /\.RenderShortcodes\b|\.RawContent\b|\breadFile\b|\bos\.ReadFile\b|"cell_type"/;

class IncludeReader {
  readonly #source: SiteSource;
  readonly #config: HugoConfig;
  readonly #including: ReadonlySet<string>;
  #left = MOST_INCLUDES;

  constructor(source: SiteSource, config: HugoConfig, including: ReadonlySet<string>) {
    this.#source = source;
    this.#config = config;
    this.#including = including;
  }

  /** In order; what is put in stands at the line of its shortcode. */
  pieces(outline: PageOutline, depth: number): Piece[] {
    const { text, headings } = outline;
    const own: Piece[] = headings.map(heading => ({ line: heading.line, heading }));
    const terms = this.#config.headings.namesTerms ? termsOf(text) : [];
    if (this.#including.size === 0 || depth > DEEPEST) return inOrder([...own, ...terms]);
    const more = callsOf(text).flatMap(({ name, argument, line }): Piece[] => {
      // A bare word is a name of something else.
      if (!this.#including.has(name) || !/[./]/.test(argument)) return [];
      if ((this.#left -= 1) < 0) return [];
      const inner = this.#included(argument, outline.file);
      const found = inner === undefined ? [] : this.pieces(inner, depth + 1);
      return found.map(({ heading, term }) => ({
        line,
        ...(heading ? { heading: { ...heading, line } } : { term }),
      }));
    });
    return inOrder([...own, ...terms, ...more]);
  }

  #included(argument: string, from: string): PageOutline | undefined {
    const folders = argument.startsWith('/')
      ? this.#topFolders()
      : [folderOf(from), ...this.#topFolders()];
    const file = folders
      .flatMap(folder => ENDINGS.map(ending => joinPath(folder, argument + ending)))
      .find(path => path !== undefined && this.#source.has(path));
    if (file === undefined) return undefined;
    if (/\.(?:md|markdown)$/.test(file)) return this.#source.outline(file);
    if (!file.endsWith('.ipynb')) return undefined;
    return keptOutline(file, notebookText(this.#source.read(file) ?? ''), 'markdown');
  }

  #topFolders(): string[] {
    const { languages, staticFolders, root } = this.#config;
    const mounts = languages.flatMap(language => language.mounts.map(mount => mount.source));
    return [...new Set([...mounts, ...staticFolders, root])];
  }
}

/** A heading, or a term of a definition list. */
interface Piece {
  line: number;
  heading?: OutlineHeading;
  term?: string | undefined;
}

function inOrder(pieces: readonly Piece[]): Piece[] {
  return pieces.toSorted((a, b) => a.line - b.line);
}

/** Lines that a line with `:` and a definition follows. */
function termsOf(text: string): Piece[] {
  const lines = linesOutsideCode(text);
  return lines.flatMap((line, index): Piece[] => {
    if (line.trim() === '' || /^\s*[:#>|-]/.test(line)) return [];
    const next = lines[index + 1]?.trim() === '' ? lines[index + 2] : lines[index + 1];
    const isTerm = /^ {0,3}: /.test(next ?? '') && !/^(?: {2,}|\t)/.test(line);
    return isTerm ? [{ line: index + 1, term: line.trim() }] : [];
  });
}

/** Lines of code are empty. */
function linesOutsideCode(text: string): string[] {
  let fence: string | undefined;
  return text.split('\n').map(line => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && fence === undefined) fence = mark;
    else if (mark && fence !== undefined && mark.startsWith(fence)) {
      fence = undefined;
      return '';
    }
    return fence === undefined ? line : '';
  });
}

const ENDINGS = ['', '.md', '/index.md', '/_index.md'];

/** `{{% name "path" %}}` and `{{< name file="path" >}}` outside code. */
function callsOf(text: string): { name: string; argument: string; line: number }[] {
  return linesOutsideCode(text).flatMap((line, index) => {
    if (!line.includes('{{')) return [];
    return Array.from(line.matchAll(CALL), ([, name = '', quoted, bare = '']) => ({
      name,
      argument: quoted ?? bare,
      line: index + 1,
    }));
  });
}

const CALL =
  /\{\{[<%] *([\w/-]+) +(?:(?:file|path|page|src)= *)?(?:["`]([^"`\n]+)["`]|([^\s"`=%>]+))/g;

/** The Markdown of a notebook. */
function notebookText(json: string): string {
  return listOf(objectOf(jsonOf(json)).cells)
    .map(objectOf)
    .filter(cell => cell.cell_type === 'markdown')
    .map(({ source }) => (Array.isArray(source) ? source.join('') : String(source)))
    .join('\n\n');
}
