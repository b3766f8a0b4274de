import { readExpression } from '../expressions.ts';
import type { Expression } from 'estree';
import { countWork } from '../work.ts';

export interface Attribute {
  /** As written; `...` for a spread. */
  name: string;
  /** Text of the value; '' without one. For an expression, its source without braces. */
  value: string;
  expression?: Expression | undefined;
}

export interface Tag {
  name: string;
  attributes: Attribute[];
  /** Offset behind the `>`. */
  end: number;
}

const LONGEST_TAG = 20_000;
const NAME = /[A-Za-z_$\u00a1-\uffff][\w$.:\u00a1-\uffff-]*/y;
const ATTRIBUTE_NAME = /[^\s"'<>/={}`\\]+/y;
const UNQUOTED = /[^\s"'=<>`{}]+/y;
/** A comment between attributes, in JSX. */
const SPACE = /(?:\s{1,1000}|\/\*[^]{0,1000}?\*\/)+/y;
/** What an expression would be if its quotes counted for nothing. */
const HANDLER_WITHIN = /[\s"'/]on[a-z]+\s*=/i;

/**
 * Reads the tag at `at`, a `<` with a letter behind it, by a grammar so narrow that HTML, Markdown
 * and JSX agree where it ends and what its attributes are. Undefined if they might not.
 */
export function readTag(text: string, at: number): Tag | undefined {
  const reader = new TagReader(text, at + 1);
  try {
    return reader.read();
  } catch (error) {
    if (error instanceof Disagreement) return undefined;
    throw error;
  } finally {
    countWork(reader.at - at);
  }
}

class Disagreement extends Error {}
/** One for all: writing down a stack for each `<` takes seconds. */
const DISAGREEMENT = new Disagreement();

class TagReader {
  readonly #text: string;
  readonly #last: number;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
    this.#last = at + LONGEST_TAG;
  }

  /** How far it has read. */
  get at(): number {
    return this.#at;
  }

  read(): Tag | undefined {
    const name = this.#take(NAME);
    if (name === undefined) return undefined;
    const attributes: Attribute[] = [];
    for (;;) {
      const space = this.#space();
      const char = this.#text.charAt(this.#at);
      if (char === '>') return { name, attributes, end: this.#at + 1 };
      if (char === '/') {
        this.#at += 1;
        this.#space();
        if (this.#text.charAt(this.#at) !== '>') throw DISAGREEMENT;
        return { name, attributes, end: this.#at + 1 };
      }
      if (!space || char === '' || this.#at > this.#last) throw DISAGREEMENT;
      attributes.push(char === '{' ? this.#spread() : this.#attribute());
    }
  }

  #attribute(): Attribute {
    const name = this.#take(ATTRIBUTE_NAME);
    if (name === undefined) throw DISAGREEMENT;
    const before = this.#at;
    this.#space();
    if (this.#text.charAt(this.#at) !== '=') {
      this.#at = before;
      return { name, value: '' };
    }
    this.#at += 1;
    this.#space();
    const char = this.#text.charAt(this.#at);
    if (char === '{') return { name, ...this.#expression() };
    if (char === '"' || char === "'") return { name, value: this.#quoted(char) };
    const value = this.#take(UNQUOTED);
    if (value === undefined) throw DISAGREEMENT;
    // `<a href=x/>`: the slash belongs to the value or to the tag.
    if (value.endsWith('/') && this.#text.charAt(this.#at) === '>')
      return { name, value: value.slice(0, -1) };
    return { name, value };
  }

  #quoted(quote: string): string {
    const rest = this.#text.slice(this.#at + 1, this.#at + 1 + LONGEST_TAG);
    const end = rest.indexOf(quote);
    const value = rest.slice(0, Math.max(end, 0));
    countWork(end < 0 ? rest.length : end);
    if (end < 0 || /\n[ \t\r]*\n/.test(value)) throw DISAGREEMENT;
    this.#at += end + 2;
    return value;
  }

  #expression(): Pick<Attribute, 'value' | 'expression'> {
    const read = readExpression(this.#text, this.#at);
    if (read.kind !== 'expression') throw DISAGREEMENT;
    const value = this.#text.slice(this.#at + 1, read.end - 1);
    if (HANDLER_WITHIN.test(value)) throw DISAGREEMENT;
    this.#at = read.end;
    return { value, expression: read.expression };
  }

  #spread(): Attribute {
    // A comment in braces, or `...props`.
    const [spread] =
      /^\{[^<>"'`{}]{0,2000}\}/.exec(this.#text.slice(this.#at, this.#at + 2_002)) ?? [];
    if (spread === undefined) throw DISAGREEMENT;
    const value = spread.slice(1, -1);
    this.#at += spread.length;
    return { name: /^\s*\/\*[^]*\*\/\s*$/.test(value) ? '/**/' : '...', value };
  }

  #space(): boolean {
    const space = this.#take(SPACE);
    if (space !== undefined && /\n[ \t\r]*\n/.test(space)) throw DISAGREEMENT;
    return space !== undefined;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
