import type { Extent, Literal, Slot } from '../../../sites/code/static-value.ts';

/**
 * Edits of one array or object in a file's text: every other byte stays, and what is added looks
 * like what stands beside it. Comments stay; only one behind a removed element, on its own line,
 * goes with it.
 */
export function insertPart(text: string, literal: Literal, index: number, written: string): string {
  const { parts } = literal;
  const before = parts[index - 1];
  const after = parts[index];
  if (before) return insertBehind(text, literal, before, after, written);
  if (after) return insertFirst(text, literal, after, written);
  return insertOnly(text, literal, written);
}

export function replacePart({ value }: Slot, text: string, written: string): string {
  return text.slice(0, value.start) + written + text.slice(value.end);
}

export function removePart(text: string, literal: Literal, index: number): string {
  const { parts } = literal;
  const part = parts[index];
  if (!part) return text;
  const before = parts[index - 1];
  const after = parts[index + 1];
  const comma = commaBehind(text, part, literal);
  // The comma before goes if the list has none behind its last part.
  const extra = before && !after && comma < 0 ? commaBehind(text, before, literal) : -1;
  const end = comma < 0 ? part.end : comma + 1;
  const cut = cutOf(text, literal, { start: part.start, end }, { before, after, extra });
  return extra < 0 || cut.start <= extra
    ? text.slice(0, cut.start) + text.slice(cut.end)
    : text.slice(0, extra) + text.slice(extra + 1, cut.start) + text.slice(cut.end);
}

/** A list or object whose parts have lines of their own. */
export function isOnLines(text: string, { start, parts: [first] }: Literal): boolean {
  return first !== undefined && text.slice(start, first.start).includes('\n');
}

/** White space before the first character of the line that holds this offset. */
export function indentAt(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? '';
}

export function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Lines behind the first one get this indentation; `written` is indented from nothing. */
function placed(written: string, indent: string, text: string): string {
  return written.split('\n').join(`${lineEndOf(text)}${indent}`);
}

function insertBehind(
  text: string,
  literal: Literal,
  before: Extent,
  after: Extent | undefined,
  written: string,
): string {
  const comma = commaBehind(text, before, literal);
  const from = comma < 0 ? before.end : comma + 1;
  const indent = indentAt(text, before.start);
  const next = after?.start ?? literal.end;
  const added = placed(written, indent, text);
  if (!text.slice(from, next).includes('\n')) {
    const gap = /^\s*/.exec(text.slice(from, next))?.[0] ?? '';
    if (after) return spliced(text, from, from, `${gap}${added},`);
    const space = comma < 0 ? ', ' : ' ';
    return spliced(text, from, from, `${space}${added}${comma < 0 ? '' : ','}`);
  }
  const line = behindLineComment(text, from);
  const hasComma = comma >= 0;
  const entry = `${lineEndOf(text)}${indent}${added}${hasComma ? ',' : ''}`;
  const own = spliced(text, line, line, entry);
  return hasComma ? own : spliced(own, before.end, before.end, ',');
}

function insertFirst(text: string, literal: Literal, after: Extent, written: string): string {
  const at = literal.start + 1;
  if (!isOnLines(text, literal))
    return spliced(
      text,
      after.start,
      after.start,
      `${placed(written, indentAt(text, at), text)}, `,
    );
  const indent = indentAt(text, after.start);
  const line = behindLineComment(text, at);
  return spliced(text, line, line, `${lineEndOf(text)}${indent}${placed(written, indent, text)},`);
}

/** Into a literal that is empty, save for comments. */
function insertOnly(text: string, literal: Literal, written: string): string {
  const [open, close] = [literal.start + 1, literal.end - 1];
  const inside = text.slice(open, close);
  const outer = indentAt(text, literal.start);
  const isObject = text[literal.start] === '{';
  if (inside.trim() === '' && !written.includes('\n')) {
    const space = isObject ? ' ' : '';
    return spliced(text, open, close, `${space}${placed(written, outer, text)}${space}`);
  }
  const indent = `${outer}${indentUnit(text)}`;
  const end = lineEndOf(text);
  const kept = inside.trim() === '' ? '' : inside.trimEnd();
  const comma = literal.file.endsWith('.json') ? '' : ',';
  const entry = `${kept}${end}${indent}${placed(written, indent, text)}${comma}${end}${outer}`;
  return spliced(text, open, close, entry);
}

interface Neighbours {
  before: Extent | undefined;
  after: Extent | undefined;
  /** The comma that goes as well, or -1. */
  extra: number;
}

/** What is cut with a part: its line, if it has one of its own, else the space beside it. */
function cutOf(text: string, literal: Literal, part: Extent, near: Neighbours): Extent {
  const line = text.lastIndexOf('\n', part.start - 1) + 1;
  const startsLine = text.slice(line, part.start).trim() === '' && line > literal.start;
  const rest = behindLineComment(text, part.end);
  const endsLine = /^[ \t]*\r?\n/.test(text.slice(rest));
  if (startsLine && endsLine)
    return { start: line, end: rest + (/^[ \t]*\r?\n/.exec(text.slice(rest))?.[0].length ?? 0) };
  if (near.after) {
    const gap = /^[ \t]*/.exec(text.slice(part.end))?.[0].length ?? 0;
    return endsLine && !startsLine
      ? { start: behindSpace(text, part.start), end: part.end }
      : { start: part.start, end: part.end + gap };
  }
  if (!near.before) {
    const space = text.slice(literal.start + 1, literal.end - 1).replace(/\S/g, '') !== '';
    const isAlone =
      text.slice(literal.start + 1, part.start).trim() === '' &&
      text.slice(part.end, literal.end - 1).trim() === '';
    return isAlone && space ? { start: literal.start + 1, end: literal.end - 1 } : part;
  }
  const behind = behindSpace(text, part.start);
  const { extra } = near;
  const isComment = extra >= 0 && text.slice(extra + 1, part.start).trim() !== '';
  return { start: extra < 0 || isComment ? behind : behindBlank(text, extra), end: part.end };
}

/** Before an offset with nothing but white space before it on its line: the end of the line above. */
function behindBlank(text: string, offset: number): number {
  const start = behindSpace(text, offset);
  return text[start - 1] === '\n'
    ? behindSpace(text, start - (text[start - 2] === '\r' ? 2 : 1))
    : offset;
}

function behindSpace(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && /[ \t]/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** The comma behind a part, white space and comments passed over; -1 if there is none. */
function commaBehind(text: string, part: Extent, { end }: Literal): number {
  const at = behindTrivia(text, part.end, end);
  return text[at] === ',' ? at : -1;
}

function behindTrivia(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit) {
    if (/\s/.test(text.charAt(at))) at += 1;
    else if (text.startsWith('//', at)) at = endOf(text, '\n', at, limit);
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at, limit);
    else break;
  }
  return at;
}

function endOf(text: string, mark: string, from: number, limit: number): number {
  const at = text.indexOf(mark, from + 2);
  return at < 0 ? limit : at + mark.length;
}

/** Behind the comments that stand on the same line. */
function behindLineComment(text: string, from: number): number {
  const found = /^(?:[ \t]*\/\*(?:[^*\n]|\*(?!\/))*\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(
    text.slice(from, lineBreak(text, from)),
  );
  return from + (found?.[0].length ?? 0);
}

function lineBreak(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

/** One step of indentation, as the file has it. */
export function indentUnit(text: string): string {
  const step = /^(\t+| {2,8})\S/m.exec(text)?.[1] ?? '  ';
  return step.startsWith('\t')
    ? '\t'
    : step.slice(0, step.length >= 4 && step.length % 4 === 0 ? 4 : 2);
}

function spliced(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}
