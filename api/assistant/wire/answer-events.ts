/** One page found, as the stream and the search endpoint show it. */
export interface ShownResult {
  path: string;
  url: string;
  content: string;
  metadata: { title: string };
}

/** A section that the answer cites. `url` is absolute if the site's address is known. */
export interface Source {
  id: string;
  url: string;
  title: string;
}

/** Tokens of all model calls of one answer. */
export interface AnswerUsage {
  inputTokens: number;
  outputTokens: number;
}

export type FinishReason = 'stop' | 'length' | 'error';

/**
 * The events of an answer, in the order in which they happen; both wire formats are functions of
 * them. A search is one step (`search`, then `found`), text is another (`text-start`, `text`…,
 * `text-end`, `step-end`): a hook that finds a tool call in the last step sends it back without
 * end. `error` comes when no step is open, and `finish` follows it.
 */
export type AnswerEvent =
  | { type: 'start'; messageId: string; threadId: string }
  | { type: 'search'; callId: string; messageId: string; query: string }
  | { type: 'found'; callId: string; results: ShownResult[] }
  | { type: 'text-start'; id: string; messageId: string }
  | { type: 'text'; id: string; text: string }
  | { type: 'text-end'; id: string }
  | { type: 'step-end'; sources: Source[]; last: boolean }
  | { type: 'error'; sentence: string }
  | {
      type: 'finish';
      threadId: string;
      sources: Source[];
      usage: AnswerUsage;
      reason: FinishReason;
    };

/**
 * A wire format: its headers, the frame of one event ('' if it has none), and what keeps a
 * silent stream open.
 */
export interface Encoding {
  headers: Record<string, string>;
  encode(event: AnswerEvent): string;
  keepAlive: string;
}
