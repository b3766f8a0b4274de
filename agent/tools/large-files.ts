import type { Workspace } from '../../shared/workspace.ts';
import { globFilter } from './glob.ts';

/** How a file begins that stands for one in git LFS. */
export const LARGE_FILE_POINTER = 'version https://git-lfs.github.com/spec/v1\n';

const ATTRIBUTES = '.gitattributes';

/**
 * The .gitattributes that gives a path to git LFS, if one does. As in git, the last line that says
 * something about the path holds, and files in deeper folders come later.
 */
export async function largeFileRule(
  path: string,
  workspace: Workspace,
): Promise<string | undefined> {
  const folders = path.split('/').slice(0, -1);
  let rule: string | undefined;
  for (let depth = 0; depth <= folders.length; depth += 1) {
    const prefix = folders
      .slice(0, depth)
      .map(folder => `${folder}/`)
      .join('');
    const file = prefix + ATTRIBUTES;
    if (!workspace.has(file)) continue;
    const inFolder = path.slice(prefix.length);
    for (const line of ((await workspace.readText(file)) ?? '').split(/\r?\n/)) {
      const filter = filterFor(inFolder, line);
      if (filter !== undefined) rule = filter === 'lfs' ? file : undefined;
    }
  }
  return rule;
}

/** What a line says of the path's filter: its name, '' for none; undefined: nothing. */
function filterFor(path: string, line: string): string | undefined {
  const {
    pattern,
    quoted,
    rest = '',
  } = /^\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<pattern>[^\s#[]\S*))\s+(?<rest>.*)$/.exec(line)
    ?.groups ?? {};
  const glob = quoted ?? pattern;
  const said = rest.split(/\s+/).findLast(word => /^[-!]?filter(?:=|$)/.test(word));
  if (glob === undefined || said === undefined || !matches(glob, path)) return undefined;
  return /^filter=(.*)/.exec(said)?.[1] ?? '';
}

function matches(glob: string, path: string): boolean {
  try {
    // A slash at its start binds a pattern to the folder.
    return glob.startsWith('/') && !glob.slice(1).includes('/')
      ? !path.includes('/') && globFilter(glob, '')(path)
      : globFilter(glob, '')(path);
  } catch {
    return false;
  }
}
