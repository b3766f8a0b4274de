/** What a line of a page is; `import` stands for an `export` of MDX, too. */
export type LineKind = 'frontmatter' | 'code' | 'import' | 'text';

export interface Heading {
  /** 0-based first and last line: an underlined heading has two or more. */
  line: number;
  end: number;
  level: number;
  /** Without markup. */
  text: string;
}

/** Around frontmatter; the first may follow a byte order mark. */
const FENCE = /^\uFEFF?---[ \t]*$/;
const CODE_FENCE = /^(?:\s*>)*\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})(.*)$/;

/** The 0-based line of the frontmatter's closing `---`; -1 if there is none. */
export function frontmatterEnd(lines: string[]): number {
  return FENCE.test(lines[0] ?? '')
    ? lines.findIndex((line, index) => index > 0 && FENCE.test(line))
    : -1;
}

/** What each line is. Indented code counts as code only outside lists, where it is unambiguous. */
export function lineKinds(lines: string[]): LineKind[] {
  const bodyFrom = frontmatterEnd(lines) + 1;
  let fence = '';
  let imports = false;
  let inList = false;
  let indentedCode = false;
  return lines.map((line, index) => {
    if (index < bodyFrom) return 'frontmatter';
    const [, mark = '', info = ''] = CODE_FENCE.exec(line) ?? [];
    if (fence !== '') {
      if (mark.startsWith(fence) && info.trim() === '') fence = '';
      return 'code';
    }
    if (mark !== '' && !(mark.startsWith('`') && info.includes('`'))) {
      fence = mark;
      return 'code';
    }
    imports = /^(?:import|export)\s/.test(line) || (imports && line.trim() !== '');
    if (imports) return 'import';
    const afterBlank = (lines[index - 1] ?? '').trim() === '';
    if (/^\s*(?:[-*+]|\d+[.)])\s/.test(line)) inList = true;
    else if (/^\S/.test(line) && afterBlank) inList = false;
    if (line.trim() !== '')
      indentedCode =
        /^(?: {4}|\t)/.test(line) && !inList && !/^\s*</.test(line) && (afterBlank || indentedCode);
    return indentedCode ? 'code' : 'text';
  });
}

/** The headings outside of code, in their order. */
export function headings(lines: string[]): Heading[] {
  const kinds = lineKinds(lines);
  const found: Heading[] = [];
  for (const [line, text] of lines.entries()) {
    if (kinds[line] !== 'text') continue;
    const [, marks, title = ''] = /^\s{0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(text) ?? [];
    if (marks) found.push({ line, end: line, level: marks.length, text: plain(title) });
    const [, underline] = /^ {0,3}(=+|-+)[ \t]*$/.exec(lines[line + 1] ?? '') ?? [];
    if (!underline || marks || !isParagraph(text) || kinds[line + 1] !== 'text') continue;
    let first = line;
    while (kinds[first - 1] === 'text' && isParagraph(lines[first - 1] ?? '')) first--;
    const title2 = plain(lines.slice(first, line + 1).join(' '));
    found.push({ line: first, end: line + 1, level: underline[0] === '=' ? 1 : 2, text: title2 });
  }
  return found;
}

/** A line that an underline can make a heading. */
export function isParagraph(line: string): boolean {
  return (
    line.trim() !== '' && !/^\s*(?:[-*+]\s|\d+[.)]\s|>|\||#{1,6}\s|<|={3,}$|-{3,}$)/.test(line)
  );
}

/** A heading's own id, written behind it as `{#id}`. */
export function ownId(line: string): string | undefined {
  return /\{#([^}\s]+)\}\s*#*\s*$/.exec(line)?.[1];
}

function plain(text: string): string {
  return text
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/(\*\*|__|\*|`+|~~)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/\\([^\w\s])/g, '$1')
    .trim();
}
