import { Problem } from '../../../shared/errors.ts';
import type { StoredMessage, ThreadMessage } from '../../../shared/db/assistant/threads.ts';
import { MAX_TEXT, type MessageBody } from '../../../shared/assistant/message-body.ts';

const MAX_QUERY = 1_000;
const MAX_SELECTION = 300;

/**
 * What a request says, as plain text: messages without text are dropped, whatever is not the
 * assistant's is the reader's (also `system`: the key is public), and the last one is the question.
 * Throws the 400 where there is none.
 */
export function messagesOf(body: MessageBody): ThreadMessage[] {
  const messages: ThreadMessage[] = [];
  for (const [i, message] of body.messages.entries()) {
    const content = 'content' in message ? message.content : undefined;
    if (message.parts === undefined && content === undefined) {
      const path = `messages[${i}]`;
      const takes = 'must have parts or content';
      throw new Problem('invalid_request', `${path} ${takes}.`, {
        errors: [{ path, message: takes }],
      });
    }
    // Clients that send both repeat the text of the parts in content.
    const text =
      (message.parts ?? [])
        .flatMap(part => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
        .join('') ||
      (content ?? '');
    if (text.trim() === '') continue;
    messages.push({
      id: message.id ?? null,
      role: message.role === 'assistant' ? 'assistant' : 'user',
      text,
    });
  }
  const last = messages.findLastIndex(message => message.role === 'user');
  if (last === -1) {
    const takes = 'must hold a message of the user with text';
    throw new Problem('invalid_request', `messages ${takes}.`, {
      errors: [{ path: 'messages', message: takes }],
    });
  }
  if (messages[last]!.text.length > MAX_TEXT) {
    const takes = `must hold at most ${MAX_TEXT} characters of text in its last message`;
    throw new Problem('invalid_request', `messages ${takes}.`, {
      errors: [{ path: 'messages', message: takes }],
    });
  }
  return messages.slice(0, last + 1);
}

export interface Merged {
  /** The conversation, the question last. */
  messages: ThreadMessage[];
  /** Those of them that the thread lacks. */
  added: ThreadMessage[];
  /** `seq` of the last stored message that stays. */
  keepUntil: number;
}

/**
 * A thread and what a request brings, as one conversation. Where the request repeats stored
 * messages, the first repeated one is where it takes over (so an edited or regenerated question
 * replaces what followed it); where it repeats none, it goes on from the thread's end. A lone
 * message is the next one, also under a known id (clients number badly), unless it is the last
 * question again or `editedId`, the message that the chat SDK says was edited.
 */
export function mergeThread(
  stored: readonly StoredMessage[],
  request: readonly ThreadMessage[],
  editedId?: unknown,
): Merged {
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

/** An answer that a hook sends back has lost what it cited; the thread has not. */
function withSources(message: ThreadMessage, stored: readonly StoredMessage[]): ThreadMessage {
  const known = stored.find(
    other => other.sources.length > 0 && sameMessage(other, message) && other.text === message.text,
  );
  return known ? { ...message, sources: known.sources } : message;
}

function sameMessage(a: ThreadMessage, b: ThreadMessage): boolean {
  return a.id !== null && b.id !== null ? a.id === b.id : a.role === b.role && a.text === b.text;
}

// Words that point back, and beginnings that lean on what was said.
const POINTING =
  /\b(it|its|that|this|these|those|them|they|there|one|ones|same|instead|else|other|another|again|then|former|latter|above)\b/i;
const LEANING =
  /^\W*(and|or|but|so|also|what about|how about|why|why not|what if|ok(ay)?|then|for)\b/i;
const FEW_WORDS = 4;

/**
 * What to search for: the question, and where it leans on what came before ("and how do I undo
 * that?") the questions before it too, or what the reader has selected.
 */
export function searchQuery(
  messages: readonly ThreadMessage[],
  selections: readonly string[] = [],
): string {
  const questions = messages
    .filter(message => message.role === 'user')
    .map(message => message.text);
  const question = questions.at(-1) ?? '';
  const words = question.split(/\s+/).filter(Boolean).length;
  const leans =
    words <= FEW_WORDS || LEANING.test(question) || (POINTING.test(question) && words <= 20);
  const before = leans
    ? [
        ...selections.map(text => text.slice(0, MAX_SELECTION)),
        ...questions.slice(-3, -1).reverse(),
      ]
    : [];
  return [question, ...before].join(' ').replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY);
}
