/**
 * Whether brackets of any kind are open in a text more often than so many times at once, in texts
 * of programs or outside. Parsers call themselves for each level: V8 ends the whole process if it
 * has to compile a regular expression when the stack is nearly full.
 */
export function isNestedDeeper(text: string, levels: number): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    // ( [ { and their ends; `<` ends at `/>` or `</`, which is a level less.
    if (char === 0x28 || char === 0x5b || char === 0x7b || char === 0x3c) open += 1;
    else if (char === 0x29 || char === 0x5d || char === 0x7d || char === 0x3e) open -= 1;
    if (open > levels) return true;
    open = Math.max(open, 0);
  }
  return false;
}
