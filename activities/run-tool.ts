import { Context } from '@temporalio/activity';
import { openWeb } from '../agent/web/fetch-web.ts';
import { reachableAddresses } from '../shared/outgoing/public-address.ts';
import { imageBlock } from '../agent/attached-images.ts';
import { checkJob } from '../agent/checks/check-job.ts';
import { openContext } from '../agent/context-repositories.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import { askSite } from '../agent/site/ask-site.ts';
import {
  digestOf,
  editedFiles,
  type LoadedWorkspace,
  loadWorkspace,
  nextRevision,
} from '../agent/job-workspace.ts';
import { wasRead } from '../agent/read-files.ts';
import { outOfPhase } from '../agent/planning/phase.ts';
import { resolveCall } from '../agent/tools/registry.ts';
import { limitNote } from '../agent/limit-note.ts';
import { executeAllowed } from '../agent/execute-call.ts';
import { longestResult } from '../agent/model/drop-old-results.ts';
import { type Done, once } from './once.ts';
import { openActivity } from './open-activity.ts';
import type { JobProject } from '../db/jobs/job-project.ts';
import {
  newEntry,
  type NewEntry,
  readAssistantEntry,
  readTranscript,
} from '../db/jobs/transcript.ts';
import { readUpload } from '../db/uploads/uploads.ts';
import { projectFolder } from '../sites/project-site.ts';
import { policyProject } from '../agent/policy/policy-project.ts';
import type { Refusal, ToolContext, ToolResult } from '../agent/tools/tool.ts';
import { contextTokens } from '../shared/models/known-models.ts';
import type { ToolInput, ToolOutcome } from '../shared/jobs/activity-types.ts';

/**
 * One tool call, under the activity type of its tool. Whatever goes wrong with the call is a result
 * that the model reads; only our own trouble (database, repository host) fails the activity.
 */
export function createRunTool(deps: ActivityDeps) {
  return async function runTool(input: ToolInput): Promise<ToolOutcome> {
    const opened = await openActivity<ToolOutcome>(deps, input);
    if (opened.stored) return opened.stored;
    const { project } = opened;
    const { toolUse, repairRoundsLeft } = input;
    const [{ call, calls, notRun }, features] = await Promise.all([
      readCall(deps, input),
      deps.featuresOf(project.model),
    ]);
    if (!input.workspaceHead) throw new Error(`no workspace for ${toolUse.id}`);
    const signal = Context.current().cancellationSignal;
    const loaded = await loadWorkspace(deps, project, input.workspaceHead, signal);
    const refusals: Refusal[] = [];
    const context = toolContext(deps, project, loaded, {
      transcriptHead: input.transcriptHead,
      todos: project.todos,
      repairRoundsLeft,
      isFirstRepair: repairRoundsLeft >= deps.config.JOB_MAX_MEND_ROUNDS,
      canSeeImages: features.has('images'),
      maxCharacters: longestResult(contextTokens(deps.config, project.model), calls),
      refused: ({ path, rule, construct }) =>
        void refusals.push({ path, rule, ...(construct && { construct }) }),
    });
    const { result, dropped } = await executeAllowed({ ...call, notRun }, context);
    result.content = fitting(result.content, context.maxCharacters);
    if (result.isError && refusals.length > 0) result.refused ??= refusals;
    const { workspace, revision } = dropped
      ? await loadWorkspace(deps, project, input.workspaceHead, signal)
      : loaded;
    const edits = await editedFiles(workspace, revision);
    const saved = nextRevision(deps, input.jobId, loaded.revision, edits);
    const entry = newEntry(resultEntry(input, result));
    const heads = { transcriptHead: entry.id, workspaceHead: saved.id };
    return once<Omit<ToolOutcome, 'at'>>(deps, input, {
      ...record(heads, project, input, result, digestOf(edits)),
      parts: [...saved.parts, entry.part],
    });
  };
}

/** The call, and why it does not run if it does not. */
async function readCall({ pool }: ActivityDeps, { transcriptHead, toolUse }: ToolInput) {
  const entry = await readAssistantEntry(pool, transcriptHead, toolUse.id);
  const calls = (entry?.content ?? []).filter(block => block.type === 'tool_use');
  const call = calls.find(({ id }) => id === toolUse.id);
  if (call) {
    const { notRun = {}, planning = false } = entry?.meta ?? {};
    const reason =
      notRun[call.id] ?? outOfPhase(resolveCall(call.name, call.input).tool?.name, planning);
    return { call, calls: calls.length, notRun: reason };
  }
  throw new Error(`no tool call ${toolUse.id}`);
}

/** A result of a tool that does not know the window ends with how to get the rest. */
function fitting(content: string, most: number): string {
  if (content.length <= most) return content;
  return (
    `${content.slice(0, most).replace(/[\ud800-\udbff]$/, '')}\n[${content.length - most} more characters do not fit into the ` +
    'model’s window: ask for less at once, with a range of lines, a narrower pattern or fewer files.]'
  );
}

function resultEntry(
  { jobId, transcriptHead, turn, step, toolUse, limitsAhead }: ToolInput,
  { content, image, isError, finish, ask, plan, todos, refused }: ToolResult,
): NewEntry {
  return {
    jobId,
    parent: transcriptHead,
    kind: 'tool_results',
    turn,
    step,
    content: [
      {
        type: 'tool_result',
        tool_use_id: toolUse.id,
        content: image ? [{ type: 'text', text: content }, imageBlock(image)] : content,
        ...(isError && { is_error: true }),
      },
      ...(limitsAhead ? [{ type: 'text' as const, text: limitNote(limitsAhead) }] : []),
    ],
    meta: {
      ...(finish && { finish }),
      ...(ask && { ask }),
      ...(plan && { plan }),
      ...(todos && { todos }),
      ...(refused && { refused }),
    },
  };
}

function record(
  { transcriptHead, workspaceHead }: { transcriptHead: string; workspaceHead: string },
  { title }: JobProject,
  { turn, step, toolUse, workspaceHead: before }: ToolInput,
  { isError = false, finish, ask, plan, todos, refused, ...result }: ToolResult,
  edits: string,
): Done<Omit<ToolOutcome, 'at'>> {
  const summary = result.summary.slice(0, 200);
  return {
    result: {
      transcriptHead,
      workspaceHead,
      isError,
      summary,
      ...(workspaceHead !== before && { edits }),
      finished: finish !== undefined,
      ...(ask && { asked: true as const }),
      ...(plan && { planned: true as const }),
      ...(todos && { todos }),
    },
    change: {
      transcriptHead,
      workspaceHead,
      ...(todos && { todos }),
      ...(finish && title === null && { title: finish.title }),
    },
    events: [
      {
        type: 'tool_result',
        toolCallId: toolUse.id,
        toolName: toolUse.type,
        summary,
        isError,
        ...(workspaceHead !== before && { changed: true as const }),
        ...(refused && { refusedBy: [...new Set(refused.map(({ rule }) => rule))] }),
        turn,
        step,
      },
      ...(todos ? [{ type: 'todos' as const, todos }] : []),
      ...(plan ? [{ type: 'plan' as const, plan, turn, step }] : []),
    ],
  };
}

type OfTurn = Pick<ToolInput, 'transcriptHead'> &
  Pick<
    ToolContext,
    'todos' | 'repairRoundsLeft' | 'isFirstRepair' | 'canSeeImages' | 'maxCharacters' | 'refused'
  >;

function toolContext(
  deps: ActivityDeps,
  project: JobProject,
  { workspace }: LoadedWorkspace,
  { transcriptHead, ...turn }: OfTurn,
): ToolContext {
  const folder = projectFolder(project);
  const signal = Context.current().cancellationSignal;
  const webPages = project.settings.webPages ?? [];
  const context: ToolContext = {
    workspace,
    project: {
      id: project.projectId,
      repository: project.repository,
      ...policyProject(project),
    },
    ...turn,
    search: request => deps.search({ ...request, projectId: project.projectId }),
    askSite: question => askSite(workspace, folder, question),
    repositories: project.settings.contextRepositories ?? [],
    openRepository: repository => openContext(deps, project, repository, signal),
    hasRead: async path => wasRead(await readTranscript(deps.pool, transcriptHead), path, context),
    readUpload: id => readUpload(deps.pool, project.jobId, id),
    webPages,
    fetchWeb: openWeb({
      allowed: webPages,
      mayReach: reachableAddresses(deps.config.ALLOWED_PRIVATE_NETWORKS),
    }),
    history: question =>
      deps.hostFor(project).history(project, workspace.snapshot.commit, question, signal),
    check: paths => checkJob(deps, project, { workspace, transcriptHead, signal }, paths),
    signal,
  };
  return context;
}
