import { isUtf8 } from 'node:buffer';
import { MAX_FILE_BYTES } from '../policy/violation.ts';
import { writeRefusal } from './paths.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** A failure that the model sees; `summary` names the object for people. */
export function toolFailure(content: string, summary: string): ToolResult {
  return { content, isError: true, summary: clip(summary, 200) };
}

export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** At most `length` characters of a line, with offset `at` among them. */
export function clipAround(line: string, at: number, length: number): string {
  const from = at - Math.floor(length / 2);
  return from <= 0 || line.length <= length
    ? clip(line, length)
    : `…${clip(line.slice(from + 1), length - 1)}`;
}

/**
 * Of offsets in order: the 1-based number of each line that has one, and where in the line the
 * first of them is.
 */
export function linesAt(text: string, offsets: Iterable<number>): Map<number, number> {
  const lines = new Map<number, number>();
  const lineEnd = (start: number): number => {
    const found = text.indexOf('\n', start);
    return found === -1 ? Infinity : found;
  };
  let line = 1;
  let from = 0;
  let end = lineEnd(0);
  for (const offset of offsets) {
    for (; end < offset; end = lineEnd(from)) {
      line += 1;
      from = end + 1;
    }
    if (!lines.has(line)) lines.set(line, offset - from);
  }
  return lines;
}

/** `1 page`, `2 pages`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The member of an input that may be malformed, for summaries. */
export function inputMember(input: unknown, name: string): string {
  const value =
    typeof input === 'object' && input !== null
      ? (input as Record<string, unknown>)[name]
      : undefined;
  return typeof value === 'string' ? clip(value.replace(/\s+/g, ' '), 120) : '';
}

/** The file's text, or why it cannot be read as one. */
export async function readTextFile(
  path: string,
  context: ToolContext,
): Promise<{ text: string } | { error: string }> {
  const mode = context.workspace.entry(path)?.mode;
  if (mode === '160000')
    return { error: `${path} is a submodule: its files are in another repository.` };
  const content = await context.workspace.read(path);
  if (mode === '120000')
    return {
      error:
        `${path} is a symbolic link to ${content?.toString('utf8') ?? 'nothing'}. ` +
        'Open that file instead.',
    };
  if (content === undefined) return { error: `${path} cannot be read.` };
  if (content.includes(0))
    return {
      error:
        `${path} is a binary file (${content.length} bytes). ` +
        'Only text can be viewed and edited.',
    };
  if (isBinary(content))
    return {
      error:
        `${path} is not UTF-8 text, so its special characters would be lost here: ` +
        'it can be neither viewed nor edited. ' +
        'Leave it as it is, and report that a person has to save it as UTF-8 first.',
    };
  return { text: content.toString('utf8') };
}

/** No UTF-8 text, or one with a NUL. */
export function isBinary(content: Buffer): boolean {
  return content.includes(0) || !isUtf8(content);
}

/** Writes a text file; the sentence that refuses it, or undefined. */
export function writeTextFile(
  path: string,
  text: string,
  context: ToolContext,
): string | undefined {
  const refusal = writeRefusal(path, context);
  if (refusal !== undefined) return refusal;
  if (Buffer.byteLength(text) > MAX_FILE_BYTES)
    return `${path} would be over 1 MiB, which is the most a file may have. Split it.`;
  if (text.includes('\0')) return `${path} would contain a NUL character, which no text file may.`;
  context.workspace.write(path, text);
  return undefined;
}

/** Lines without their ends; a final line end makes no line of its own. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * `from` and `to` are 1-based and inclusive. An image within a page can be a line of 400,000
 * characters, hence `longest`.
 */
export function numbered(
  lines: readonly string[],
  from: number,
  to: number,
  longest = 1000,
): string {
  return lines
    .slice(from - 1, to)
    .map((line, index) => `${String(from + index).padStart(6)}\t${clip(line, longest)}`)
    .join('\n');
}

/** `text` with the line ends that most lines of `like` have; as it is where `like` has none. */
export function withLineEnds(text: string, like: string): string {
  if (!text.includes('\n')) return text;
  const all = like.split('\n').length - 1;
  const crlf = like.split('\r\n').length - 1;
  return all === 0 ? text : text.replace(/\r?\n/g, 2 * crlf > all ? '\r\n' : '\n');
}

/** `(+4 -1)`: lines added and removed between two texts. */
export function lineDelta(before: string, after: string): string {
  const left = splitLines(before);
  const right = splitLines(after);
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    left.at(-1 - end) === right.at(-1 - end)
  )
    end += 1;
  return `(+${right.length - start - end} -${left.length - start - end})`;
}
