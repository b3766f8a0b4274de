import { Context } from '@temporalio/activity';
import { createHash } from 'node:crypto';
import type { ActivityDeps } from '../agent/deps.ts';
import type { Reply } from '../agent/model/reply.ts';
import type { NotRun } from '../agent/model/whole-reply.ts';
import { resolveCall } from '../agent/tools/registry.ts';
import { type Block, newEntry } from '../db/jobs/transcript.ts';
import {
  INVALID_CALL,
  type ModelReply,
  type Position,
  type ToolUse,
} from '../shared/jobs/activity-types.ts';
import type { JobEvent } from '../shared/jobs/job.ts';
import { readUsage } from '../shared/models/reported-usage.ts';
import { once } from './once.ts';

const TEXT_IN_HISTORY = 300;

/** Adds what the model said to the transcript, and tells the workflow what to call. */
export async function recordReply(
  deps: ActivityDeps,
  input: Position,
  { content, stopReason, notRun, stoppedBy, model, asked, planning, ...reply }: Reply,
): Promise<ModelReply> {
  const { usage } = readUsage(reply.usage);
  const text = content
    .flatMap(block => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
  const calls = content.flatMap(block => (block.type === 'tool_use' ? [block] : []));
  const toolUses = calls.map(call => toToolUse(call, notRun));
  const entry = newEntry({
    jobId: input.jobId,
    parent: input.transcriptHead,
    kind: 'assistant',
    turn: input.turn,
    step: input.step,
    content,
    meta: {
      stopReason,
      model: asked,
      ...(planning && { planning }),
      ...(stoppedBy !== undefined && { stoppedBy }),
      ...(calls.some(({ id }) => id in notRun) && { notRun }),
    },
  });
  return once<Omit<ModelReply, 'at'>>(deps, input, {
    result: {
      transcriptHead: entry.id,
      workspaceHead: input.workspaceHead,
      stopReason,
      ...(stoppedBy !== undefined && { stoppedBy }),
      model,
      text: text.slice(-TEXT_IN_HISTORY),
      toolUses,
      tokens: usage.inputTokens + usage.cacheWriteTokens + usage.outputTokens,
    },
    change: { model, transcriptHead: entry.id },
    events: eventsOf(input, text, calls, toolUses),
    parts: [entry.part],
  });
}

function eventsOf(
  { turn, step }: Position,
  text: string,
  calls: readonly ToolCall[],
  toolUses: readonly ToolUse[],
): JobEvent[] {
  const { attempt } = Context.current().info;
  return [
    ...(text ? [{ type: 'text' as const, text, turn, step, attempt }] : []),
    ...calls.map((call, i): JobEvent => ({
      type: 'tool_call',
      toolCallId: call.id,
      toolName: toolUses[i]?.type ?? call.name,
      args: asArgs(call.input),
      turn,
      step,
    })),
  ];
}

type ToolCall = Extract<Block, { type: 'tool_use' }>;

function toToolUse(call: ToolCall, notRun: NotRun): ToolUse {
  const resolved = resolveCall(call.name, call.input);
  const key = createHash('sha1')
    .update(call.name)
    .update('\0')
    .update(JSON.stringify(call.input) ?? '')
    .digest('hex')
    .slice(0, 16);
  return {
    id: call.id,
    type: call.id in notRun ? INVALID_CALL : (resolved.tool?.name ?? INVALID_CALL),
    summary: (resolved.tool ? resolved.label : call.name).slice(0, 200),
    key,
  };
}

function asArgs(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : { input };
}
