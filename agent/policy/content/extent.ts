/** Of one construct; the longest are data in a page of MDX. */
const LONGEST = 20_000;
const CLOSES: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/**
 * Where the bracket at `at` is closed, if brackets are counted and texts in quotes are passed over:
 * the offset behind it. Undefined if it is not.
 */
export function extentOf(text: string, at: number): number | undefined {
  const open: string[] = [];
  const last = Math.min(text.length, at + LONGEST);
  for (let end = at; end < last; end++) {
    const char = text.charAt(end);
    const close = CLOSES[char];
    if (close !== undefined) open.push(close);
    else if (char === open.at(-1)) {
      open.pop();
      if (open.length === 0) return end + 1;
    } else if (/["'`]/.test(char)) end = endOfText(text, end, last) ?? end;
  }
  return undefined;
}

/** The closing quote; undefined for an apostrophe. */
function endOfText(text: string, at: number, last: number): number | undefined {
  const quote = text.charAt(at);
  for (let end = at + 1; end < last; end++) {
    const char = text.charAt(end);
    if (char === '\\') end += 1;
    else if (char === quote) return end;
    else if (char === '\n' && quote !== '`') return undefined;
  }
  return undefined;
}

/** The line from `at` on, of at most 2,000 characters. */
export function lineFrom(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return Math.min(end < 0 ? text.length : end, at + 2_000);
}

/** Where the next empty line is. */
export function paragraphEnd(text: string, at: number): number {
  const blank = /\n[ \t\r]*\n/g;
  blank.lastIndex = at;
  return blank.exec(text)?.index ?? text.length;
}

/** What stands before `at` in its line. */
export function lineUpTo(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at) + 1, at);
}

/** Marks of every block that contains others: quotes, lists, definitions, fields, tasks, notes. */
const MARKS = [
  String.raw`[ \t>|]`,
  String.raw`[-*+:~#](?=[ \t])`,
  String.raw`\(?(?:\w{1,9}|#)[.)](?=[ \t])`,
  String.raw`:[^:\s][^:]*:(?=[ \t])`,
  String.raw`\[[ xX]\](?=[ \t])`,
  String.raw`\[\^[^\]]*\]:`,
];
const CONTAINERS = new RegExp(`^(?:${MARKS.join('|')})*`);

/** Whether words stand before a place in its line: then no reader begins a block there. */
export function isBehindWords(lead: string): boolean {
  return /^["'(]?[\p{L}\p{N}]/u.test(lead.replace(CONTAINERS, ''));
}

export function matchAt(text: string, pattern: RegExp, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
