import { outlinePage, type PageOutline, type PageSyntax, syntaxOf } from './page-outline.ts';

/** Characters of text whose outlines are kept: some 400 MB with what is made of them. */
const MOST_CHARACTERS = 64_000_000;

/** Outlines by the text they are made of, the least recently used thrown away first. */
export class KeptOutlines {
  /** A text is its own key: its hash is computed once, however often it is looked up. */
  readonly #kept = new Map<string, Map<string, PageOutline>>();
  readonly #most: number;
  #characters = 0;

  constructor(most = MOST_CHARACTERS) {
    this.#most = most;
  }

  /** The outline of a text; parsed only if it is new. */
  outline(file: string, text: string, syntax: PageSyntax = syntaxOf(file)): PageOutline {
    const known = this.#kept.get(text);
    if (known) this.#kept.delete(text);
    else this.#characters += text.length;
    const outlines = known ?? new Map<string, PageOutline>();
    this.#kept.set(text, outlines);
    const key = `${syntax}:${file}`;
    const outline = outlines.get(key) ?? outlinePage(file, text, syntax);
    outlines.set(key, outline);
    while (this.#characters > this.#most && this.#kept.size > 1) this.#forgetOldest();
    return outline;
  }

  /** Of all texts whose outlines are kept. */
  get characters(): number {
    return this.#characters;
  }

  #forgetOldest(): void {
    const [oldest = ''] = this.#kept.keys();
    this.#kept.delete(oldest);
    this.#characters -= oldest.length;
  }
}

/** Those of this thread: a job looks at the same pages again and again. */
const kept = new KeptOutlines();

export function keptOutline(file: string, text: string, syntax?: PageSyntax): PageOutline {
  return kept.outline(file, text, syntax);
}
