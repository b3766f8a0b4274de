import { Type } from '@sinclair/typebox';
import { FILE_IS_EMPTY, lineTooLong, viewMore } from '../../../shared/agent-text.ts';
import { LARGE_FILE_POINTER } from '../large-files.ts';
import { readImage } from '../images.ts';
import { inRepository, REPOSITORY } from '../repository.ts';
import { cleanPath, existingFile } from '../paths.ts';
import { count, toolFailure, inputMember, numbered, readTextFile, splitLines } from '../text.ts';
import { defineTool, type ToolContext, type ToolResult } from '../tool.ts';

/** As many characters of one file as one view shows; whole pages are seldom longer (p95 28,000). */
export const MAX_VIEW_CHARACTERS = 30_000;
const MAX_FOLDER_LINES = 300;

export const viewTool = defineTool({
  name: 'view',
  description: 'Shows a file with line numbers, an image, or a folder two levels deep.',
  input: Type.Object({
    path: Type.String(),
    view_range: Type.Optional(
      Type.Array(Type.Integer(), {
        minItems: 2,
        maxItems: 2,
        description: '[first line, last line], 1-based; -1 is the end',
      }),
    ),
    repository: REPOSITORY,
  }),
  readOnly: true,
  summarize: input => inputMember(input, 'path'),
  async execute({ path: raw, view_range: range, repository }, own) {
    const context = await inRepository(repository, own);
    if ('failure' in context) return context.failure;
    const folder = folderOf(raw, context);
    if (folder !== undefined) return viewFolder(folder, context);
    const { path, error } = existingFile(raw, context);
    if (error !== undefined) return toolFailure(error, raw);
    return viewFile(path, range, context);
  },
});

/** A text with line numbers, or an image. */
export async function viewFile(
  path: string,
  range: number[] | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const bytes = /^100/.test(context.workspace.entry(path)?.mode ?? '')
    ? await context.workspace.read(path)
    : undefined;
  const image = bytes && readImage(bytes);
  if (image) {
    const { description, shown } = image;
    const hint = context.canSeeImages ? '' : ' This model cannot see images.';
    if (typeof shown === 'string' || hint !== '')
      return {
        content: `${path}: ${description}.${hint || ` ${shown as string}`}`,
        summary: path,
      };
    return { content: `${path}: ${description}.`, image: shown, summary: path };
  }
  const file = await readTextFile(path, context);
  if ('error' in file) return toolFailure(file.error, path);
  if (file.text.startsWith(LARGE_FILE_POINTER))
    return {
      content: `${path} is kept by git LFS: the repository has a pointer to it, and its content is not within reach.`,
      summary: path,
    };
  const most = Math.min(MAX_VIEW_CHARACTERS, context.maxCharacters);
  return viewLines(path, splitLines(file.text), range, most);
}

function viewLines(
  path: string,
  lines: string[],
  range: number[] | undefined,
  most: number,
): ToolResult {
  if (lines.length === 0) return { content: path + FILE_IS_EMPTY, summary: path };
  const first = range?.[0] ?? 1;
  const wanted = range?.[1] ?? -1;
  const last = wanted === -1 ? lines.length : Math.min(wanted, lines.length);
  if (first < 1 || first > lines.length || last < first) {
    return toolFailure(
      `view_range [${range?.join(', ')}] does not fit: ${path} has lines 1 to ${lines.length}. ` +
        'Use [first, last] with first <= last, or -1 for the end.',
      path,
    );
  }
  let end = first;
  let size = lines[first - 1]?.length ?? 0;
  while (end < last && size + (lines[end]?.length ?? 0) + 8 <= most) {
    size += (lines[end]?.length ?? 0) + 8;
    end += 1;
  }
  let content = numbered(lines, first, end, Infinity);
  if (content.length > 2 * most)
    content = `${content.slice(0, most)}\n${lineTooLong(content.length)}`;
  if (end < last) content += `\n${viewMore(count(last - end, 'more line'), end + 1, last)}`;
  const whole = first === 1 && end === lines.length;
  return { content, summary: whole ? path : `${path}:${first}-${end}` };
}

function folderOf(raw: string, { workspace, project }: ToolContext): string | undefined {
  const { path } = cleanPath(raw);
  if (path === undefined) return undefined;
  const inDocs =
    project.docsFolder === '' ? path : `${project.docsFolder}/${path}`.replace(/\/$/, '');
  if (path === '') return '';
  if (workspace.has(path)) return undefined;
  return [path, inDocs].find(folder =>
    workspace.list().some(file => file.startsWith(`${folder}/`)),
  );
}

function viewFolder(folder: string, { workspace }: ToolContext): ToolResult {
  const prefix = folder === '' ? '' : `${folder}/`;
  const shown = new Map<string, number>();
  for (const file of workspace.list()) {
    if (!file.startsWith(prefix)) continue;
    const parts = file.slice(prefix.length).split('/');
    if (parts.some(part => part.startsWith('.'))) continue;
    if (parts.length > 2) {
      const deep = `${prefix}${parts.slice(0, 2).join('/')}/`;
      shown.set(deep, (shown.get(deep) ?? 0) + 1);
    } else {
      shown.set(file, 0);
    }
  }
  const lines = [...shown].map(([path, files]) =>
    files === 0 ? path : `${path} (${count(files, 'file')})`,
  );
  const more = lines.length - MAX_FOLDER_LINES;
  const content = [
    `Files of ${folder === '' ? 'the repository' : prefix}, two levels deep, hidden ones left out:`,
    ...lines.slice(0, MAX_FOLDER_LINES),
  ];
  if (more > 0) content.push(`[${more} more: use list_files with a glob.]`);
  return { content: content.join('\n'), summary: prefix === '' ? '/' : prefix };
}
