import { type Anthropic, APIError } from '@anthropic-ai/sdk';
import { Context } from '@temporalio/activity';
import { createHash } from 'node:crypto';
import type { JobEvent } from '../shared/jobs/job.ts';
import { newId } from '../shared/ids.ts';
import { contextTokens } from '../shared/models/known-models.ts';
import { costMicroUsd } from '../shared/models/model-prices.ts';
import { jobEffort } from '../shared/models/thinking.ts';
import { countModelCall } from '../shared/metrics/metrics.ts';
import { readUsage, USAGE_UNKNOWN } from '../shared/models/reported-usage.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import { addConvention } from '../agent/conventions/add-convention.ts';
import { refuseOverMonthlyCost } from './monthly-cost.ts';
import { modelFailure, modelOutcome } from './model-failures.ts';
import type { Reply } from '../agent/model/reply.ts';
import { modelRequest } from '../agent/model/request.ts';
import { withoutSecrets } from '../agent/model/without-secrets.ts';
import { RedactedStream } from '../agent/policy/secrets/redact.ts';
import { once } from './once.ts';
import { openActivity } from './open-activity.ts';
import { enterModelCall, settleModelCall } from '../db/models/model-calls.ts';
import type { JobProject } from '../db/jobs/job-project.ts';
import { announceDelta } from '../db/jobs/notifications.ts';
import {
  type Block,
  newEntry,
  readTranscript,
  type TranscriptEntry,
} from '../db/jobs/transcript.ts';
import { resolveCall } from '../agent/tools/registry.ts';
import {
  INVALID_CALL,
  type ModelReply,
  type Position,
  type ToolUse,
} from '../shared/jobs/activity-types.ts';

type Message = Anthropic.Beta.BetaMessage;

const TEXT_IN_HISTORY = 300;
const DELTA_EVERY_MS = 200;
const MAX_NOTIFY = 6000;

/**
 * One model call: the transcript goes out, the answer comes back as a new entry. A finished call is
 * never made again: a retry finds its entry. Every attempt is in the ledger, also one that is cut.
 */
export function createCallModel(deps: ActivityDeps) {
  return async function callModel(input: Position): Promise<ModelReply> {
    const { info, cancellationSignal } = Context.current();
    const [opened, transcript] = await Promise.all([
      openActivity<ModelReply>(deps, input),
      readTranscript(deps.pool, input.transcriptHead),
    ]);
    if (opened.stored) return opened.stored;
    const { project } = opened;
    // What a person approved word by word needs no model.
    if (project.convention !== null && input.turn === 1 && input.step === 1)
      return record(deps, input, await addConvention(deps, project, input, cancellationSignal));
    await refuseOverMonthlyCost(deps, project);
    const callId = newId('call');
    await enterModelCall(deps.pool, {
      id: callId,
      purpose: 'agent',
      organizationId: project.organizationId,
      projectId: project.projectId,
      apiKeyId: project.apiKeyId,
      jobId: input.jobId,
      runId: info.workflowExecution?.runId ?? '',
      activityId: info.activityId,
      attempt: info.attempt,
      model: project.model,
    });
    const request = await requestFor(deps, project, transcript);
    const call = stream(deps, input, request);
    const settle = async (outcome: string, spent: Partial<ReturnType<typeof billed>>) => {
      const requestId = call.request_id ?? null;
      await settleModelCall(deps.pool, callId, outcome, { requestId, ...spent });
      countModelCall({ purpose: 'agent', outcome, ...spent, model: project.model });
    };
    let message: Message;
    try {
      message = await call.finalMessage();
    } catch (error) {
      const failure = modelFailure(error);
      const outcome = modelOutcome(failure.name === 'CancelledFailure' ? error : failure);
      await settle(outcome, {
        ...(call.currentMessage && billed(deps, call.currentMessage, project.model)),
        ...(isRefusal(error) && { costMicroUsd: 0 }),
      });
      throw failure;
    }
    const { isKnown } = readUsage(message.usage);
    await settle(isKnown ? 'ok' : USAGE_UNKNOWN, billed(deps, message, project.model));
    const content = await withoutSecrets(deps, project, input, message.content, cancellationSignal);
    return record(deps, input, { message, content, asked: project.model });
  };
}

async function requestFor(
  { config, featuresOf }: ActivityDeps,
  project: JobProject,
  transcript: TranscriptEntry[],
): Promise<Anthropic.Beta.MessageCreateParamsNonStreaming> {
  return modelRequest(transcript, {
    model: project.model,
    maxTokens: config.MODEL_MAX_OUTPUT_TOKENS,
    contextTokens: contextTokens(config, project.model),
    features: await featuresOf(project.model),
    effort: jobEffort(config, project),
    webPages: project.settings.webPages,
  });
}

/** Streams the answer; what is said is announced in passing, for watchers only. */
function stream(
  deps: ActivityDeps,
  input: Position,
  params: Anthropic.Beta.MessageCreateParamsNonStreaming,
) {
  const { info, cancellationSignal } = Context.current();
  const call = deps.anthropic.beta.messages.stream(params, { signal: cancellationSignal });
  const said = new RedactedStream();
  let announced = 0;
  let announcing = Promise.resolve();
  const announce = async (): Promise<void> => {
    const text = await said.take();
    if (text === '') return;
    const { jobId, turn, step } = input;
    const { attempt } = info;
    await announceDelta(deps.pool, {
      jobId,
      turn,
      step,
      attempt,
      text: text.slice(0, MAX_NOTIFY),
    });
  };
  call.on('text', delta => {
    Context.current().heartbeat();
    said.add(delta);
    if (Date.now() - announced < DELTA_EVERY_MS) return;
    announced = Date.now();
    // Passing news: when it is lost, the finished text is in the events all the same.
    announcing = announcing.then(announce).catch(() => undefined);
  });
  return call;
}

/** Whether the API answered with a status instead of a message: that costs nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof APIError && typeof error.status === 'number';
}

/** What a message, whole or cut, has used, for the ledger; without a count, nobody knows its cost. */
function billed(deps: ActivityDeps, message: Message, asked: string) {
  const { model } = message;
  const { usage, isKnown, tellsCaching } = readUsage(message.usage);
  return {
    model,
    usage,
    tellsCaching,
    costMicroUsd: isKnown
      ? costMicroUsd(deps.config, { answered: model, asked }, usage)
      : undefined,
  };
}

async function record(
  deps: ActivityDeps,
  input: Position,
  { message, content, asked }: Reply,
): Promise<ModelReply> {
  const { usage } = readUsage(message.usage);
  const text = content
    .flatMap(block => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
  const calls = content.flatMap(block => (block.type === 'tool_use' ? [block] : []));
  const toolUses = calls.map(toToolUse);
  const stopReason =
    text === '' && calls.length === 0 && message.stop_reason === 'end_turn'
      ? 'empty'
      : (message.stop_reason ?? 'end_turn');
  const entry = newEntry({
    jobId: input.jobId,
    parent: input.transcriptHead,
    kind: 'assistant',
    turn: input.turn,
    step: input.step,
    content,
    meta: { stopReason, model: asked },
  });
  return once<Omit<ModelReply, 'at'>>(deps, input, {
    result: {
      transcriptHead: entry.id,
      workspaceHead: input.workspaceHead,
      stopReason,
      model: message.model,
      text: text.slice(-TEXT_IN_HISTORY),
      toolUses,
      tokens: usage.inputTokens + usage.cacheWriteTokens + usage.outputTokens,
    },
    change: { model: message.model, transcriptHead: entry.id },
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

function toToolUse(call: ToolCall): ToolUse {
  const resolved = resolveCall(call.name, call.input);
  const key = createHash('sha1')
    .update(call.name)
    .update('\0')
    .update(JSON.stringify(call.input) ?? '')
    .digest('hex')
    .slice(0, 16);
  return {
    id: call.id,
    type: resolved.tool?.name ?? INVALID_CALL,
    summary: (resolved.tool ? resolved.label : call.name).slice(0, 200),
    key,
  };
}

function asArgs(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : { input };
}
