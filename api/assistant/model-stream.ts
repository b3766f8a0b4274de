import type Anthropic from '@anthropic-ai/sdk';
import type { Usage } from '../../shared/models.ts';

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'citation'; citation: Anthropic.CitationsSearchResultLocation };

export interface ModelTurn {
  /** What goes back to the model as its own turn when it asked for a tool. */
  content: Anthropic.ContentBlockParam[];
  toolUses: { id: string; name: string; input: unknown }[];
  stopReason: Anthropic.StopReason | null;
  model: string;
  usage: Usage;
}

/** The model's stream ended before its message did. */
export class CutStreamError extends Error {
  override readonly name = 'CutStreamError';
}

/**
 * One model call: yields text and citations as they come, returns the whole turn. Reads the connection only as fast
 * as it is asked to (the SDK's own accumulator would read ahead without bound), so a slow reader slows the model.
 * `turn` is filled as events arrive, so that what was used is known also when the call is cut.
 */
export async function* streamModel(
  client: Anthropic, request: Anthropic.MessageCreateParamsNonStreaming, turn: ModelTurn, signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const stream = await client.messages.create({ ...request, stream: true }, { signal });
  const json = new Map<number, string>();
  let ended = false;
  for await (const event of stream) {
    if (event.type === 'message_start') {
      turn.model = event.message.model;
      countUsage(turn.usage, event.message.usage);
    } else if (event.type === 'content_block_start') {
      startBlock(turn, event.index, event.content_block);
    } else if (event.type === 'content_block_delta') {
      const block = turn.content[event.index];
      if (event.delta.type === 'text_delta' && block?.type === 'text') {
        block.text += event.delta.text;
        yield { type: 'text', text: event.delta.text };
      } else if (event.delta.type === 'citations_delta' && event.delta.citation.type === 'search_result_location') {
        yield { type: 'citation', citation: event.delta.citation };
      } else if (event.delta.type === 'input_json_delta') {
        json.set(event.index, (json.get(event.index) ?? '') + event.delta.partial_json);
      }
    } else if (event.type === 'message_delta') {
      turn.stopReason = event.delta.stop_reason;
      countUsage(turn.usage, event.usage);
    } else if (event.type === 'message_stop') {
      ended = true;
    }
  }
  if (!ended) throw new CutStreamError('The model’s stream ended before its message did.');
  finishToolUses(turn, json);
}

export function emptyTurn(model: string): ModelTurn {
  return { content: [], toolUses: [], stopReason: null, model, usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 } };
}

function startBlock(turn: ModelTurn, index: number, block: Anthropic.ContentBlock): void {
  // Citations are left out of what goes back: their text is in the results that go back too.
  if (block.type === 'text') turn.content[index] = { type: 'text', text: block.text };
  else if (block.type === 'tool_use') turn.content[index] = { type: 'tool_use', id: block.id, name: block.name, input: {} };
}

function finishToolUses(turn: ModelTurn, json: ReadonlyMap<number, string>): void {
  for (const [index, block] of turn.content.entries()) {
    if (block?.type !== 'tool_use') continue;
    block.input = parseInput(json.get(index));
    turn.toolUses.push({ id: block.id, name: block.name, input: block.input });
  }
  turn.content = turn.content.filter(block => block !== undefined && (block.type !== 'text' || block.text.trim() !== ''));
}

/** Malformed input becomes an empty one: the tool's own check then tells the model what it takes. */
function parseInput(json = ''): unknown {
  try {
    return JSON.parse(json || '{}');
  } catch {
    return {};
  }
}

function countUsage(total: Usage, usage: { input_tokens?: number | null; output_tokens?: number | null; cache_read_input_tokens?: number | null; cache_creation_input_tokens?: number | null }): void {
  // Later events repeat the running totals; they never add.
  total.inputTokens = usage.input_tokens ?? total.inputTokens;
  total.outputTokens = usage.output_tokens ?? total.outputTokens;
  total.cacheReadTokens = usage.cache_read_input_tokens ?? total.cacheReadTokens;
  total.cacheWriteTokens = usage.cache_creation_input_tokens ?? total.cacheWriteTokens;
}
