import { randomUUID } from 'node:crypto';

/** Tokens of one call, the four ways in which they are billed. */
export interface TokenUsage {
  /** Read at full price: neither written to the cache nor read from it. */
  input: number;
  cacheWrite: number;
  cacheRead: number;
  output: number;
}

export interface CacheControl {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
}

/** A content block of a request; only the members that we read are named. */
export interface RequestBlock {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  is_error?: boolean;
  content?: string | RequestBlock[];
  source?: unknown;
  title?: string;
  cache_control?: CacheControl | null;
}

export interface RequestMessage {
  role: 'user' | 'assistant';
  content: string | RequestBlock[];
}

/** The body of `POST /v1/messages`. */
export interface MessagesRequest {
  model: string;
  max_tokens: number;
  messages: RequestMessage[];
  system?: string | RequestBlock[];
  tools?: { name: string; type?: string; cache_control?: CacheControl | null }[];
  stream?: boolean;
  cache_control?: CacheControl | null;
}

export interface SearchResultCitation {
  type: 'search_result_location';
  cited_text: string;
  /** Position among all search results of the request, from 0. */
  search_result_index: number;
  start_block_index: number;
  end_block_index: number;
  source: string;
  title: string | null;
}

/** `rawInput` is sent as it is in place of `input`: a stream whose JSON is broken. */
export type AnswerBlock =
  | { type: 'text'; text: string; citations?: SearchResultCitation[] }
  | { type: 'tool_use'; id: string; name: string; input: unknown; rawInput?: string };

export type StopReason =
  'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'pause_turn' | 'refusal';

export interface Answer {
  model: string;
  content: AnswerBlock[];
  stopReason: StopReason;
  usage: TokenUsage;
}

export interface StreamEvent {
  type: string;
  [member: string]: unknown;
}

/** Error types of the API and the status each comes with. */
export const ERROR_STATUS = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
} as const;
export type ErrorType = keyof typeof ERROR_STATUS;

/** An id in the API's form, such as `msg_3f0c…`. */
export function newId(prefix: 'msg' | 'toolu' | 'req'): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/** The whole answer, as a request without `stream` gets it. */
export function encodeMessage(answer: Answer, id = newId('msg')): Record<string, unknown> {
  return {
    ...envelope(answer, id),
    content: answer.content.map(block =>
      block.type === 'text'
        ? { type: 'text', text: block.text, citations: block.citations ?? null }
        : { type: 'tool_use', id: block.id, name: block.name, input: block.input },
    ),
    stop_reason: answer.stopReason,
    usage: usageMembers(answer.usage),
  };
}

/** The same answer as the events of a stream, text in small deltas. */
export function encodeEvents(answer: Answer, id = newId('msg')): StreamEvent[] {
  const started = { ...answer.usage, output: answer.usage.output > 0 ? 1 : 0 };
  const events: StreamEvent[] = [
    {
      type: 'message_start',
      message: {
        ...envelope(answer, id),
        content: [],
        stop_reason: null,
        usage: usageMembers(started),
      },
    },
  ];
  answer.content.forEach((block, index) => {
    events.push({ type: 'content_block_start', index, content_block: emptyBlock(block) });
    if (index === 0) events.push({ type: 'ping' });
    for (const delta of deltas(block)) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
  });
  events.push(
    {
      type: 'message_delta',
      delta: { stop_reason: answer.stopReason, stop_sequence: null },
      usage: usageMembers(answer.usage),
    },
    { type: 'message_stop' },
  );
  return events;
}

/** One event in the `text/event-stream` form. */
export function encodeServerSentEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** An error's body; the same object is the data of an `error` event inside a stream. */
export function encodeError(type: ErrorType, message: string, requestId: string): StreamEvent {
  return { type: 'error', error: { type, message }, request_id: requestId };
}

/** Content as blocks; a plain string is one text block. */
export function blocksOf(content: string | RequestBlock[] | undefined): RequestBlock[] {
  if (content === undefined || content === '') return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function envelope(answer: Answer, id: string): Record<string, unknown> {
  return { id, type: 'message', role: 'assistant', model: answer.model, stop_sequence: null };
}

function usageMembers(usage: TokenUsage): Record<string, unknown> {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
    service_tier: 'standard',
  };
}

function emptyBlock(block: AnswerBlock): Record<string, unknown> {
  if (block.type === 'tool_use')
    return { type: 'tool_use', id: block.id, name: block.name, input: {} };
  return { type: 'text', text: '', ...(block.citations ? { citations: [] } : {}) };
}

function deltas(block: AnswerBlock): Record<string, unknown>[] {
  if (block.type === 'tool_use') {
    const json = (block.rawInput ?? JSON.stringify(block.input)).match(INPUT_PIECE) ?? [];
    return json.map(partial_json => ({ type: 'input_json_delta', partial_json }));
  }
  return [
    ...pieces(block.text).map(text => ({ type: 'text_delta', text })),
    ...(block.citations ?? []).map(citation => ({ type: 'citations_delta', citation })),
  ];
}

/** The SDK parses all input again with each delta: small pieces would cost seconds. */
const INPUT_PIECE = /[\s\S]{1,2000}(?![\uDC00-\uDFFF])/g;

/** A few words at a time; code points stay whole. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,16}(?:[^\s\uDC00-\uDFFF]{0,12}\s)?(?![\uDC00-\uDFFF])/g) ?? [];
}
