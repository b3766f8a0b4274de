import { EDITOR_NAME } from '../shared/agent-text.ts';
import type { TranscriptEntry } from '../db/jobs/transcript.ts';
import { candidateFiles } from '../sites/page-path.ts';
import { movePageTool } from './tools/edits/move-page.ts';
import { cleanPath, existingFile } from './tools/paths.ts';
import { viewFilesTool } from './tools/reading/view-files.ts';
import type { ToolContext } from './tools/tool.ts';

/**
 * Whether a call of the editor or of view_files that succeeded names the file, by the path it has
 * or by one that it had before it was moved.
 */
export function wasRead(
  transcript: readonly TranscriptEntry[],
  path: string,
  context: ToolContext,
): boolean {
  const blocks = transcript.flatMap(({ content }) => content);
  const succeeded = new Set(
    blocks.flatMap(block =>
      block.type === 'tool_result' && block.is_error !== true ? [block.tool_use_id] : [],
    ),
  );
  const calls = blocks.filter(block => block.type === 'tool_use' && succeeded.has(block.id));
  const names = [path];
  for (const call of calls.toReversed()) {
    if (call.type !== 'tool_use') continue;
    const isNamed = (raw: string) => names.some(name => isPathOf(raw, name, context));
    if (call.name === movePageTool.name) {
      const { from, to } = call.input as { from: string; to: string };
      if (isNamed(to)) names.push(...pathsMeant(from, context));
    } else if ([EDITOR_NAME, viewFilesTool.name].includes(call.name)) {
      if (named(call.input).some(isNamed)) return true;
    }
  }
  return false;
}

function isPathOf(raw: string, path: string, context: ToolContext): boolean {
  return existingFile(raw, context).path === path || pathsMeant(raw, context).includes(path);
}

/** Files that a path may have meant in a workspace that has changed since. */
function pathsMeant(raw: string, { project: { docsFolder } }: ToolContext): string[] {
  const { path } = cleanPath(raw);
  if (path === undefined) return [];
  const inDocs = docsFolder === '' ? [] : [`${docsFolder}/${path}`];
  return [...inDocs, path, ...candidateFiles(docsFolder, path)];
}

/** The paths of a call on this repository. */
function named(input: unknown): string[] {
  const { path, files, repository } = (input ?? {}) as Record<string, unknown>;
  if (repository !== undefined && repository !== null) return [];
  const paths = [
    path,
    ...(Array.isArray(files) ? files.map(file => (file as { path?: unknown } | null)?.path) : []),
  ];
  return paths.filter(one => typeof one === 'string');
}
