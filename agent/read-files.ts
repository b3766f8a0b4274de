import { EDITOR_NAME } from '../shared/agent-text.ts';
import type { TranscriptEntry } from '../db/jobs/transcript.ts';
import { existingFile } from './tools/paths.ts';
import { viewFilesTool } from './tools/reading/view-files.ts';
import type { ToolContext } from './tools/tool.ts';

/** Whether a call of the editor or of view_files that succeeded names the file. */
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
  return blocks.some(
    block =>
      block.type === 'tool_use' &&
      succeeded.has(block.id) &&
      [EDITOR_NAME, viewFilesTool.name].includes(block.name) &&
      named(block.input).some(raw => existingFile(raw, context).path === path),
  );
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
