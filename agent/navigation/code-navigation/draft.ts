import { keptOutline } from '../../../sites/outline/kept-outlines.ts';
import type { SiteSource } from '../../../sites/kinds/site-kind.ts';

/** A source with texts that are about to change: each step of an edit reads what the last one wrote. */
export class Draft implements SiteSource {
  readonly #source: SiteSource;
  /** Files that are new to the source while an edit is worked out. */
  readonly #added = new Map<string, string>();
  readonly texts = new Map<string, string>();
  #edits = 0;

  constructor(source: SiteSource) {
    this.#source = source;
  }

  /** How often it has changed. */
  get edits(): number {
    return this.#edits;
  }

  get paths(): readonly string[] {
    const added = [...this.#added.keys()].filter(path => !this.#source.has(path));
    return added.length === 0 ? this.#source.paths : [...this.#source.paths, ...added].toSorted();
  }

  // As properties: readers pass them on as functions.
  readonly has = (path: string): boolean => this.#added.has(path) || this.#source.has(path);

  readonly hasFolder = (path: string): boolean =>
    this.#source.hasFolder(path) || [...this.#added.keys()].some(one => one.startsWith(`${path}/`));

  readonly read = (path: string): string | undefined =>
    this.texts.get(path) ?? this.#added.get(path) ?? this.#source.read(path);

  readonly outline: SiteSource['outline'] = (path, syntax) =>
    this.texts.has(path) || this.#added.has(path)
      ? keptOutline(path, this.read(path) ?? '', syntax)
      : this.#source.outline(path, syntax);

  /** As if a page were there already. */
  pretend(path: string, text: string): void {
    this.#added.set(path, text);
    this.#edits += 1;
  }

  write(path: string, text: string): void {
    if (text === this.read(path)) return;
    this.texts.set(path, text);
    this.#edits += 1;
  }

  /** Replaces pieces of files; of two at one place, the first counts. */
  replace(pieces: readonly { file: string; start: number; end: number; text: string }[]): void {
    const places = new Map<string, (typeof pieces)[number]>();
    for (const piece of pieces) {
      const place = `${piece.file}:${piece.start}`;
      if (!places.has(place)) places.set(place, piece);
    }
    const lastFirst = [...places.values()].toSorted((a, b) => b.start - a.start);
    for (const { file, start, end, text } of lastFirst) {
      const before = this.read(file) ?? '';
      this.write(file, before.slice(0, start) + text + before.slice(end));
    }
  }
}
