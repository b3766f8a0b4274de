import { Type } from '@sinclair/typebox';
import { isPagePath } from '../../../sites/markdown.ts';
import { writablePath } from '../paths.ts';
import {
  count,
  toolFailure,
  lineDelta,
  inputMember,
  readTextFile,
  splitLines,
  withLineEnds,
  writeTextFile,
} from '../text.ts';
import { defineTool, type ToolContext } from '../tool.ts';

export const createTool = defineTool({
  name: 'create',
  description: 'Creates a file, or replaces one wholly.',
  input: Type.Object({
    path: Type.String(),
    file_text: Type.String({ description: 'the whole text of the file' }),
  }),
  readOnly: false,
  summarize: input => inputMember(input, 'path'),
  async execute({ path: raw, file_text: written }, context) {
    const { path, error } = writablePath(raw, context);
    if (error !== undefined) return toolFailure(error, raw);
    const existing = context.workspace.has(path) ? await readTextFile(path, context) : undefined;
    if (existing && 'error' in existing) return toolFailure(existing.error, path);
    if (existing && existing.text.trim() !== '' && !(await context.hasRead(path)))
      return toolFailure(
        `${path} exists and has ${lineCount(existing.text)}, which this job has not read: they ` +
          'would be lost. View it first; then change parts with str_replace, or create it again.',
        path,
      );
    const text = existing ? likeBefore(written, existing.text) : written;
    const refusal = writeTextFile(path, text, context);
    if (refusal !== undefined) return toolFailure(refusal, path);
    const lines = lineCount(text);
    if (existing) {
      return {
        content: `Replaced ${path}: it had ${lineCount(existing.text)}, it now has ${lines}.`,
        summary: `${path} ${lineDelta(existing.text, text)}`,
      };
    }
    return {
      content: `Created ${path} with ${lines}. ${await howReadersFindIt(path, context)}`,
      summary: `${path} ${lineDelta('', text)}`,
    };
  },
});

/** Its address, and whether the navigation leads to it; both are the site's. */
async function howReadersFindIt(path: string, context: ToolContext): Promise<string> {
  if (!isPagePath(path)) return '';
  const { address, inNavigation, navigationUnread, navigationRule } = await context.askSite({
    kind: 'page',
    file: path,
  });
  const where =
    address === null ? 'The site does not publish it as it is.' : `Its address is ${address}.`;
  if (navigationUnread !== null)
    return `${where} Whether it is in the navigation is not known. ${navigationUnread}`;
  if (inNavigation) return `${where} It is in the navigation.`;
  return `${where} It is not in the navigation. ${navigationRule} Use edit_navigation to list it.`;
}

function lineCount(text: string): string {
  return count(splitLines(text).length, 'line');
}

/**
 * With the line ends and the byte order mark of the text that it replaces: else every line would be
 * a change.
 */
function likeBefore(text: string, before: string): string {
  const mark = before.startsWith('\uFEFF') && !text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return mark + withLineEnds(text, before);
}
