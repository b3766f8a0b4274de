import { outlinePage, type PageOutline, type PageSyntax, syntaxOf } from './page-outline.ts';

/** Characters of text whose outlines are kept: some 400 MB with what is made of them. */
const MOST_CHARACTERS = 64_000_000;

/** Outlines by what they are made of, the least recently used thrown away first. */
export class KeptOutlines {
  readonly #kept = new Map<string, PageOutline>();
  readonly #most: number;
  #characters = 0;

  constructor(most = MOST_CHARACTERS) {
    this.#most = most;
  }

  /** The outline of a text; parsed only if it is new. */
  outline(file: string, text: string, syntax: PageSyntax = syntaxOf(file)): PageOutline {
    const key = `${syntax}:${file}\n${text}`;
    const known = this.#kept.get(key);
    const outline = known ?? outlinePage(file, text, syntax);
    if (known) this.#kept.delete(key);
    else this.#characters += key.length;
    this.#kept.set(key, outline);
    while (this.#characters > this.#most && this.#kept.size > 1) this.#forgetOldest();
    return outline;
  }

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
