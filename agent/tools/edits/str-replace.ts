import { Type } from '@sinclair/typebox';
import { nearestLines } from '../near.ts';
import { existingFile } from '../paths.ts';
import {
  count,
  toolFailure,
  lineDelta,
  inputMember,
  numbered,
  readTextFile,
  splitLines,
  withLineEnds,
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
    new_str: Type.Optional(Type.String({ description: 'left out: the text is deleted' })),
  }),
  readOnly: false,
  summarize: input => inputMember(input, 'path'),
  async execute({ path: raw, old_str: rawOld, new_str: rawNew = '' }, context) {
    const { path, error } = existingFile(raw, context);
    if (error !== undefined) return toolFailure(error, raw);
    const file = await readTextFile(path, context);
    if ('error' in file) return toolFailure(file.error, path);
    if (rawOld === rawNew)
      return toolFailure('old_str and new_str are the same, so nothing would change.', path);

    // Nobody sees which of a file's lines end in CRLF, so they are found as if none did.
    const plain = file.text.replaceAll('\r\n', '\n');
    const wanted = rawOld.replaceAll('\r\n', '\n');
    const starts = occurrences(plain, wanted);
    const [first] = starts;
    if (first === undefined) return toolFailure(notFound(path, file.text, rawOld), path);
    if (starts.length > 1) {
      const lines = starts.slice(0, 20).map(offset => lineOf(plain, offset));
      const shown =
        lines.join(', ') + (starts.length > 20 ? ` and ${starts.length - 20} more` : '');
      return toolFailure(
        `old_str occurs ${starts.length} times in ${path}, on lines ${shown}. ` +
          'Add neighbouring lines until it is unique, or use replace_all to change every one.',
        path,
      );
    }
    const start = writtenAt(file.text, first);
    const end = writtenAt(file.text, first + wanted.length);
    const old = file.text.slice(start, end);
    const replacement = withLineEnds(rawNew, old.includes('\n') ? old : file.text);
    const text = file.text.slice(0, start) + replacement + file.text.slice(end);
    const refusal = writeTextFile(path, text, context);
    if (refusal !== undefined) return toolFailure(refusal, path);
    const line = lineOf(text, start);
    const last = line + splitLines(replacement).length + 3;
    const shown = numbered(splitLines(text), Math.max(1, line - 3), last);
    return {
      content: `Edited ${path}. It now reads:\n${shown}`,
      summary: `${path} ${lineDelta(file.text, text)}`,
    };
  },
});

/** Offsets at which `part` begins, overlapping ones left out. */
function occurrences(text: string, part: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length))
    starts.push(at);
  return starts;
}

/** Where `text` has what is at `offset` of it once each CRLF is one character. */
function writtenAt(text: string, offset: number): number {
  let at = offset;
  for (let cut = text.indexOf('\r\n'); cut !== -1 && cut < at; cut = text.indexOf('\r\n', cut + 2))
    at += 1;
  return at;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
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
    'View them and copy the text exactly.'
  );
}
