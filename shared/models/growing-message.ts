import type Anthropic from '@anthropic-ai/sdk';
import { GrowingText } from './growing-text.ts';
import { type ReportedUsage } from './reported-usage.ts';

export type StreamEvent =
  Anthropic.Beta.BetaRawMessageStreamEvent | Anthropic.RawMessageStreamEvent;

/** A block of a message as it came in. `isWhole`: the server has ended it. */
export type GrownBlock = { isWhole: boolean } & (
  | { type: 'text'; text: string }
  /** `json`: what came of its input; `given`: the input that some servers send at its start. */
  | { type: 'tool_use'; id: unknown; name: unknown; json: string; given: unknown }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
);

interface Growing {
  start: Anthropic.ContentBlock | Anthropic.Beta.BetaContentBlock;
  text: GrowingText;
  signature: string;
  isWhole: boolean;
}

/**
 * A message of the model that grows by the events of its stream. It judges nothing and never
 * throws: servers leave out events and members that the API always has.
 */
export class GrowingMessage {
  /** Null until the server names it, and if it never does. */
  stopReason: string | null = null;
  model: string | undefined;
  readonly usage: ReportedUsage = {};
  /** `message_stop` has come. */
  isEnded = false;
  /** Of text, thoughts and input so far; a token has about four. */
  characters = 0;
  readonly #blocks = new Map<number, Growing>();

  /** Takes the next event; returns the text that it brought for readers. */
  take(event: StreamEvent): string {
    switch (event.type) {
      case 'message_start':
        this.model = event.message?.model ?? this.model;
        this.#count(event.message?.usage);
        return '';
      case 'message_delta':
        this.stopReason = event.delta?.stop_reason ?? this.stopReason;
        this.#count(event.usage);
        return '';
      case 'message_stop':
        this.isEnded = true;
        return '';
      case 'content_block_start':
        return this.#begin(event.index, event.content_block);
      case 'content_block_stop':
        this.#end(event.index);
        return '';
      case 'content_block_delta':
        return this.#grow(event.index, event.delta);
      default:
        return '';
    }
  }

  /** In the order of the message. */
  blocks(): GrownBlock[] {
    const inOrder = [...this.#blocks].toSorted(([a], [b]) => a - b);
    return inOrder.flatMap(([, block]) => grown(block) ?? []);
  }

  /** Running totals: later events repeat them, and never add. */
  #count(reported: ReportedUsage | null | undefined): void {
    for (const [name, tokens] of Object.entries(reported ?? {}))
      if (tokens !== null && COUNTED.has(name)) this.usage[name as keyof ReportedUsage] = tokens;
  }

  #begin(index: number, start: Growing['start']): string {
    const text = new GrowingText();
    const signature = start.type === 'thinking' ? (start.signature ?? '') : '';
    this.#blocks.set(index, { start, text, signature, isWhole: false });
    if (start.type === 'thinking') text.add(start.thinking ?? '');
    if (start.type !== 'text') return '';
    text.add(start.text ?? '');
    return start.text ?? '';
  }

  #end(index: number): void {
    const block = this.#blocks.get(index);
    if (block) block.isWhole = true;
  }

  #grow(index: number, delta: { type: string } & Partial<Record<Growth, unknown>>): string {
    const block = this.#blocks.get(index);
    if (!block) return '';
    if (delta.type === 'signature_delta') block.signature = String(delta.signature);
    const piece = delta.text ?? delta.partial_json ?? delta.thinking;
    if (typeof piece !== 'string') return '';
    block.text.add(piece);
    this.characters += piece.length;
    return delta.type === 'text_delta' ? piece : '';
  }
}

type Growth = 'text' | 'partial_json' | 'thinking' | 'signature';

const COUNTED = new Set<string>([
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
]);

/** Undefined for kinds of block that nobody asks for. */
function grown({ start, text, signature, isWhole }: Growing): GrownBlock | undefined {
  switch (start.type) {
    case 'text':
      return { type: 'text', text: text.toString(), isWhole };
    case 'tool_use':
      return {
        type: 'tool_use',
        id: start.id,
        name: start.name,
        json: text.toString(),
        given: start.input,
        isWhole,
      };
    case 'thinking':
      return { type: 'thinking', thinking: text.toString(), signature, isWhole };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: start.data, isWhole };
    default:
      return undefined;
  }
}
