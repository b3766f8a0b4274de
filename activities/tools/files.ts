import { globFilter, isHidden } from './glob.ts';
import { isBinary } from './text.ts';
import { MAX_FILE_BYTES } from '../policy/violation.ts';
import type { ToolContext } from './tool.ts';

export interface TextFile {
  path: string;
  text: string;
}

const BATCH = 64;

/**
 * The text files that a glob names, or those of the docs folder; links, submodules, binaries and
 * files over 1 MiB are left out, hidden ones too unless the glob names them. Throws on a pattern
 * that is not a glob, and on abort.
 */
export async function* textFiles(
  glob: string | undefined,
  context: ToolContext,
): AsyncGenerator<TextFile> {
  const { workspace, project, signal } = context;
  const folder = project.docsFolder === '' ? '' : `${project.docsFolder}/`;
  const matches =
    glob === undefined
      ? (path: string) => path.startsWith(folder)
      : globFilter(glob, project.docsFolder);
  const hidden = glob !== undefined && isHidden(glob);
  const paths = workspace
    .list()
    .filter(
      path =>
        (hidden || !isHidden(path)) &&
        matches(path) &&
        /^100/.test(workspace.entry(path)?.mode ?? ''),
    );
  for (let start = 0; start < paths.length; start += BATCH) {
    signal.throwIfAborted();
    const batch = paths.slice(start, start + BATCH);
    const contents = await Promise.all(
      batch.map(async path => (tooLarge(path, context) ? undefined : workspace.read(path))),
    );
    for (const [index, path] of batch.entries()) {
      const content = contents[index];
      if (content && content.length <= MAX_FILE_BYTES && !isBinary(content))
        yield { path, text: content.toString('utf8') };
    }
  }
}

/** By the base's size: an edit can only have made a file smaller than the limit or left it. */
function tooLarge(path: string, { workspace }: ToolContext): boolean {
  return (workspace.snapshot.entries.get(path)?.size ?? 0) > 4 * MAX_FILE_BYTES;
}
