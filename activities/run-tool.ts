import { Context } from '@temporalio/activity';
import type { Transaction } from '../shared/db/pool.ts';
import type { Job } from '../shared/db/jobs/job.ts';
import { openWeb } from './web/fetch-web.ts';
import { reachableAddresses } from '../shared/outgoing/public-address.ts';
import { imageBlock } from './attached-images.ts';
import { checkJob } from './checks/check-job.ts';
import { openContext } from './context-repositories.ts';
import type { ActivityDeps } from './deps.ts';
import { askSite } from './site/ask-site.ts';
import {
  editedFiles,
  type LoadedWorkspace,
  loadWorkspace,
  saveWorkspace,
} from './job-workspace.ts';
import { type Done, once, ownedJob, storedResult } from './once.ts';
import type { JobProject } from '../shared/db/jobs/job-project.ts';
import { readTodos } from '../shared/db/jobs/jobs.ts';
import { appendEntry, type Block, readAssistantEntry } from '../shared/db/jobs/transcript.ts';
import { readUpload } from '../shared/db/uploads/uploads.ts';
import { projectFolder } from '../shared/site/project-site.ts';
import { policyProject } from './policy/policy-project.ts';
import { policyViolations } from './policy/policy.ts';
import { redactionIn } from './policy/secrets/redact.ts';
import { resolveCall } from './tools/registry.ts';
import { inputMember } from './tools/text.ts';
import type { Refusal, ToolContext, ToolResult } from './tools/tool.ts';
import type { ToolInput, ToolOutcome } from './types.ts';

/**
 * One tool call, under the activity type of its tool. Whatever goes wrong with the call is a result
 * that the model reads; only our own trouble (database, repository host) fails the activity.
 */
export function createRunTool(deps: ActivityDeps) {
  return async function runTool(input: ToolInput): Promise<ToolOutcome> {
    const stored = await storedResult<ToolOutcome>(deps, input);
    if (stored) return stored;
    const { toolUse, mendRoundsLeft: repairRoundsLeft } = input;
    // First: the todos are those of the run that owns the row.
    const project = await ownedJob(deps, input);
    const [call, todos, features] = await Promise.all([
      readCall(deps, input),
      readTodos(deps.pool, input.jobId),
      deps.featuresOf(project.model),
    ]);
    if (!input.workspaceHead) throw new Error(`no workspace for ${toolUse.id}`);
    const signal = Context.current().cancellationSignal;
    const loaded = await loadWorkspace(deps, project, input.workspaceHead, signal);
    const refusals: Refusal[] = [];
    const context = toolContext(deps, project, loaded, {
      transcriptHead: input.transcriptHead,
      todos,
      repairRoundsLeft,
      isFirstRepair: repairRoundsLeft >= deps.config.JOB_MAX_MEND_ROUNDS,
      canSeeImages: features.has('images'),
      refused: ({ path, rule }) => void refusals.push({ path, rule }),
    });
    const { result, dropped } = await executeAllowed(call, context);
    if (result.isError && refusals.length > 0) result.refused ??= refusals;
    const { workspace, revision } = dropped
      ? await loadWorkspace(deps, project, input.workspaceHead, signal)
      : loaded;
    const edits = await editedFiles(workspace, revision);
    return once<Omit<ToolOutcome, 'at'>>(deps, input, async (tx, row) => {
      const workspaceHead = await saveWorkspace(tx, input.jobId, loaded.revision, edits);
      const transcriptHead = await appendResult(tx, input, result);
      return record({ transcriptHead, workspaceHead }, row, input, result);
    });
  };
}

async function readCall(
  { pool }: ActivityDeps,
  { transcriptHead, toolUse }: ToolInput,
): Promise<Extract<Block, { type: 'tool_use' }>> {
  const entry = await readAssistantEntry(pool, transcriptHead, toolUse.id);
  for (const block of entry?.content ?? [])
    if (block.type === 'tool_use' && block.id === toolUse.id) return block;
  throw new Error(`no tool call ${toolUse.id}`);
}

function appendResult(
  tx: Transaction,
  { jobId, transcriptHead, turn, step, toolUse }: ToolInput,
  { content, image, isError, finish, todos, refused }: ToolResult,
): Promise<string> {
  return appendEntry(tx, {
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
    ],
    meta: { ...(finish && { finish }), ...(todos && { todos }), ...(refused && { refused }) },
  });
}

function record(
  { transcriptHead, workspaceHead }: { transcriptHead: string; workspaceHead: string },
  row: Job,
  { turn, step, toolUse }: ToolInput,
  { isError = false, finish, todos, refused, ...result }: ToolResult,
): Done<Omit<ToolOutcome, 'at'>> {
  const summary = result.summary.slice(0, 200);
  return {
    result: {
      transcriptHead,
      workspaceHead,
      isError,
      summary,
      finished: finish !== undefined,
      ...(todos && { todos }),
    },
    change: {
      transcriptHead,
      workspaceHead,
      ...(todos && { todos }),
      ...(finish && row.title === null && { title: finish.title }),
    },
    events: [
      {
        type: 'tool_result',
        toolCallId: toolUse.id,
        toolName: toolUse.type,
        summary,
        isError,
        ...(refused && { refusedBy: [...new Set(refused.map(({ rule }) => rule))] }),
        turn,
        step,
      },
      ...(todos ? [{ type: 'todos' as const, todos }] : []),
    ],
  };
}

const MAX_VIOLATIONS_TOLD = 10;

/**
 * Executes the call, unless a secret was taken out of it. What it changes against the policy comes
 * back as its failure, with rule and line, and none of its edits is kept.
 */
async function executeAllowed(
  { name, input }: Extract<Block, { type: 'tool_use' }>,
  context: ToolContext,
): Promise<{ result: ToolResult; dropped?: true }> {
  const removed = redactionIn(input);
  if (removed !== undefined) return { result: secretRefusal(name, input, removed) };
  const { workspace, project } = context;
  const before = await workspace.changes();
  const result = await execute(name, input, context);
  const after = await workspace.changes();
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    path => !isSame(before.get(path), after.get(path)),
  );
  if (paths.length === 0) return { result };
  const violations = await policyViolations(workspace, project, new Set(paths));
  if (violations.length === 0) return { result };
  const reasons = violations
    .slice(0, MAX_VIOLATIONS_TOLD)
    .map(({ path, rule, message }) => `${path} (${rule}): ${message}`);
  const [first] = violations;
  return {
    result: {
      content: `Refused: nothing was changed.\n${reasons.join('\n')}`,
      isError: true,
      summary: `${first?.path ?? name}: refused (${first?.rule ?? 'policy'})`,
      refused: violations.slice(0, MAX_VIOLATIONS_TOLD).map(({ path, rule }) => ({ path, rule })),
    },
    dropped: true,
  };
}

function secretRefusal(name: string, input: unknown, removed: string): ToolResult {
  return {
    content:
      `Refused (secret): the call contains what looks like a secret (${removed}). ` +
      'Write a placeholder in its place, such as YOUR_API_KEY.',
    isError: true,
    summary: `${name}: refused (secret)`,
    ...(resolveCall(name, input).tool?.readOnly !== true && {
      refused: [{ path: inputMember(input, 'path') || name, rule: 'secret' }],
    }),
  };
}

function isSame(before: Buffer | null | undefined, after: Buffer | null | undefined): boolean {
  return before && after ? before.equals(after) : before === after;
}

async function execute(name: string, input: unknown, context: ToolContext): Promise<ToolResult> {
  const call = resolveCall(name, input);
  if (call.error !== undefined)
    return { content: call.error, isError: true, summary: `${name}: not a valid call` };
  return call.tool.execute(call.input, context);
}

type OfTurn = Pick<ToolInput, 'transcriptHead'> &
  Pick<ToolContext, 'todos' | 'repairRoundsLeft' | 'isFirstRepair' | 'canSeeImages' | 'refused'>;

function toolContext(
  deps: ActivityDeps,
  project: JobProject,
  { workspace }: LoadedWorkspace,
  { transcriptHead, ...turn }: OfTurn,
): ToolContext {
  const folder = projectFolder(project);
  const signal = Context.current().cancellationSignal;
  const webPages = project.settings.webPages ?? [];
  return {
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
}
