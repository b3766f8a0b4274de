import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { ActivityDeps } from '../agent/deps.ts';
import type { Reply } from '../agent/model/reply.ts';
import { modelRequest } from '../agent/model/request.ts';
import { wholeReply } from '../agent/model/whole-reply.ts';
import type { JobProject } from '../db/jobs/job-project.ts';
import type { TranscriptEntry } from '../db/jobs/transcript.ts';
import { LedgerEntry, outcomeOfAnswer } from '../db/models/ledger.ts';
import type { Position } from '../shared/jobs/activity-types.ts';
import { GrowingMessage } from '../shared/models/growing-message.ts';
import { contextTokens } from '../shared/models/known-models.ts';
import { hasNativeEditor, modelEndpoint } from '../shared/models/model-features.ts';
import type { ModelParams } from '../shared/models/stream-message.ts';
import { jobEffort } from '../shared/models/thinking.ts';
import { modelFailure, modelOutcome } from './model-failures.ts';
import { storedAgain } from './stored-again.ts';
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
  const request = await requestFor(deps, project, transcript);
  const entry = await enter(deps, input, project);
  const message = new GrowingMessage();
  const error = await streamAnswer(deps, input, request, message, id => entry.answers(id)).catch(
    (thrown: unknown) => thrown,
  );
  const settle = (outcome: string) => storedAgain(() => entry.settle(outcome, message, error));
  const whole = wholeReply(message, callIds(transcript));
  const isCut = whole.stopReason === 'cut';
  if (cancellationSignal.aborted || (isCut && whole.content.length === 0)) {
    const failure = cancellationSignal.aborted ? CANCELLED : modelFailure(error, server);
    await settle(modelOutcome(failure));
    throw failure;
  }
  await settle(outcomeOfAnswer(message, isCut));
  const { usage, model = project.model } = message;
  return { ...whole, usage, model, asked: project.model };
}

const CANCELLED = new CancelledFailure('The model call was cancelled.');

function enter(
  { pool: db, config }: ActivityDeps,
  { jobId }: Position,
  { organizationId, projectId, apiKeyId, model }: JobProject,
): Promise<LedgerEntry> {
  const { info } = Context.current();
  return LedgerEntry.enter(
    { db, config },
    {
      ...{ purpose: 'agent', organizationId, projectId, apiKeyId, jobId, model },
      runId: info.workflowExecution?.runId ?? '',
      activityId: info.activityId,
      attempt: info.attempt,
    },
  );
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
