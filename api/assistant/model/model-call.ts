import type Anthropic from '@anthropic-ai/sdk';
import { settleModelCall, enterModelCall } from '../../../shared/db/models/model-calls.ts';
import { newId } from '../../../shared/ids.ts';
import { costMicroUsd } from '../../../shared/models/model-prices.ts';
import type { AnswerDeps, Answering, AnswerRequest } from '../answer/answer-context.ts';
import { type Listener, type ModelTurn, streamModel } from './model-stream.ts';
import { AnswerError, outcomeOf } from '../answer/failures.ts';

/** A reader does not wait longer than this for one answer to go on. */
const CALL_TIMEOUT_MS = 120_000;

/** One model call with its row in the ledger, whatever becomes of it. */
export async function callModel(
  deps: AnswerDeps,
  request: AnswerRequest,
  state: Answering,
  params: Anthropic.MessageCreateParamsNonStreaming,
  turn: ModelTurn,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const id = newId('call');
  // Beside the call, not before it: the reader does not wait for our bookkeeping.
  const started = enterModelCall(deps.db, {
    id,
    purpose: 'assistant',
    organizationId: request.project.organizationId,
    projectId: request.project.id,
    apiKeyId: request.apiKeyId,
    model: params.model,
  });
  started.catch(() => undefined);
  const tooLong = AbortSignal.timeout(CALL_TIMEOUT_MS);
  let outcome = 'cut';
  try {
    await streamModel(deps.client, params, turn, listener, AbortSignal.any([signal, tooLong]));
    outcome = 'ok';
  } catch (error) {
    outcome = outcomeOf(error);
    throw tooLong.aborted && !signal.aborted ? new AnswerError('slow') : error;
  } finally {
    const { usage, model } = turn;
    state.usage = {
      inputTokens:
        state.usage.inputTokens +
        usage.inputTokens +
        usage.cacheReadTokens +
        usage.cacheWriteTokens,
      outputTokens: state.usage.outputTokens + usage.outputTokens,
    };
    const result = { model, usage, costMicroUsd: costMicroUsd(deps.config, model, usage) };
    state.ledger.push(
      started
        .then(() => settleModelCall(deps.db, id, outcome, result))
        .catch((error: unknown) =>
          deps.log.error({ err: error, call: id }, 'a model call is not in the ledger'),
        ),
    );
  }
}
