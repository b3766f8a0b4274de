import { APIError } from '@anthropic-ai/sdk';
import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { ActivityDeps } from '../agent/deps.ts';
import type { Reply } from '../agent/model/reply.ts';
import { modelRequest } from '../agent/model/request.ts';
import { wholeReply } from '../agent/model/whole-reply.ts';
import type { JobProject } from '../db/jobs/job-project.ts';
import type { TranscriptEntry } from '../db/jobs/transcript.ts';
import { enterModelCall, settleModelCall } from '../db/models/model-calls.ts';
import { newId } from '../shared/ids.ts';
import type { Position } from '../shared/jobs/activity-types.ts';
import { countModelCall } from '../shared/metrics/metrics.ts';
import { GrowingMessage } from '../shared/models/growing-message.ts';
import { contextTokens } from '../shared/models/known-models.ts';
import { hasNativeEditor, modelEndpoint } from '../shared/models/model-features.ts';
import { costMicroUsd } from '../shared/models/model-prices.ts';
import { readUsage, USAGE_UNKNOWN } from '../shared/models/reported-usage.ts';
import type { ModelParams } from '../shared/models/stream-message.ts';
import { jobEffort } from '../shared/models/thinking.ts';
import { modelFailure, modelOutcome } from './model-failures.ts';
import { streamAnswer } from './stream-answer.ts';

interface Asked {
  project: JobProject;
  transcript: TranscriptEntry[];
}

/**
 * Asks the model, with a row in the ledger whatever comes of it. What has come of an answer that
 * broke off is the answer: to ask again would be to pay again. Throws the failure if nothing came.
 */
export async function paidCall(
  deps: ActivityDeps,
  input: Position,
  { project, transcript }: Asked,
): Promise<Reply> {
  const { cancellationSignal } = Context.current();
  const server = new URL(modelEndpoint(deps.config)).host;
  const callId = await enter(deps, input, project);
  const request = await requestFor(deps, project, transcript);
  const message = new GrowingMessage();
  let requestId: string | null = null;
  const settle = async (outcome: string, spent: Partial<ReturnType<typeof billed>>) => {
    await settleModelCall(deps.pool, callId, outcome, { requestId, ...spent });
    countModelCall({ purpose: 'agent', outcome, ...spent, model: project.model });
  };
  const error = await streamAnswer(deps, input, request, message, id => {
    requestId = id;
  }).catch((thrown: unknown) => thrown);
  const whole = wholeReply(message, callIds(transcript));
  const isCut = whole.stopReason === 'cut';
  const spent = billed(deps, message, project.model);
  if (cancellationSignal.aborted || (isCut && whole.content.length === 0)) {
    const failure = cancellationSignal.aborted ? CANCELLED : modelFailure(error, server);
    await settle(modelOutcome(failure), {
      ...(Object.keys(message.usage).length > 0 && spent),
      ...(isRefusal(error) && { costMicroUsd: 0 }),
    });
    throw failure;
  }
  const { isKnown } = readUsage(message.usage);
  await settle(!isKnown ? USAGE_UNKNOWN : isCut ? 'cut' : 'ok', spent);
  const { usage, model = project.model } = message;
  return { ...whole, usage, model, asked: project.model };
}

const CANCELLED = new CancelledFailure('The model call was cancelled.');

async function enter(
  deps: ActivityDeps,
  { jobId }: Position,
  project: JobProject,
): Promise<string> {
  const { info } = Context.current();
  const id = newId('call');
  await enterModelCall(deps.pool, {
    id,
    purpose: 'agent',
    organizationId: project.organizationId,
    projectId: project.projectId,
    apiKeyId: project.apiKeyId,
    jobId,
    runId: info.workflowExecution?.runId ?? '',
    activityId: info.activityId,
    attempt: info.attempt,
    model: project.model,
  });
  return id;
}

/** Of all calls so far, which no later one may have again. */
function callIds(transcript: readonly TranscriptEntry[]): string[] {
  return transcript.flatMap(({ content }) =>
    content.flatMap(block => (block.type === 'tool_use' ? [block.id] : [])),
  );
}

async function requestFor(
  { config, featuresOf }: ActivityDeps,
  project: JobProject,
  transcript: TranscriptEntry[],
): Promise<ModelParams> {
  return modelRequest(transcript, {
    model: project.model,
    maxTokens: config.MODEL_MAX_OUTPUT_TOKENS,
    contextTokens: contextTokens(config, project.model),
    features: await featuresOf(project.model),
    hasNativeEditor: hasNativeEditor(config),
    effort: jobEffort(config, project),
    webPages: project.settings.webPages,
  });
}

/** Whether the API answered with a status instead of a message: that costs nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof APIError && typeof error.status === 'number';
}

/** What a message, whole or cut, has used, for the ledger; without a count, nobody knows its cost. */
function billed(deps: ActivityDeps, message: GrowingMessage, asked: string) {
  const { model = asked } = message;
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
