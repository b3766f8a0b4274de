import { Type } from '@sinclair/typebox';
import { globFilter, isHidden } from './glob.ts';
import { count, failure, member } from './text.ts';
import { defineTool } from './tool.ts';

const MAX_PATHS = 400;

export const listFilesTool = defineTool({
  name: 'list_files',
  description: 'Lists files by glob, such as `guides/**/*.mdx`; without one, the files of the docs folder. Globs may start at the repository\'s root or at the docs folder.',
  input: Type.Object({ glob: Type.Optional(Type.String({ maxLength: 500 })) }),
  readOnly: true,
  summarize: (input) => member(input, 'glob'),
  async execute({ glob }, { workspace, project }) {
    const folder = project.docsFolder === '' ? '' : `${project.docsFolder}/`;
    let matches: (path: string) => boolean;
    try {
      matches = glob === undefined ? (path) => path.startsWith(folder) : globFilter(glob, project.docsFolder);
    } catch {
      return failure(`${glob} is not a glob. Use *, **, ?, [a-z] and {a,b}, such as ${folder}**/*.{md,mdx}.`, glob ?? '');
    }
    const named = glob !== undefined && isHidden(glob);
    const paths = workspace.list().filter((path) => (named || !isHidden(path)) && matches(path));
    const summary = `${glob ?? (folder || '/')} (${count(paths.length, 'file')})`;
    if (paths.length === 0) return { content: `No file matches ${glob ?? folder}. ${folder === '' ? 'The docs folder is the root' : `${folder} is the docs folder`}; \`**/*\` lists everything.`, summary };
    const more = paths.length > MAX_PATHS ? `\n[${paths.length - MAX_PATHS} more: narrow the glob.]` : '';
    return { content: paths.slice(0, MAX_PATHS).join('\n') + more, summary };
  },
});
