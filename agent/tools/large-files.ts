import type { Workspace } from '../../shared/workspace.ts';
import { globFilter } from './glob.ts';

/** How a file begins that stands for one in git LFS. */
export const LARGE_FILE_POINTER = 'version https://git-lfs.github.com/spec/v1\n';

const ATTRIBUTES = '.gitattributes';

/**
 * The .gitattributes that gives a path to git LFS, if one does. As in git, the last word that says
 * something about an attribute holds, and files in deeper folders come later.
 */
export async function largeFileRule(
  path: string,
  workspace: Workspace,
): Promise<string | undefined> {
  const folders = path.split('/').slice(0, -1);
  const macros = new Map<string, string[]>();
  const said: Word[] = [];
  for (let depth = 0; depth <= folders.length; depth += 1) {
    const prefix = folders
      .slice(0, depth)
      .map(folder => `${folder}/`)
      .join('');
    const file = prefix + ATTRIBUTES;
    if (!workspace.has(file)) continue;
    for (const line of ((await workspace.readText(file)) ?? '').split(/\r?\n/)) {
      const { pattern, macro, words } = readLine(line);
      if (macro !== undefined && depth === 0) macros.set(macro, words);
      if (pattern !== undefined && matches(pattern, path.slice(prefix.length)))
        said.push(...words.map(word => ({ word, file })));
    }
  }
  const filter = filterOf(said, macros, new Set());
  return filter?.word === 'filter=lfs' ? filter.file : undefined;
}

interface Word {
  word: string;
  file: string;
}

const LINE =
  /^\s*(?:\[attr\](?<macro>\S+)|"(?<quoted>(?:[^"\\]|\\.)*)"|(?<pattern>[^\s#[]\S*))\s+(?<rest>.*)$/;

/** A pattern's attributes, or those that a macro stands for. */
function readLine(line: string) {
  const { macro, pattern, quoted, rest } = LINE.exec(line)?.groups ?? {};
  return { pattern: quoted ?? pattern, macro, words: rest?.split(/\s+/) ?? [] };
}

type Macros = ReadonlyMap<string, readonly string[]>;
/** Each is a step deeper: nobody needs as many. */
const MAX_MACROS = 1_000;

/** The last word on filters. `done`: a macro counts by its last word, and stands for its own once. */
function filterOf(said: readonly Word[], macros: Macros, done: Set<string>): Word | undefined {
  for (const { word, file } of said.toReversed()) {
    const name = /^[-!]?([^=]*)/.exec(word)?.[1] ?? '';
    if (name === 'filter') return { word, file };
    if (done.has(name) || done.size > MAX_MACROS) continue;
    done.add(name);
    const meant = word === name ? macros.get(name) : undefined;
    const filter = filterOf(meant?.map(each => ({ word: each, file })) ?? [], macros, done);
    if (filter) return filter;
  }
  return undefined;
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
