import type { AnswerEvent, Source } from './client.ts';

/** A question and what came of it. */
export interface Turn {
  question: string;
  answer: string;
  sources: Source[];
  /** Addresses of the pages that were found, by path. */
  pages: Record<string, string>;
  /** Of its thread: a later turn may begin another one. */
  threadId: string;
  messageId: string;
  /** The page's selected text, which it is about. */
  selection: string | undefined;
  state: 'waiting' | 'answered' | 'stopped' | 'failed';
  vote: boolean | null;
}

export interface Conversation {
  threadId: string | undefined;
  turns: Turn[];
}

const MAX_STORED = 200_000;

export function newTurn(question: string, selection: string | undefined): Turn {
  return {
    ...{ question, selection, answer: '', sources: [], pages: {}, threadId: '', messageId: '' },
    ...{ state: 'waiting', vote: null },
  };
}

/** Notes an event of an answer; returns the text that it adds. */
export function note(conversation: Conversation, turn: Turn, event: AnswerEvent): string {
  if (event.type === 'start') {
    turn.messageId = event.messageId;
    turn.threadId = conversation.threadId = event.messageMetadata.threadId;
  }
  if (event.type === 'tool-output-available')
    for (const { path, url } of event.output.results) turn.pages[path] = url;
  if (event.type === 'source-url') turn.sources.push({ url: event.url, title: event.title });
  // A text after a search is a paragraph of its own.
  const added =
    event.type === 'text-delta'
      ? event.delta
      : event.type === 'text-start' && turn.answer !== ''
        ? '\n\n'
        : '';
  turn.answer += added;
  return added;
}

/**
 * The conversation of this tab. Nothing is stored before the first question; it is kept so that a
 * source can be opened without losing the answer.
 */
export function readConversation(name: string): Conversation {
  try {
    const { threadId, turns } = JSON.parse(sessionStorage.getItem(name) ?? '{}') as Conversation;
    if (Array.isArray(turns)) return { threadId, turns: turns.map(ended) };
  } catch {
    // Blocked, or not ours: a new one.
  }
  return { threadId: undefined, turns: [] };
}

/** The page was left while it was being answered. */
function ended(turn: Turn): Turn {
  return turn.state === 'waiting' ? { ...turn, state: 'stopped' } : turn;
}

/** Whether the reader has agreed that questions are sent; for every tab, until they clear it. */
export function hasAgreed(name: string): boolean {
  try {
    return localStorage.getItem(`${name}:consent`) === '1';
  } catch {
    return false;
  }
}

export function storeAgreement(name: string): void {
  try {
    localStorage.setItem(`${name}:consent`, '1');
  } catch {
    // Blocked: it lasts as long as the page.
  }
}

export function storeConversation(name: string, conversation: Conversation): void {
  const stored = JSON.stringify(conversation);
  try {
    if (conversation.turns.length === 0) sessionStorage.removeItem(name);
    else if (stored.length <= MAX_STORED) sessionStorage.setItem(name, stored);
  } catch {
    // Blocked: it lasts as long as the page.
  }
}
