import { Type } from '@sinclair/typebox';
import { existingFile } from '../paths.ts';
import { inRepository, REPOSITORY } from '../repository.ts';
import { clip, count, toolFailure } from '../text.ts';
import { defineTool } from '../tool.ts';
import { viewFile } from './view.ts';

const MOST_FILES = 20;
/** Characters of all files together. */
const MOST_CHARACTERS = 60_000;

export const viewFilesTool = defineTool({
  name: 'view_files',
  description:
    'Shows several files or parts of files at once, with line numbers; a file may be named more ' +
    'than once, with other lines.',
  input: Type.Object({
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        view_range: Type.Optional(
          Type.Array(Type.Integer(), {
            minItems: 2,
            maxItems: 2,
            description: '[first line, last line], 1-based; -1 is the end',
          }),
        ),
      }),
      { minItems: 1, maxItems: MOST_FILES, description: '[{path, view_range?}]' },
    ),
    repository: REPOSITORY,
  }),
  readOnly: true,
  summarize: input => {
    const { files } = (input ?? {}) as { files?: unknown };
    return Array.isArray(files) ? count(files.length, 'file') : '';
  },
  async execute({ files, repository }, own) {
    const context = await inRepository(repository, own);
    if ('failure' in context) return context.failure;
    const parts: string[] = [];
    const seen: string[] = [];
    const most = Math.min(MOST_CHARACTERS, context.maxCharacters);
    let size = 0;
    let failed = 0;
    for (const [index, { path: raw, view_range: range }] of files.entries()) {
      context.signal.throwIfAborted();
      const { path, error } = existingFile(raw, context);
      const result =
        error === undefined ? await viewFile(path, range, context) : toolFailure(error, raw);
      if (result.image) result.content += ' Use view to see it.';
      if (size + result.content.length > most && index > 0) {
        const rest = files.slice(index).map(file => file.path);
        parts.push(`[No room for the rest: view ${rest.join(', ')} in another call.]`);
        break;
      }
      size += result.content.length;
      failed += result.isError ? 1 : 0;
      seen.push(result.summary);
      parts.push(`=== ${path ?? raw} ===\n${result.content}`);
    }
    return {
      content: parts.join('\n\n'),
      ...(failed === files.length && { isError: true }),
      summary: clip(seen.join(', '), 200),
    };
  },
});
