import { fieldProblem } from '../../../shared/errors.ts';
import type { StoredMessage, ThreadMessage } from '../../../db/assistant/threads.ts';
import { MAX_TEXT, type MessageBody } from '../message-body.ts';

/**
 * A request's messages as plain text. Messages without text are dropped; every role but the
 * assistant's is the reader's (also `system`: the key is public), and the last one is the question.
 * Throws 400 if there is none.
 */
export function messagesOf(body: MessageBody): ThreadMessage[] {
  const messages = body.messages.map((message, i) => ({
    id: message.id ?? null,
    role: message.role === 'assistant' ? ('assistant' as const) : ('user' as const),
    text: textOf(message, `messages[${i}]`),
  }));
  const spoken = messages.filter(({ text }) => text.trim() !== '');
  const last = spoken.findLastIndex(({ role }) => role === 'user');
  if (last === -1) throw fieldProblem('messages', 'must contain a user message with text');
  if (spoken[last]!.text.length > MAX_TEXT)
    throw fieldProblem(
      'messages',
      `must contain at most ${MAX_TEXT} characters of text in the last message`,
    );
  return spoken.slice(0, last + 1);
}

function textOf(message: MessageBody['messages'][number], path: string): string {
  const content = 'content' in message ? message.content : undefined;
  if (message.parts === undefined && content === undefined)
    throw fieldProblem(path, 'must have parts or content');
  const text = (message.parts ?? [])
    .flatMap(part => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('');
  return text || (content ?? ''); // clients that send both repeat the text of the parts in content
}

export interface MergedThread {
  /** The conversation, the question last. */
  messages: ThreadMessage[];
  /** Those of them that the thread lacks. */
  added: ThreadMessage[];
  /** `seq` of the last stored message that stays. */
  keepUntil: number;
}

/**
 * Merges a thread with the messages of a request. The first stored message that the request repeats
 * is where the request takes over, so an edited or regenerated question replaces what followed it.
 * A request that repeats none continues at the thread's end. A single message is the next one, even
 * under a known id (clients number badly), unless it is the last question again or `editedId`, the
 * message that the chat SDK says was edited.
 */
export function mergeThread(
  stored: readonly StoredMessage[],
  request: readonly ThreadMessage[],
  editedId?: unknown,
): MergedThread {
  const [only] = request;
  const lastQuestion = stored.findLast(message => message.role === 'user');
  const isAgain =
    only !== undefined &&
    lastQuestion !== undefined &&
    sameMessage(lastQuestion, only) &&
    lastQuestion.text === only.text;
  const isNext = request.length === 1 && only?.id !== editedId && !isAgain;
  const from = isNext
    ? -1
    : stored.findIndex(message => request.some(other => sameMessage(message, other)));
  const kept = from === -1 ? [...stored] : stored.slice(0, from);
  return {
    messages: [...kept, ...request],
    added: request.map(message => withSources(message, stored)),
    keepUntil: kept.at(-1)?.seq ?? 0,
  };
}

/** An answer that a hook sends back lacks its sources; the thread has them. */
function withSources(message: ThreadMessage, stored: readonly StoredMessage[]): ThreadMessage {
  const known = stored.find(
    other => other.sources.length > 0 && sameMessage(other, message) && other.text === message.text,
  );
  return known ? { ...message, sources: known.sources } : message;
}

function sameMessage(a: ThreadMessage, b: ThreadMessage): boolean {
  return a.id !== null && b.id !== null ? a.id === b.id : a.role === b.role && a.text === b.text;
}
