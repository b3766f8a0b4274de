import { type Anthropic, APIError } from '@anthropic-ai/sdk';
import { settleModelCall, enterModelCall } from '../../../db/models/model-calls.ts';
import { newId } from '../../../shared/ids.ts';
import { countModelCall } from '../../../shared/metrics/metrics.ts';
import { modelPatience } from '../../../shared/models/model-client.ts';
import { costMicroUsd } from '../../../shared/models/model-prices.ts';
import { readUsage, USAGE_UNKNOWN } from '../../../shared/models/reported-usage.ts';
import { SilentStreamError } from '../../../shared/models/stream-message.ts';
import type { AnswerInProgress } from '../answer/answer-in-progress.ts';
import { AnswerError, outcomeOf } from '../answer/failures.ts';
import { emptyTurn, type Listener, type ModelTurn, streamModel } from './model-stream.ts';

/** Calls the model once, streaming to `listener`, with a ledger row whatever the outcome. */
export async function callModel(
  answer: AnswerInProgress,
  params: Anthropic.MessageCreateParamsNonStreaming,
  listener: Listener,
): Promise<ModelTurn> {
  const { deps, request, left } = answer;
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
  const turn = emptyTurn();
  let outcome = 'cut';
  let isRefusal = false;
  try {
    await streamModel(deps.client, params, turn, listener, {
      signal: left,
      patience: modelPatience(deps.config),
    });
    outcome = isKnown(turn) ? 'ok' : USAGE_UNKNOWN;
    return turn;
  } catch (error) {
    outcome = outcomeOf(error);
    isRefusal = error instanceof APIError && typeof error.status === 'number';
    throw error instanceof SilentStreamError ? new AnswerError('slow') : error;
  } finally {
    countUsage(answer, turn);
    const { usage } = readUsage(turn.message.usage);
    const { model = params.model } = turn.message;
    // A refusal costs nothing; a stream without a count costs nobody knows what.
    const models = { answered: model, asked: params.model };
    const known = isKnown(turn) ? costMicroUsd(deps.config, models, usage) : undefined;
    const result = { model, usage, costMicroUsd: isRefusal ? 0 : known };
    countModelCall({ purpose: 'assistant', outcome, ...result, model: params.model });
    answer.ledger.push(
      started
        .then(() => settleModelCall(deps.db, id, outcome, result))
        .catch((error: unknown) =>
          deps.log.error({ err: error, call: id }, 'a model call is missing from the ledger'),
        ),
    );
  }
}

/** An answer without a single token counted was not counted at all. */
function isKnown({ message }: ModelTurn): boolean {
  const { isKnown: known, usage } = readUsage(message.usage);
  return known && usage.inputTokens + usage.outputTokens > 0;
}

function countUsage({ usage: total }: AnswerInProgress, { message }: ModelTurn): void {
  const { usage } = readUsage(message.usage);
  total.inputTokens += usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  total.outputTokens += usage.outputTokens;
}
