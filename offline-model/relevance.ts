/**
 * Whether passages hold the answer to a question, and which. All that can be tuned stands in
 * `TUNING`;
 * `test/offline-model/answers.test.ts` measures it on questions about our own docs.
 */
export const TUNING = {
  /** Share of the question's weight that one passage, with its titles, must hold. */
  inPassage: 0.55,
  /**
   * Share that all passages together must hold: a word that no result knows is what the docs do not
   * cover.
   */
  inResults: 0.72,
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
  inUnit: 0.35,
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

/** What people type short, and what the docs write. */
const SHORT: Record<string, string> = {
  repo: 'repository',
  repos: 'repository',
  pr: 'pull request',
  prs: 'pull request',
  db: 'database',
  env: 'environment',
  config: 'configuration',
  auth: 'authentication',
  website: 'site',
  websites: 'site',
};

const STOP = new Set(
  'a an the across and or but if then than so as at by for from in into of on onto out over to up with without about is are was were be been being am do does did doing done have has had having can could may might must shall should will would i me my we us our you your he she it its they them their this that these those there here what which who whom whose when where why how not no nor yes any some all each every both either neither much many more most less least few own same such too very just also only even ever still yet already again please tell let lets hi hello hey thanks thank want need like get gets got getting give gives go goes going know make makes making made take takes see say says us vs via per etc'.split(
    ' ',
  ),
);
const VAGUE = new Set(
  'use used using user users work works working way ways thing things possible able support supported supports mean means happen happens different difference explain describe show example examples case kind type types sort help page pages doc docs documentation best good new one two first last time long set setting settings option options handle default provide available allow allows exactly actually find look change create add run start need'
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
  const scored = passages.map((passage, index) => {
    const shares = [...weights].map(([word, weight]) =>
      has(held[index]?.text, word, weights)
        ? weight
        : has(held[index]?.title, word, weights)
          ? weight * TUNING.titleShare
          : 0,
    );
    return { passage, coverage: total === 0 ? 0 : sum(shares) / total };
  });
  const best = Math.max(0, ...scored.map(({ coverage }) => coverage));
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
      .filter(({ coverage }) => coverage >= best * TUNING.nearBest)
      .map(({ passage }) => passage),
    answered:
      total > 0 &&
      names(`${before} ${own}`.trim()).every(name => known.has(name)) &&
      best >= TUNING.inPassage &&
      together / total >= TUNING.inResults,
    asked: {
      weights: new Map(
        [...weights].map(([word, weight]) => [
          word,
          weight *
            (1 -
              (TUNING.commonLoss * held.filter(({ text }) => has(text, word, weights)).length) /
                held.length),
        ]),
      ),
      wantsCode: WANTS_CODE.test(own),
      form: formOf(own),
    },
  };
}

const WANTS_CODE =
  /^\W*(?:and\s+)?how (?:do|can|should|to)\b|\b(?:command|code|curl|example|snippet|syntax)\b/i;
const PEOPLE =
  /\b(?:who|whoever|anyone|anybody|everyone|everybody|someone|somebody|nobody|no one|people|person|you|team|owners?|members?|admin(?:istrator)?s?|operators?|maintainers?|authors?|readers?|reviewers?|users?|developers?|callers?|customers?|visitors?|holders?)\b/i;
const NUMBER =
  /(?<![\w.-])\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|half|none|no limit|unlimited|nothing|free|every|all|any|never|always|as (?:many|much|long) as)\b/i;
const HOW_MUCH = /\bhow (?:many|much|long|often|old|big|large|small|fast|far|high)\b/i;
const DATE =
  /\b(?:19|20)\d\d\b|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b/i;
const ANYTHING = /(?:)/;
const LEAD_IN = /^(?:\W*\b(?:hi|hello|hey|and|but|so|or)\b)*\W*/i;

/** What a text must have to answer such a question. */
function formOf(question: string): RegExp {
  const asks = question.replace(LEAD_IN, '');
  if (/^who\b/i.test(asks)) return PEOPLE;
  if (asks.search(HOW_MUCH) === 0) return NUMBER;
  if (/^(?:when (?:was|were|did)|(?:what|which) (?:year|date))\b/i.test(asks)) return DATE;
  return ANYTHING;
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
 * Products, people and places that a question names: an answer that knows none of a name's letters
 * is about something else.
 */
function names(question: string): string[] {
  const words = [...question.matchAll(WORD)];
  const named = words.filter(
    ({ 0: word, index }) =>
      /\p{Lu}/u.test(word) &&
      !STOP.has(word.toLowerCase()) &&
      !Object.hasOwn(SHORT, word.toLowerCase()) &&
      !/(?:^|[.!?:]\s+|["“(])$/.test(question.slice(0, index)),
  );
  return named.length * 2 > words.length
    ? []
    : named.map(({ 0: word }) => word.toLowerCase().replace(/['’]s$/, ''));
}

const WORD = /[\p{L}\p{N}]+(?:[._/'’-][\p{L}\p{N}]+)*/gu;

/** Stemmed words that mean something; identifiers also in their parts. */
export function tokens(text: string): string[] {
  const found: string[] = [];
  for (const raw of text.match(WORD) ?? []) {
    for (const part of raw
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)) {
      if (part !== '' && !STOP.has(part) && !/^(?:s|t|re|ve|ll|d|m)$/.test(part))
        found.push(
          ...((Object.hasOwn(SHORT, part) ? SHORT[part] : undefined) ?? part).split(' ').map(stem),
        );
    }
  }
  return found;
}

const SENTENCE_BEGINS = /(?:^|\n(?:[-*+>] |\d+\. )?|[.!?]\s+)$/;

/**
 * The words of passages that may be names: in code, or with a capital letter. One that a sentence
 * begins with is a name unless the text knows it in lower case too: "Windows are fixed" tells of a
 * window.
 */
function spoken(passages: Passage[]): Set<string> {
  const prose = passages.flatMap(({ text }) =>
    [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
      word,
      begins: SENTENCE_BEGINS.test(text.slice(Math.max(0, index - 8), index)),
    })),
  );
  const ordinary = new Set(
    prose.filter(({ word }) => !/\p{Lu}/u.test(word)).map(({ word }) => stem(word)),
  );
  const capital = prose
    .filter(
      ({ word, begins }) =>
        /\p{Lu}/u.test(word) && !(begins && ordinary.has(stem(word.toLowerCase()))),
    )
    .map(({ word }) => word);
  const above = passages.flatMap(({ title, heading }) => `${title}\n${heading}`.match(WORD) ?? []);
  const code = passages
    .flatMap(({ text }) => text.match(/`[^`]+`/g) ?? [])
    .flatMap(text => text.match(WORD) ?? []);
  return new Set(
    [...code, ...above, ...capital]
      .map(word => word.toLowerCase())
      .flatMap(word => [word, ...word.split(/[./'’-]/)]),
  );
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

/** Endings off: enough to bring the forms of a word together. */
export function stem(word: string): string {
  let root = word;
  if (root.length > 4)
    root = root
      .replace(/(?:ies)$/, 'y')
      .replace(/(?:sses)$/, 'ss')
      .replace(/([^s])s$/, '$1');
  else if (root.length > 3) root = root.replace(/([^su])s$/, '$1');
  if (root.length > 5)
    root = root.replace(/(?:ing|ed)$/, '').replace(/([b-df-hj-np-rtv-z])\1$/, '$1');
  return root.length > 4 ? root.replace(/e$/, '') : root;
}
