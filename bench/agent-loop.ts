import type Anthropic from '@anthropic-ai/sdk';
import { checkWorkspace } from '../agent/checks/check.ts';
import { askSite } from '../agent/site/ask-site.ts';
import { readOrientation } from '../agent/prepare/orientation.ts';
import { agentPrompt } from '../agent/prompts/system-prompt.ts';
import { toolDefinitions } from '../agent/tools/definitions.ts';
import { resolveCall } from '../agent/tools/registry.ts';
import type { ToolContext, ToolResult } from '../agent/tools/tool.ts';
import type { Workspace } from '../shared/workspace.ts';

export interface LoopResult {
  /** The last words: the message of `finish`, or the model's text. */
  message: string;
  finished: { title: string; body: string; message: string } | null;
  steps: number;
  /** Errors that tools gave back, as the model saw them. */
  toolErrors: string[];
  messages: Anthropic.MessageParam[];
}

const MAX_STEPS = 60;

/**
 * The agent's loop in one process, without Temporal: model call, tool calls, until the model stops.
 * Edits end up in `workspace`. `messages` continue an earlier conversation.
 */
export async function runAgentLoop(
  client: Anthropic,
  workspace: Workspace,
  instruction: string,
  {
    docsFolder,
    model,
    messages = [],
  }: { docsFolder: string; model: string; messages?: Anthropic.MessageParam[] },
): Promise<LoopResult> {
  const context = toolContext(workspace, docsFolder);
  const result: LoopResult = {
    message: '',
    finished: null,
    steps: 0,
    toolErrors: [],
    messages: [...messages, await firstMessage(instruction, messages, workspace, docsFolder)],
  };
  const system = agentPrompt({
    repository: 'bench/docs',
    docsFolder,
    baseRef: 'main',
    callerSystem: [],
    agentsFiles: [],
  });
  while (result.steps < MAX_STEPS && !result.finished) {
    const answer = await client.messages
      .stream({
        model,
        max_tokens: 32_000,
        system,
        tools: toolDefinitions({ hasNativeEditor: false }),
        messages: result.messages,
      })
      .finalMessage();
    result.steps++;
    result.messages.push({ role: 'assistant', content: answer.content });
    const uses = answer.content.flatMap(block => (block.type === 'tool_use' ? [block] : []));
    if (uses.length === 0) {
      result.message = answer.content
        .flatMap(block => (block.type === 'text' ? [block.text] : []))
        .join('');
      return result;
    }
    result.messages.push({ role: 'user', content: await toolResults(uses, context, result) });
  }
  result.message = result.finished?.message ?? `Not finished after ${MAX_STEPS} steps.`;
  return result;
}

async function firstMessage(
  instruction: string,
  earlier: Anthropic.MessageParam[],
  { snapshot }: Workspace,
  docsFolder: string,
): Promise<Anthropic.MessageParam> {
  if (earlier.length > 0) return { role: 'user', content: instruction };
  const orientation = await readOrientation({
    now: Date.now(),
    snapshot,
    baseRef: 'main',
    folder: { docsFolder, kind: null },
    project: { docsFolder, allowMdxCode: false },
    contextTokens: 200_000,
    commits: undefined,
    repositories: [],
  });
  return {
    role: 'user',
    content: [
      { type: 'text', text: instruction },
      { type: 'text', text: orientation },
    ],
  };
}

function toolContext(workspace: Workspace, docsFolder: string): ToolContext {
  return {
    workspace,
    todos: [],
    repairRoundsLeft: 3,
    isFirstRepair: true,
    maxCharacters: 1_000_000,
    refused: () => undefined,
    project: { id: 'bench', repository: 'bench/docs', docsFolder, allowMdxCode: false },
    search: async () => [],
    askSite: question => askSite(workspace, { docsFolder, kind: null }, question),
    check: paths => checkWorkspace(workspace, { docsFolder }, paths),
    history: async () => ({ text: '', isCut: false }),
    hasRead: async () => true,
    readUpload: async () => undefined,
    webPages: [],
    fetchWeb: fetch,
    repositories: [],
    openRepository: async () => 'There is none.',
    canSeeImages: true,
    signal: new AbortController().signal,
  };
}

/** Executes the calls of one answer; notes their errors, and that the model has finished. */
async function toolResults(
  uses: Anthropic.ToolUseBlock[],
  context: ToolContext,
  result: LoopResult,
): Promise<Anthropic.ToolResultBlockParam[]> {
  const results: Anthropic.ToolResultBlockParam[] = [];
  for (const use of uses) {
    const outcome = await execute(use, context);
    if (outcome.isError) result.toolErrors.push(`${use.name}: ${outcome.content}`);
    if (outcome.finish) result.finished = outcome.finish;
    results.push({
      type: 'tool_result',
      tool_use_id: use.id,
      content: outcome.content,
      is_error: outcome.isError ?? false,
    });
  }
  return results;
}

async function execute(use: Anthropic.ToolUseBlock, context: ToolContext): Promise<ToolResult> {
  const call = resolveCall(use.name, use.input);
  return call.tool
    ? call.tool.execute(call.input, context)
    : { content: call.error, isError: true, summary: '' };
}
