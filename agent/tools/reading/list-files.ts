import { Type } from '@sinclair/typebox';
import { orSkip } from '../../../shared/agent-text.ts';
import { globFilter, isHidden } from '../glob.ts';
import { inRepository, REPOSITORY } from '../repository.ts';
import { count, toolFailure, inputMember } from '../text.ts';
import { defineTool } from '../tool.ts';

const MAX_PATHS = 400;

export const listFilesTool = defineTool({
  name: 'list_files',
  description:
    'Lists files by glob, such as `guides/**/*.mdx`; without one, the files of the docs folder. ' +
    "Globs may start at the repository's root or at the docs folder.",
  input: Type.Object({
    glob: Type.Optional(Type.String({ maxLength: 500 })),
    skip: Type.Optional(
      Type.Integer({ minimum: 0, description: 'paths to pass over; 0 by default' }),
    ),
    repository: REPOSITORY,
  }),
  readOnly: true,
  summarize: input => inputMember(input, 'glob'),
  async execute({ glob, skip = 0, repository }, own) {
    const context = await inRepository(repository, own);
    if ('failure' in context) return context.failure;
    const { workspace, project } = context;
    const folder = project.docsFolder === '' ? '' : `${project.docsFolder}/`;
    let matches: (path: string) => boolean;
    try {
      matches =
        glob === undefined ? path => path.startsWith(folder) : globFilter(glob, project.docsFolder);
    } catch {
      return toolFailure(
        `${glob} is not a glob. Use *, **, ?, [a-z] and {a,b}, such as ${folder}**/*.{md,mdx}.`,
        glob ?? '',
      );
    }
    const named = glob !== undefined && isHidden(glob);
    const paths = workspace.list().filter(path => (named || !isHidden(path)) && matches(path));
    const summary = `${glob ?? (folder || '/')} (${count(paths.length, 'file')})`;
    if (paths.length === 0)
      return {
        content:
          `No file matches ${glob ?? folder}. ` +
          `${folder === '' ? 'The docs folder is the root' : `${folder} is the docs folder`}; ` +
          '`**/*` lists everything.',
        summary,
      };
    if (skip >= paths.length)
      return {
        content:
          `There ${paths.length === 1 ? 'is' : 'are'} only ${count(paths.length, 'path')}: ` +
          'skip fewer.',
        summary,
      };
    const end = skip + MAX_PATHS;
    const more =
      paths.length > end ? `\n[${paths.length - end} more: narrow the glob, ${orSkip(end)}` : '';
    return { content: paths.slice(skip, end).join('\n') + more, summary };
  },
});
