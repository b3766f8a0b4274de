import type { Anthropic } from '@anthropic-ai/sdk';
import { GrowingMessage, type StreamEvent } from '../../../shared/models/growing-message.ts';
import type { ModelClient } from '../../../shared/models/messages-api.ts';
import { type Streaming, streamMessage } from '../../../shared/models/stream-message.ts';

/** Gets a turn of the model as it arrives. */
export interface Listener {
  /** Returns a promise if the reader is behind: the model's stream waits until it settles. */
  text(text: string): Promise<void> | undefined;
  citation(citation: Anthropic.CitationsSearchResultLocation): void;
}

export interface ModelTurn {
  /** What goes back to the model as its own turn when it asked for a tool. */
  content: Anthropic.ContentBlockParam[];
  toolUses: { id: string; name: string; input: unknown }[];
  stopReason: string | null;
  /** What came in, for its usage: it is known also if the call is cut. */
  message: GrowingMessage;
}

/** Makes one model call and streams its text and citations to `listener`. */
export async function streamModel(
  client: ModelClient,
  request: Anthropic.MessageCreateParamsNonStreaming,
  turn: ModelTurn,
  listener: Listener,
  streaming: Pick<Streaming, 'signal' | 'patience' | 'onRequestId'>,
): Promise<void> {
  const asked = client.messages.create({ ...request, stream: true }, { signal: streaming.signal });
  await streamMessage(asked, turn.message, {
    model: request.model,
    ...streaming,
    onEvent: (text, event) => {
      noteCitation(event, listener);
      return text === '' ? undefined : listener.text(text);
    },
  });
  finish(turn, turn.message);
}

function noteCitation(event: StreamEvent, listener: Listener): void {
  if (event.type !== 'content_block_delta' || event.delta.type !== 'citations_delta') return;
  const { citation } = event.delta;
  if (citation.type === 'search_result_location') listener.citation(citation);
}

/** Adds what has come of the message to the turn; citations are in the search results. */
function finish(turn: ModelTurn, message: GrowingMessage): void {
  turn.stopReason = message.stopReason;
  for (const block of message.blocks()) {
    if (block.type === 'tool_use') {
      const use = { id: String(block.id), name: String(block.name), input: parseInput(block.json) };
      turn.content.push({ type: 'tool_use', ...use });
      turn.toolUses.push(use);
    } else if (block.type === 'text') {
      if (block.text.trim() !== '') turn.content.push({ type: 'text', text: block.text });
    } else {
      // Thoughts go back as they came, with their signature: the model refuses a tool's result
      // without them.
      const { isWhole: _, ...thought } = block;
      turn.content.push(thought);
    }
  }
}

/** Malformed input becomes an empty object: the tool's own check then corrects the model. */
function parseInput(json: string): unknown {
  try {
    return JSON.parse(json || '{}');
  } catch {
    return {};
  }
}

export function emptyTurn(): ModelTurn {
  return { content: [], toolUses: [], stopReason: null, message: new GrowingMessage() };
}
