import { globFilter, isHidden } from './glob.ts';
import type { ToolContext } from './tool.ts';

/**
 * The files that a glob names, or those of the docs folder; links and submodules are left out,
 * hidden ones too unless the glob names them. Throws on a pattern that is not a glob.
 */
export function namedFiles(
  glob: string | undefined,
  { workspace, project }: Pick<ToolContext, 'workspace' | 'project'>,
): string[] {
  const folder = project.docsFolder === '' ? '' : `${project.docsFolder}/`;
  const matches =
    glob === undefined
      ? (path: string) => path.startsWith(folder)
      : globFilter(glob, project.docsFolder);
  const hidden = glob !== undefined && isHidden(glob);
  return workspace
    .list()
    .filter(
      path =>
        (hidden || !isHidden(path)) &&
        matches(path) &&
        workspace.entry(path)?.mode.startsWith('100'),
    );
}
