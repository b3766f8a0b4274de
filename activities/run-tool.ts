import { Context } from '@temporalio/activity';
import type { JobEvent } from '../shared/jobs/job.ts';
import { checkWorkspace } from './checks/check.ts';
import type { ActivityDeps } from './deps.ts';
import {
  editedFiles,
  type LoadedWorkspace,
  loadWorkspace,
  saveWorkspace,
} from './job-workspace.ts';
import { once, ownedJob, storedResult } from './once.ts';
import type { JobProject } from '../shared/db/jobs/job-project.ts';
import { readTodos } from '../shared/db/jobs/jobs.ts';
import { appendEntry, readAssistantEntry } from '../shared/db/jobs/transcript.ts';
import { resolveCall } from './tools/registry.ts';
import type { ToolContext, ToolResult } from './tools/tool.ts';
import type { ToolInput, ToolOutcome } from './types.ts';

/**
 * One tool call, under the activity type of its tool. Whatever goes wrong with the call is a result
 * that the model reads; only our own trouble (database, repository host) fails the activity.
 */
export function createRunTool(deps: ActivityDeps) {
  return async function runTool(input: ToolInput): Promise<ToolOutcome> {
    const stored = await storedResult<ToolOutcome>(deps);
    if (stored) return stored;
    const project = await ownedJob(deps, input); // first: the todos are those of the run that owns the row
    const [entry, todos] = await Promise.all([
      readAssistantEntry(deps.pool, input.transcriptHead, input.toolUse.id),
      readTodos(deps.pool, input.jobId),
    ]);
    const call = entry?.content.find(
      block => block.type === 'tool_use' && block.id === input.toolUse.id,
    );
    if (!call || call.type !== 'tool_use' || !input.workspaceHead)
      throw new Error(`no tool call ${input.toolUse.id}`);
    const loaded = await loadWorkspace(
      deps,
      project,
      input.workspaceHead,
      Context.current().cancellationSignal,
    );
    const result = await execute(
      call.name,
      call.input,
      toolContext(deps, project, loaded, todos, input.mendRoundsLeft),
    );
    const edits = await editedFiles(loaded.workspace, loaded.revision);
    return once<Omit<ToolOutcome, 'at'>>(deps, input, async (tx, row) => {
      const workspaceHead = await saveWorkspace(tx, input.jobId, loaded.revision, edits);
      const transcriptHead = await appendEntry(tx, {
        jobId: input.jobId,
        parent: input.transcriptHead,
        kind: 'tool_results',
        turn: input.turn,
        step: input.step,
        content: [
          {
            type: 'tool_result',
            tool_use_id: input.toolUse.id,
            content: result.content,
            ...(result.isError && { is_error: true }),
          },
        ],
        meta: {
          ...(result.finish && { finish: result.finish }),
          ...(result.todos && { todos: result.todos }),
        },
      });
      const summary = result.summary.slice(0, 200);
      const events: JobEvent[] = [
        {
          type: 'tool_result',
          toolCallId: input.toolUse.id,
          toolName: input.toolUse.type,
          summary,
          isError: result.isError ?? false,
          turn: input.turn,
          step: input.step,
        },
      ];
      if (result.todos) events.push({ type: 'todos', todos: result.todos });
      return {
        result: {
          transcriptHead,
          workspaceHead,
          isError: result.isError ?? false,
          summary,
          finished: result.finish !== undefined,
          ...(result.todos && { todos: result.todos }),
        },
        change: {
          transcriptHead,
          workspaceHead,
          ...(result.todos && { todos: result.todos }),
          ...(result.finish && row.title === null && { title: result.finish.title }),
        },
        events,
      };
    });
  };
}

async function execute(name: string, input: unknown, context: ToolContext): Promise<ToolResult> {
  const call = resolveCall(name, input);
  if (call.error !== undefined)
    return { content: call.error, isError: true, summary: `${name}: not a valid call` };
  return call.tool.execute(call.input, context);
}

function toolContext(
  deps: ActivityDeps,
  project: JobProject,
  { workspace }: LoadedWorkspace,
  todos: ToolContext['todos'],
  mendRoundsLeft: number,
): ToolContext {
  return {
    workspace,
    project: {
      id: project.projectId,
      docsFolder: project.docsFolder,
      allowMdxCode: project.settings.allowMdxCode ?? false,
    },
    todos,
    search: request => deps.search({ ...request, projectId: project.projectId }),
    check: paths => checkWorkspace(workspace, { docsFolder: project.docsFolder }, paths),
    mendRoundsLeft,
    signal: Context.current().cancellationSignal,
  };
}
