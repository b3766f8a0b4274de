import { Type } from '@sinclair/typebox';
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

export const insertTool = defineTool({
  name: 'insert',
  description: 'Inserts text after a line; 0 is the beginning of the file.',
  input: Type.Object({
    path: Type.String(),
    insert_line: Type.Integer({
      minimum: 0,
      description: 'the text goes after this line; 0 puts it first',
    }),
    insert_text: Type.String({ minLength: 1 }),
  }),
  readOnly: false,
  summarize: input => inputMember(input, 'path'),
  async execute({ path: raw, insert_line: after, insert_text: inserted }, context) {
    const { path, error } = existingFile(raw, context);
    if (error !== undefined) return toolFailure(error, raw);
    const file = await readTextFile(path, context);
    if ('error' in file) return toolFailure(file.error, path);
    const lines = splitLines(file.text);
    if (after > lines.length)
      return toolFailure(
        `insert_line ${after} does not exist: ${path} has ${count(lines.length, 'line')}. ` +
          `Use 0 to ${lines.length}.`,
        path,
      );

    const offset = lineOffset(file.text, after);
    const before = file.text.slice(0, offset);
    const glue = before === '' || before.endsWith('\n') ? '' : '\n';
    const end = inserted.endsWith('\n') || (offset === file.text.length && glue !== '') ? '' : '\n';
    const addition = withLineEnds(`${glue}${inserted}${end}`, file.text);
    const text = before + addition + file.text.slice(offset);
    const refusal = writeTextFile(path, text, context);
    if (refusal !== undefined) return toolFailure(refusal, path);
    const last = after + splitLines(inserted).length + 3;
    const shown = numbered(splitLines(text), Math.max(1, after - 2), last);
    return {
      content: `Inserted after line ${after} of ${path}. It now reads:\n${shown}`,
      summary: `${path} ${lineDelta(file.text, text)}`,
    };
  },
});

/** Where line `number` (1-based) ends, its line end included. */
function lineOffset(text: string, number: number): number {
  let offset = 0;
  for (let i = 0; i < number; i++) {
    const next = text.indexOf('\n', offset);
    if (next === -1) return text.length;
    offset = next + 1;
  }
  return offset;
}
