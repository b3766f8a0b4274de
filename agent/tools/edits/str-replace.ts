import { Type } from '@sinclair/typebox';
import { codePoint, formsIn } from '../matching/plain-form.ts';
import { nearestLines } from '../near.ts';
import { existingFile } from '../paths.ts';
import { replacedOnce } from './replaced-once.ts';
import {
  count,
  toolFailure,
  lineDelta,
  inputMember,
  linesAt,
  numbered,
  readTextFile,
  splitLines,
  writeTextFile,
} from '../text.ts';
import { defineTool } from '../tool.ts';

export const strReplaceTool = defineTool({
  name: 'str_replace',
  description: 'Replaces a text that occurs exactly once in a file.',
  input: Type.Object({
    path: Type.String(),
    old_str: Type.String({
      minLength: 1,
      description: 'exact text, white space included, which occurs once',
    }),
    new_str: Type.String({ description: 'the text in its place; an empty one deletes old_str' }),
  }),
  readOnly: false,
  summarize: input => inputMember(input, 'path'),
  async execute({ path: raw, old_str: rawOld, new_str: rawNew }, context) {
    const { path, error } = existingFile(raw, context);
    if (error !== undefined) return toolFailure(error, raw);
    const file = await readTextFile(path, context);
    if ('error' in file) return toolFailure(file.error, path);
    if (rawOld === rawNew)
      return toolFailure('old_str and new_str are the same, so nothing would change.', path);

    const replaced = replacedOnce(file.text, rawOld, rawNew);
    if ('starts' in replaced) {
      const { starts } = replaced;
      return toolFailure(
        starts.length === 0
          ? notFound(path, file.text, rawOld)
          : ambiguous(path, starts.length, [...linesAt(file.text, starts).keys()]),
        path,
      );
    }
    const { text, start, replacement, alike } = replaced;
    if (text === file.text) return toolFailure(`${path} reads so already.`, path);
    const refusal = writeTextFile(path, text, context);
    if (refusal !== undefined) return toolFailure(refusal, path);
    const line = lineOf(text, start);
    const last = line + splitLines(replacement).length + 3;
    const shown = numbered(splitLines(text), Math.max(1, line - 3), last);
    return {
      content: `Edited ${path}.${alike === undefined ? '' : readsAlike(alike)} It now reads:\n${shown}`,
      summary: `${path} ${lineDelta(file.text, text)}`,
    };
  },
});

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The model does not see it, and may look for it again. */
function readsAlike(found: string): string {
  const forms = formsIn(found);
  return forms === ''
    ? ''
    : ` What old_str stands for there has ${forms}, kept where nothing changed.`;
}

function ambiguous(path: string, times: number, lines: number[]): string {
  const more = lines.length > 20 ? ` and ${lines.length - 20} more` : '';
  const where = lines.length === 1 ? 'line' : 'lines';
  return (
    `old_str occurs ${times} times in ${path}, on ${where} ${lines.slice(0, 20).join(', ')}${more}. ` +
    'Add neighbouring lines until it is unique, or use replace_all to change every one.'
  );
}

function notFound(path: string, text: string, old: string): string {
  const lines = splitLines(text);
  const wanted = splitLines(old).map(line => line.trim());
  while (wanted[0] === '') wanted.shift();
  while (wanted.at(-1) === '') wanted.pop();

  const squeezed = lines.map(line => line.trim());
  const same = squeezed.findIndex(
    (_, at) => wanted.length > 0 && wanted.every((line, i) => squeezed[at + i] === line),
  );
  if (same !== -1) {
    const shown = numbered(lines, same + 1, same + wanted.length, Infinity);
    return (
      `old_str does not occur in ${path} exactly: only white space differs. ` +
      `The file has:\n${shown}\nCopy these lines as they are.`
    );
  }
  const near = nearestLines(wanted[0] ?? old, lines, 3);
  if (near.length === 0)
    return (
      `old_str does not occur in ${path}, nor anything like it (${count(lines.length, 'line')}). ` +
      'View the file; search_text finds which file contains a text.'
    );
  const shown = near.map(line => numbered(lines, line, line)).join('\n');
  return (
    `old_str does not occur in ${path}. The lines most like its first one:\n${shown}\n` +
    `${unlikeCharacter(wanted[0] ?? old, near, lines)}View them and copy the text exactly.`
  );
}

/** Names a character in which the likest line differs if it passes for another one, as dashes do. */
function unlikeCharacter(
  wanted: string,
  [near = 1]: readonly number[],
  lines: readonly string[],
): string {
  const line = lines[near - 1] ?? '';
  const indent = line.length - line.trimStart().length;
  const [there, given] = [[...line], [...' '.repeat(indent), ...wanted]];
  const at = there.findIndex((char, i) => i >= indent && char !== given[i]);
  const [found = '', meant] = [there[at], given[at]];
  if (meant === undefined || !/[^\x00-\x7F]/.test(found)) return '';
  return (
    `Line ${near} has ${found} (${codePoint(found)}) in column ${at + 1}, ` +
    `where old_str has ${meant} (${codePoint(meant)}). `
  );
}
