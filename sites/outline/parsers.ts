import MarkdownIt, { type StateBlock } from 'markdown-it';

export function markdownParser() {
  return withFootnotes(new MarkdownIt({ html: true }));
}

/** `[^1]: text` is a note, not the address of a link. */
function withFootnotes(parser: MarkdownItInstance): MarkdownItInstance {
  const { ruler } = parser.block;
  const reference = ruler.getRules('').find(rule => rule.name === 'reference');
  if (!reference) return parser;
  ruler.at('reference', (state, line, end, silent) => {
    const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
    return !state.src.startsWith('[^', start) && reference(state, line, end, silent);
  });
  return parser;
}

type MarkdownItInstance = InstanceType<typeof MarkdownIt>;

/**
 * Markdown as MDX has it: nothing is indented code, so fences, headings and paragraphs may be
 * indented as deep as the tags around them, and Markdown continues between tags.
 */
export function mdxParser() {
  const parser = new MarkdownIt({ html: true });
  parser.disable(['code', 'html_block', 'lheading']);
  const { ruler } = parser.block;
  const heading = ruler.getRules('').find(rule => rule.name === 'heading');
  ruler.at('fence', fence, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  if (heading)
    ruler.at('heading', (...given) => atAnyDepth(heading, ...given), {
      alt: ['paragraph', 'reference', 'blockquote'],
    });
  ruler.at('paragraph', paragraph);
  return withFootnotes(parser);
}

type BlockRule = (state: StateBlock, line: number, end: number, silent: boolean) => boolean;

/** Applies a rule as if the line were not indented. */
function atAnyDepth(
  rule: BlockRule,
  state: StateBlock,
  line: number,
  end: number,
  silent: boolean,
): boolean {
  const own = state.sCount[line] ?? 0;
  state.sCount[line] = Math.min(own, state.blkIndent);
  const isFound = rule(state, line, end, silent);
  state.sCount[line] = own;
  return isFound;
}

function fence(state: StateBlock, first: number, end: number, silent: boolean): boolean {
  const [, marks = '', info = ''] = /^(`{3,}|~{3,})(.*)$/.exec(lineOf(state, first)) ?? [];
  if (marks === '' || (marks.startsWith('`') && info.includes('`'))) return false;
  if (silent) return true;
  const mark = marks.charAt(0);
  let line = first + 1;
  for (; line < end; line++) {
    const text = lineOf(state, line);
    // A line outside the list item ends it, and the code with it.
    if (text !== '' && (state.sCount[line] ?? 0) < state.blkIndent) break;
    if (text.startsWith(marks) && text.trimEnd().replaceAll(mark, '') === '') break;
  }
  const isClosed = line < end && lineOf(state, line).startsWith(marks);
  state.line = isClosed ? line + 1 : line;
  const token = state.push('fence', 'code', 0);
  token.info = info;
  token.markup = marks;
  token.content = '';
  token.map = [first, state.line];
  return true;
}

/** A paragraph ends where something else begins, or is a heading if it is underlined. */
function paragraph(state: StateBlock, first: number, end: number): boolean {
  const terminators = state.md.block.ruler.getRules('paragraph');
  const before = state.parentType;
  state.parentType = 'paragraph';
  let line = first + 1;
  let underline: string | undefined;
  for (; line < end && !state.isEmpty(line); line++) {
    const isInside = (state.sCount[line] ?? 0) >= state.blkIndent;
    if (isInside && /^(?:=+|-+)[ \t]*$/.test(lineOf(state, line))) {
      underline = lineOf(state, line);
      break;
    }
    const at = line;
    if (terminators.some(rule => rule(state, at, end, true))) break;
  }
  const content = state.getLines(first, line, state.blkIndent, false).trim();
  // Between tags it is a rule, not an underline.
  const isHeading = underline !== undefined && !/^<|^(?:import|export)\b/.test(content);
  const name = isHeading ? 'heading' : 'paragraph';
  const tag = isHeading ? (underline?.startsWith('=') ? 'h1' : 'h2') : 'p';
  state.line = underline === undefined ? line : line + 1;
  state.push(`${name}_open`, tag, 1).map = [first, state.line];
  const inline = state.push('inline', '', 0);
  inline.content = content;
  inline.map = [first, state.line];
  inline.children = [];
  state.push(`${name}_close`, tag, -1);
  state.parentType = before;
  return true;
}

function lineOf(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return state.src.slice(start, state.eMarks[line] ?? start);
}

/** The page with its comments as spaces, so that nothing in them is read and lines stay. */
export function withoutComments(page: string): string {
  return blanked(blanked(page, '{/*', '*/}'), '<!--', '-->');
}

function blanked(text: string, open: string, close: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, from)) {
    const end = text.indexOf(close, at + open.length);
    if (end < 0) break;
    // Behind a backtick it is talked about, not written.
    if (text[at - 1] === '`') {
      pieces.push(text.slice(from, at + open.length));
      from = at + open.length;
      continue;
    }
    const comment = text.slice(at, end + close.length);
    // `{/* #id */}` behind a heading names it.
    const isId = /^\{\/\*\s*#\S+\s*\*\/\}$/.test(comment);
    pieces.push(text.slice(from, at), isId ? comment : comment.replace(/[^\n]/g, ' '));
    from = end + close.length;
  }
  return pieces.join('') + text.slice(from);
}
