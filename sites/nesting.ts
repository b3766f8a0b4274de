const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/**
 * Whether brackets of any kind are open in a text more often than so many times at once, in texts
 * of programs or outside. Parsers call themselves for each level: V8 ends the whole process if it
 * has to compile a regular expression when the stack is nearly full.
 * @param kinds the opening brackets that count.
 */
export function isNestedDeeper(text: string, levels: number, kinds = '([{<'): boolean {
  const opens = new Set(Array.from(kinds, kind => kind.charCodeAt(0)));
  const closes = new Set(Array.from(kinds, kind => (CLOSING[kind] ?? kind).charCodeAt(0)));
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    // `<` ends at `/>` or `</`, which is a level less.
    if (opens.has(char)) open += 1;
    else if (closes.has(char)) open -= 1;
    if (open > levels) return true;
    open = Math.max(open, 0);
  }
  return false;
}
