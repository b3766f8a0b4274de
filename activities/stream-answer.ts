import { Context } from '@temporalio/activity';
import { announceDelta } from '../db/jobs/notifications.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import { RedactedStream } from '../agent/policy/secrets/redact.ts';
import { beat } from './progress.ts';
import type { Position } from '../shared/jobs/activity-types.ts';
import type { GrowingMessage } from '../shared/models/growing-message.ts';
import { modelPatience } from '../shared/models/model-client.ts';
import { type ModelParams, streamMessage } from '../shared/models/stream-message.ts';

const DELTA_EVERY_MS = 200;
const MAX_NOTIFY = 6000;

/**
 * Lets `message` grow by the model's answer; what is said is announced in passing, for watchers
 * only. Rejects as `streamMessage` does.
 */
export async function streamAnswer(
  deps: ActivityDeps,
  { jobId, turn, step }: Position,
  params: ModelParams,
  message: GrowingMessage,
  onRequestId: (id: string | null) => void,
): Promise<void> {
  const { info, cancellationSignal: signal } = Context.current();
  const said = new RedactedStream();
  let announced = 0;
  let announcing = Promise.resolve();
  const announce = async (): Promise<void> => {
    const text = (await said.take()).slice(0, MAX_NOTIFY);
    const tokens = tokensOf(message);
    const { attempt } = info;
    await announceDelta(deps.pool, { jobId, turn, step, attempt, text, tokens });
  };
  const onEvent = (text: string): void => {
    beat({ tokens: tokensOf(message) });
    said.add(text);
    if (Date.now() - announced < DELTA_EVERY_MS) return;
    announced = Date.now();
    // Passing news: when it is lost, the finished text is in the events all the same.
    announcing = announcing.then(announce).catch(() => undefined);
  };
  const asked = deps.anthropic.beta.messages.create({ ...params, stream: true }, { signal });
  const patience = modelPatience(deps.config);
  const { model } = params;
  await streamMessage(asked, message, { model, signal, patience, onEvent, onRequestId });
}

const CHARACTERS_PER_TOKEN = 4;

/** About so many; servers tell the number at the end. */
function tokensOf({ characters }: GrowingMessage): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
