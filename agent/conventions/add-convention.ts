import { addedText, hasConvention, instructionFile } from './instruction-file.ts';
import type { JobProject } from '../../db/jobs/job-project.ts';
import type { Block } from '../../db/jobs/transcript.ts';
import type { ActivityDeps } from '../deps.ts';
import { loadWorkspace } from '../job-workspace.ts';
import type { Reply } from '../model/reply.ts';
import type { StopReason } from '../model/whole-reply.ts';
import { splitLines } from '../tools/text.ts';
import type { Position } from '../../shared/jobs/activity-types.ts';

/**
 * The first step of a job that adds an approved line to AGENTS.md: the calls that a model would
 * make, which then go the way of all calls.
 */
export async function addConvention(
  deps: ActivityDeps,
  project: JobProject,
  { jobId, workspaceHead }: Position,
  signal: AbortSignal,
): Promise<Reply> {
  if (!workspaceHead) throw new Error('no workspace');
  const line = project.convention ?? '';
  const { workspace } = await loadWorkspace(deps, project, workspaceHead, signal);
  const path = instructionFile(file => workspace.snapshot.entries.has(file), project.docsFolder);
  const text = (await workspace.snapshot.read(path))?.toString('utf8');
  if (text !== undefined && hasConvention(text, line))
    return reply(project.model, 'end_turn', [
      { type: 'text', text: `${path} has this line already, so there is nothing to change.` },
    ]);
  return reply(project.model, 'tool_use', [
    { type: 'text', text: `Adding the approved line to ${path}.` },
    {
      type: 'tool_use',
      id: `toolu_${jobId}_add`,
      name: 'str_replace_based_edit_tool',
      input: conventionEdit(path, text, line),
    },
    {
      type: 'tool_use',
      id: `toolu_${jobId}_finish`,
      name: 'finish',
      input: {
        title: `Add a convention to ${path}`,
        body:
          'Reviewers asked for this in more than one pull request, and a person approved it as a ' +
          `convention:\n\n> ${line}\n\nAfter the merge, every job reads it.`,
        message: `${path} has the line. Once it is merged, every job of this project reads it.`,
      },
    },
  ]);
}

/** The call of the editor that adds the line. */
export function conventionEdit(
  path: string,
  text: string | undefined,
  line: string,
): Record<string, unknown> {
  const added = addedText(text, line);
  return text === undefined
    ? { command: 'create', path, file_text: added }
    : { command: 'insert', path, insert_line: splitLines(text).length, insert_text: added };
}

/** Nobody was asked, so nothing was used. */
function reply(model: string, stopReason: StopReason, content: Block[]): Reply {
  const usage = { input_tokens: 0, output_tokens: 0 };
  return { content, stopReason, notRun: {}, usage, model, asked: model };
}
