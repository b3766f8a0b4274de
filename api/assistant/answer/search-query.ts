import type { ThreadMessage } from '../../../db/assistant/threads.ts';

const MAX_QUERY = 1_000;
const MAX_SELECTION = 300;

/** Words that refer to what was said before. */
const POINTING = new RegExp(
  '\\b(it|its|that|this|these|those|them|they|there|one|ones|same|instead|else|other|another' +
    '|again|then|former|latter|above)\\b',
  'i',
);
/** Beginnings of a question that continues the conversation. */
const LEANING =
  /^\W*(and|or|but|so|also|what about|how about|why|why not|what if|ok(ay)?|then|for)\b/i;
const FEW_WORDS = 4;

/**
 * The query for the first search: the question, and if it depends on what came before ("and how do
 * I undo that?") also the questions before it, or what the reader has selected.
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
