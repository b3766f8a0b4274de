import type { Anthropic } from '@anthropic-ai/sdk';
import type { GrowingMessage } from './growing-message.ts';
import type { ModelClient } from './messages-api.ts';

export type ModelParams = Anthropic.Beta.MessageCreateParamsNonStreaming;

interface Streaming {
  signal: AbortSignal;
  /** With what each event brought for readers; '' for most. */
  onEvent?(text: string): void;
  onRequestId?(id: string | null): void;
}

/**
 * Makes one model call, and lets `message` grow by its stream until that ends, however it does.
 * Rejects with what the SDK throws; `message` then has what came before.
 */
export async function streamMessage(
  client: ModelClient,
  params: ModelParams,
  message: GrowingMessage,
  { signal, onEvent, onRequestId }: Streaming,
): Promise<void> {
  const { data: events, request_id: requestId } = await client.beta.messages
    .create({ ...params, stream: true }, { signal })
    .withResponse();
  onRequestId?.(requestId ?? null);
  for await (const event of events) onEvent?.(message.take(event));
  // The SDK ends the loop without a word when it is aborted.
  signal.throwIfAborted();
}
