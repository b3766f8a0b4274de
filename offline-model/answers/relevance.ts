import { isNamed, names, stem, tokens, WORD } from './words.ts';

/**
 * Whether passages hold the answer to a question, and which. All that can be tuned is in `TUNING`;
 * `test/offline-model/answers.test.ts` measures it on questions about our own docs.
 */
export const TUNING = {
  /** Share of the question's weight that one passage, with its titles, must hold. */
  inPassage: 0.7,
  /** The same of all passages: a word that none of them knows is what the docs do not cover. */
  inResults: 0.8,
  /** Weight of words that answers often lack, and of names: an answer about another is none. */
  vagueWeight: 0.3,
  nameWeight: 1.6,
  /** Share of the question's weight that the best sentence, row or code must hold. */
  inUnit: 0.39,
  /** What a word counts there that only the section's heading has, or only the page's title. */
  aboveHeading: 0.6,
  aboveTitle: 0.3,
  /** What a passage loses for each search result that stands before its own. */
  laterResult: 0.12,
  /** A passage is looked at that holds this share of what the best one holds. */
  nearBest: 0.75,
  /** Weight of the words of the question before, where the last one leans on it. */
  beforeShare: 0.5,
};

const VAGUE = new Set(
  (
    'use used using user work way thing possible able support mean happen different difference ' +
    'explain describe show example case kind type sort help page doc documentation best good ' +
    'new one two first last time long set setting option handle default provide available ' +
    'allow exactly actually find look change create add run start need'
  )
    .split(' ')
    .map(stem),
);
/** Stems; a question of nothing else is about any page. */
const EMPTY = /^(?:work|thing|help|explain|show|describ|mean|happen|way|possibl|use)$/;
const WANTS_CODE =
  /^\W*(?:and\s+)?how (?:do|can|should|to)\b|\b(?:command|code|curl|example|snippet|syntax)\b/i;

const PEOPLE =
  /\b(?:anyone|everyone|nobody|people|you|teams?|owners?|members?|admins?|operators?|readers?|users?)\b/i;
const NUMBER =
  /(?<![\w.-])\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|half|none|no limit|all|any)\b/i;
const DATE =
  /\b(?:19|20)\d\d\b|\b(?:Jan|Febr)uary|March|April|\bMay\b|June|July|August|(?:Sept|Nov|Dec)ember|October/;
/** What a question asks for by its first words, and what a text must have to answer it. */
const FORMS: readonly [asks: RegExp, has: RegExp][] = [
  [/^\W*who\b/i, PEOPLE],
  [/^\W*how (?:many|much|long|often|old|big|large|small|fast|far|high)\b/i, NUMBER],
  [/^\W*(?:when (?:was|were|did)|(?:what|which) (?:year|date))\b/i, DATE],
];

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
  weights: Map<string, number>;
  /** Whether code may be the answer, rather than an example of something else. */
  wantsCode: boolean;
  /** What a text must have to answer. */
  form: RegExp | undefined;
}

/** Weighs the question's words: `before` is the question before, if the last one leans on it. */
export function weighQuestion(own: string, before: string): Asked {
  const earlier = [...weigh(before)].map(
    ([word, weight]) => [word, weight * TUNING.beforeShare] as const,
  );
  return {
    weights: new Map([...earlier, ...weigh(own)]),
    wantsCode: WANTS_CODE.test(own),
    form: FORMS.find(([asks]) => asks.test(own))?.[1],
  };
}

/** The passages that may hold the answer; none if they do not hold enough of the question. */
export function answering(question: string, { weights }: Asked, passages: Passage[]): Passage[] {
  const whole = ({ title, heading, text }: Passage) => `${title}\n${heading}\n${text}`;
  const held = passages.map(passage => share(new Set(tokens(whole(passage))), weights));
  const all = passages.map(whole).join('\n');
  const best = Math.max(0, ...held);
  return best >= TUNING.inPassage &&
    share(new Set(tokens(all)), weights) >= TUNING.inResults &&
    names(question).every(name => isNamed(name, all))
    ? passages.filter((_, index) => (held[index] ?? 0) >= best * TUNING.nearBest)
    : [];
}

/** Share of the question that some words hold, with what stands above them. */
export function shareHeld(words: string[], passage: Passage, { weights }: Asked): number {
  const { aboveHeading, aboveTitle } = TUNING;
  const [here, heading, title] = [words, tokens(passage.heading), tokens(passage.title)].map(
    some => new Set(some),
  );
  const counted = [...weights].map(([word, weight]) => {
    if (has(here, word)) return weight;
    return weight * (has(heading, word) ? aboveHeading : has(title, word) ? aboveTitle : 0);
  });
  return sum(counted) / sum(weights.values()) || 0;
}

function share(words: Set<string>, weights: Map<string, number>): number {
  const held = [...weights].filter(([word]) => has(words, word)).map(([, weight]) => weight);
  return sum(held) / sum(weights.values()) || 0;
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

/** A question such as "How does it work?", which any page would answer. */
export function isVague(question: string): boolean {
  const words = tokens(question);
  return words.length > 0 && words.every(word => EMPTY.test(word));
}

function weigh(question: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const raw of question.match(WORD) ?? []) {
    const isName = /[A-Z].*[A-Z]|[a-z][A-Z]|\d|[_/.-]\w/.test(raw);
    for (const word of tokens(raw)) {
      const weight = isName ? TUNING.nameWeight : VAGUE.has(word) ? TUNING.vagueWeight : 1;
      weights.set(word, Math.max(weights.get(word) ?? 0, weight));
    }
  }
  return weights;
}

/** The word, or one that begins as it does: `install` and `installation`. */
function has(words: Set<string> | undefined, word: string): boolean {
  if (!words || words.has(word) || word.length < 5) return words?.has(word) ?? false;
  for (const other of words) {
    const [shorter, longer] = other.length < word.length ? [other, word] : [word, other];
    if (shorter.length >= 5 && longer.length - shorter.length <= 5 && longer.startsWith(shorter))
      return true;
  }
  return false;
}
