/** A value that Python writes as a literal. Tuples and sets are lists. */
export type PythonValue =
  string | number | boolean | null | PythonValue[] | { [name: string]: PythonValue };

/**
 * Top-level assignments of literals in a Python file, read without running it: `name = …`,
 * `name += […]`, `name.append(…)`, `name.extend(…)`. `computed` names what is assigned otherwise.
 */
export function pythonAssignments(text: string): {
  values: Map<string, PythonValue>;
  computed: Set<string>;
} {
  const values = new Map<string, PythonValue>();
  const computed = new Set<string>();
  const statement = /^([A-Za-z_]\w*)\s*(=(?!=)|\+=|\.append\(|\.extend\()\s*/gm;
  for (const match of text.matchAll(statement)) {
    const [whole, name = '', operator = ''] = match;
    const value = new LiteralReader(text, match.index + whole.length).read();
    if (value === undefined) computed.add(name);
    else if (operator === '=') values.set(name, value);
    else values.set(name, added(values.get(name), value, operator));
  }
  return { values, computed };
}

function added(before: PythonValue | undefined, value: PythonValue, operator: string): PythonValue {
  const list = Array.isArray(before) ? before : [];
  if (operator === '.append(') return [...list, value];
  return Array.isArray(value) ? [...list, ...value] : value;
}

class LiteralReader {
  readonly #text: string;
  #at: number;
  #depth = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** Undefined if it is not a literal. */
  read(): PythonValue | undefined {
    this.#skip();
    if ((this.#depth += 1) > 50) return undefined;
    try {
      const char = this.#text[this.#at] ?? '';
      if (char === '[' || char === '(') return this.#list(char === '[' ? ']' : ')');
      if (char === '{') return this.#dictionary();
      if (/^[rRbBuU]{0,2}["']/.test(this.#text.slice(this.#at, this.#at + 3)))
        return this.#strings();
      return this.#word();
    } finally {
      this.#depth -= 1;
    }
  }

  #list(end: string): PythonValue | undefined {
    this.#at += 1;
    const items: PythonValue[] = [];
    for (;;) {
      this.#skip();
      if (this.#take(end)) break;
      const item = this.read();
      if (item === undefined) return undefined;
      items.push(item);
      this.#skip();
      const comma = this.#take(',');
      // Parentheses around one value only group it.
      if (!comma && this.#take(end)) return end === ')' && items.length === 1 ? items[0] : items;
      if (!comma) return undefined;
    }
    return items;
  }

  #dictionary(): PythonValue | undefined {
    this.#at += 1;
    const members: { [name: string]: PythonValue } = {};
    const set: PythonValue[] = [];
    for (;;) {
      this.#skip();
      if (this.#take('}')) return set.length > 0 ? set : members;
      const key = this.read();
      if (key === undefined) return undefined;
      this.#skip();
      if (typeof key !== 'object' && this.#take(':')) {
        const value = this.read();
        if (value !== undefined) members[String(key)] = value;
        else if (!this.#passExpression()) return undefined;
      } else set.push(key);
      this.#skip();
      this.#take(',');
    }
  }

  /** Passes over a value that is computed, up to the next comma or the closing brace. */
  #passExpression(): boolean {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at] ?? '';
      if (/["']/.test(char)) {
        if (this.#strings() === undefined) return false;
        this.#at -= 1;
      } else if (/[([{]/.test(char)) depth += 1;
      else if (depth === 0 && /[,}]/.test(char)) return true;
      else if (/[)\]}]/.test(char)) depth -= 1;
    }
    return false;
  }

  /** One string, or several that stand side by side. */
  #strings(): string | undefined {
    let value = '';
    const pattern =
      /[rRbBuU]{0,2}(?:"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)')/y;
    for (;;) {
      pattern.lastIndex = this.#at;
      const match = pattern.exec(this.#text);
      if (!match) break;
      const [whole, ...parts] = match;
      const written = parts.find(part => part !== undefined) ?? '';
      value += /^[bu]*r/i.test(whole) ? written : unescaped(written);
      this.#at += whole.length;
      this.#skip();
      if (!/^[rRbBuU]{0,2}["']/.test(this.#text.slice(this.#at, this.#at + 3))) return value;
    }
    return undefined;
  }

  #word(): PythonValue | undefined {
    const match = /^(?:True|False|None|[-+]?\d[\d_]*(?:\.\d+)?)(?![\w.(])/.exec(
      this.#text.slice(this.#at, this.#at + 40),
    );
    if (!match) return undefined;
    this.#at += match[0].length;
    const words: Record<string, PythonValue> = { True: true, False: false, None: null };
    return words[match[0]] === undefined ? Number(match[0].replaceAll('_', '')) : words[match[0]];
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  /** White space and comments; on the top level a line's end is the statement's. */
  #skip(): void {
    const space = this.#depth === 0 ? /[ \t]*/y : /(?:\s|#[^\n]*|\\\n)*/y;
    space.lastIndex = this.#at;
    this.#at += space.exec(this.#text)?.[0].length ?? 0;
  }
}

function unescaped(text: string): string {
  const marks: Record<string, string> = { n: '\n', t: '\t', '\n': '' };
  return text.replace(/\\([\s\S])/g, (_, char: string) => marks[char] ?? char);
}
