import type { Anthropic } from '@anthropic-ai/sdk';
import { outcomeOfAnswer } from '../../../db/models/ledger.ts';
import { modelPatience } from '../../../shared/models/model-client.ts';
import { readUsage } from '../../../shared/models/reported-usage.ts';
import { SilentStreamError } from '../../../shared/models/stream-message.ts';
import { type AnswerInProgress, enterCall } from '../answer/answer-in-progress.ts';
import { AnswerError, outcomeOf } from '../answer/failures.ts';
import { emptyTurn, type Listener, type ModelTurn, streamModel } from './model-stream.ts';

/** Calls the model once, streaming to `listener`; the call is in the ledger before it is made. */
export async function callModel(
  answer: AnswerInProgress,
  params: Anthropic.MessageCreateParamsNonStreaming,
  listener: Listener,
): Promise<ModelTurn> {
  const { deps, left } = answer;
  answer.nextCall ??= await enterCall(deps, answer.request);
  left.throwIfAborted(); // the entry is withdrawn with the answer
  const entry = answer.nextCall;
  answer.nextCall = undefined;
  const turn = emptyTurn();
  let failure: unknown;
  try {
    await streamModel(deps.client, params, turn, listener, {
      signal: left,
      patience: modelPatience(deps.config),
      onRequestId: id => entry.answers(id),
    });
    return turn;
  } catch (error) {
    failure = error;
    throw error instanceof SilentStreamError ? new AnswerError('slow') : error;
  } finally {
    const { message } = turn;
    countUsage(answer, turn);
    const outcome = failure === undefined ? outcomeOfAnswer(message) : outcomeOf(failure);
    answer.settling.push(deps.settle(() => entry.settle(outcome, message, failure)));
  }
}

function countUsage({ usage: total }: AnswerInProgress, { message }: ModelTurn): void {
  const { usage } = readUsage(message.usage);
  total.inputTokens += usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  total.outputTokens += usage.outputTokens;
}
