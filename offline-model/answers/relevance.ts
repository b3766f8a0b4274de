import { formOf, HOW_MUCH, WANTS_CODE } from './question-form.ts';
import { names, spoken, stem, tokens, WORD } from '../words.ts';

/**
 * Whether passages hold the answer to a question, and which. All that can be tuned is in `TUNING`;
 * `test/offline-model/answers.test.ts` measures it on questions about our own docs.
 */
export const TUNING = {
  /** Share of the question's weight that one passage, with its titles, must hold. */
  inPassage: 0.6,
  /**
   * Share that all passages together must hold: a word that no result knows is what the docs do not
   * cover.
   */
  inResults: 0.8,
  /**
   * Weight of words that questions are made of and answers often lack (`way`, `possible`,
   * `support`).
   */
  vagueWeight: 0.3,
  /** Weight of names and numbers: an answer about another name is none. */
  nameWeight: 1.6,
  /** A word that only the title of the passage's page has counts this much. */
  titleShare: 0.8,
  /** Share of the question's weight that the best sentence, row or code must hold. */
  inUnit: 0.41,
  /** What a word loses there that every passage has: it does not tell one part from another. */
  commonLoss: 0.6,
  /** What a word counts there that only the section's heading has, or only the page's title. */
  aboveHeading: 0.6,
  aboveTitle: 0.3,
  /** What a passage loses for each search result that stands before its own. */
  laterResult: 0.12,
  /** Share at which a heading asks what the question asks. */
  sameQuestion: 0.7,
  /** A passage is looked at that holds this share of what the best one holds. */
  nearBest: 0.75,
  /** Weight of the words of the question before, where the last one leans on it. */
  beforeShare: 0.5,
};

const VAGUE = new Set(
  (
    'use used using user users work works working way ways thing things possible able ' +
    'support supported supports mean means happen happens different difference explain ' +
    'describe show example examples case kind type types sort help page pages doc docs ' +
    'documentation best good new one two first last time long set setting settings option ' +
    'options handle default provide available allow allows exactly actually find look ' +
    'change create add run start need'
  )
    .split(' ')
    .map(stem),
);

export interface Passage {
  title: string;
  heading: string;
  text: string;
  /** Position of the search result in the request, and of the text block in it. */
  result: number;
  block: number;
  source: string;
}

/** What is looked for in the parts of a passage. */
export interface Asked {
  /** The question's words; those that every passage has weigh less. */
  weights: Map<string, number>;
  /** Whether code may be the answer, rather than an example of something else. */
  wantsCode: boolean;
  /** What a text must have to answer: a number, a date, people. */
  form: RegExp;
}

/** Where the last question leans on the one before, that is `before`; else ''. */
export interface Questions {
  own: string;
  before: string;
}

/**
 * Weighs the question's words, looks for them in each passage and its titles, and says which
 * passages may hold the answer.
 */
export function judge(
  { own, before }: Questions,
  passages: Passage[],
): { passages: Passage[]; answered: boolean; asked: Asked } {
  const weights = new Map([
    ...[...weigh(before)].map(([word, weight]) => [word, weight * TUNING.beforeShare] as const),
    ...weigh(own),
  ]);
  const total = sum(weights.values());
  const held = passages.map(passage => ({
    text: new Set(tokens(passage.text)),
    title: new Set(tokens(`${passage.title} ${passage.heading}`)),
  }));
  const scored = passages.map((passage, index) => ({
    passage,
    coverage: coverage(held[index], weights) / total || 0,
  }));
  const best = Math.max(0, ...scored.map(one => one.coverage));
  const together = sum(
    [...weights]
      .filter(([word]) =>
        held.some(({ text, title }) => has(text, word, weights) || has(title, word, weights)),
      )
      .map(([, weight]) => weight),
  );
  const known = spoken(passages);
  return {
    passages: scored
      .filter(one => one.coverage >= best * TUNING.nearBest)
      .map(({ passage }) => passage),
    answered:
      total > 0 &&
      names(`${before} ${own}`.trim()).every(name => known.has(name)) &&
      best >= TUNING.inPassage &&
      together / total >= TUNING.inResults,
    asked: {
      weights: withoutCommon(
        weights,
        held.map(({ text }) => text),
      ),
      wantsCode: WANTS_CODE.test(own),
      form: formOf(own),
    },
  };
}

/**
 * Share of the question that the heading of a passage asks by itself, or its page's title where it
 * has none.
 */
export function askedAbove({ heading, title }: Passage, { weights, form }: Asked): number {
  const above = heading || title;
  const words = new Set(tokens(above));
  return formOf(above) === form
    ? sum([...weights].map(([word, weight]) => (has(words, word, weights) ? weight : 0))) /
        sum(weights.values())
    : 0;
}

/**
 * Share of the question that some words hold, with the heading and the title that they stand under.
 */
export function shareHeld(
  words: string[],
  passage: Passage | undefined,
  { weights }: Asked,
): number {
  const here = new Set(words);
  const heading = new Set(tokens(passage?.heading ?? ''));
  const title = new Set(tokens(passage?.title ?? ''));
  const held = [...weights].map(
    ([word, weight]) =>
      weight *
      (has(here, word, weights)
        ? 1
        : has(heading, word, weights)
          ? TUNING.aboveHeading
          : has(title, word, weights)
            ? TUNING.aboveTitle
            : 0),
  );
  return sum(held) / sum(weights.values());
}

/** Weight of the words that a text, or the titles above it, has. */
function coverage(held: Held | undefined, weights: Map<string, number>): number {
  const shares = [...weights].map(([word, weight]) => {
    if (has(held?.text, word, weights)) return weight;
    return has(held?.title, word, weights) ? weight * TUNING.titleShare : 0;
  });
  return sum(shares);
}

/** The words of a passage. */
interface Held {
  text: Set<string>;
  title: Set<string>;
}

/** What every passage has does not tell one part from another. */
function withoutCommon(weights: Map<string, number>, held: Set<string>[]): Map<string, number> {
  return new Map(
    [...weights].map(([word, weight]) => {
      const share = held.filter(text => has(text, word, weights)).length / held.length;
      return [word, weight * (1 - TUNING.commonLoss * share)];
    }),
  );
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

const EMPTY = new Set(
  'work works thing things help explain show describe mean happen happens way ways possible use'
    .split(' ')
    .map(stem),
);

/** A question such as "How does it work?", which any page would answer. */
export function isVague(question: string): boolean {
  const words = tokens(question);
  return words.length > 0 && words.every(word => EMPTY.has(word));
}

function weigh(question: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const raw of question.replace(HOW_MUCH, '').match(WORD) ?? []) {
    const name = /[A-Z].*[A-Z]|[a-z][A-Z]|\d|[_/.-]\w/.test(raw);
    for (const word of tokens(raw))
      weights.set(
        word,
        Math.max(
          weights.get(word) ?? 0,
          name ? TUNING.nameWeight : VAGUE.has(word) ? TUNING.vagueWeight : 1,
        ),
      );
  }
  return weights;
}

/**
 * The word, or one that begins as it does: `install` and `installation`. To undo is to un-do:
 * `unlink` is to undo a link.
 */
function has(words: Set<string> | undefined, word: string, weights: Map<string, number>): boolean {
  if (!words) return false;
  if (
    words.has(word) ||
    (word === 'undo' && [...weights.keys()].some(other => words.has(`un${other}`)))
  )
    return true;
  if (word.length < 5) return false;
  for (const other of words) {
    const shorter = other.length < word.length ? other : word;
    const longer = shorter === other ? word : other;
    if (shorter.length >= 5 && longer.length - shorter.length <= 5 && longer.startsWith(shorter))
      return true;
  }
  return false;
}
