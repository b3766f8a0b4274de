/**
 * Whether passages hold the answer to a question, and which. All that can be tuned stands in `TUNING`;
 * `test/offline-model/answers.test.ts` measures it on questions about our own docs.
 */
export const TUNING = {
  /** Share of the question's weight that one passage, with its titles, must hold. */
  inPassage: 0.55,
  /** Share that all passages together must hold: a word that no result knows is what the docs do not cover. */
  inResults: 0.72,
  /** Weight of words that questions are made of and answers often lack (`way`, `possible`, `support`). */
  vagueWeight: 0.3,
  /** Weight of names and numbers: an answer about another name is none. */
  nameWeight: 1.6,
  /** A word that only the title of the passage's page has counts this much. */
  titleShare: 0.8,
};

/** What people type short, and what the docs write. */
const SHORT: Record<string, string> = { repo: 'repository', repos: 'repository', pr: 'pull request', prs: 'pull request', db: 'database', env: 'environment', config: 'configuration', auth: 'authentication', website: 'site', websites: 'site' };

const STOP = new Set('a an the across and or but if then than so as at by for from in into of on onto out over to up with without about is are was were be been being am do does did doing done have has had having can could may might must shall should will would i me my we us our you your he she it its they them their this that these those there here what which who whom whose when where why how not no nor yes any some all each every both either neither much many more most less least few own same such too very just also only even ever still yet already again once please tell let lets hi hello hey thanks thank want need like get gets got getting give gives go goes going know make makes making made take takes see say says us vs via per etc'.split(' '));
const VAGUE = new Set('use used using user users work works working way ways thing things possible able support supported supports mean means happen happens different difference explain describe show example examples case kind type types sort help page pages doc docs documentation best good new one two first last time long set setting settings option options handle default provide available allow allows exactly actually find look change create add run start need'.split(' ').map(stem));

export interface Passage {
  title: string;
  text: string;
  /** Position of the search result in the request, and of the text block in it. */
  result: number;
  block: number;
  source: string;
}

export interface Relevance {
  /** Best first; only those worth citing. */
  passages: { passage: Passage; coverage: number }[];
  answered: boolean;
  /** The question's weighed words. */
  weights: Map<string, number>;
}

/** Weighs the question's words and looks for them in each passage and its page's title. */
export function judge(question: string, passages: Passage[]): Relevance {
  const weights = weigh(question);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const held = passages.map((passage) => ({ text: new Set(tokens(passage.text)), title: new Set(tokens(passage.title)) }));
  const scored = passages.map((passage, index) => {
    let sum = 0;
    for (const [word, weight] of weights) {
      if (has(held[index]?.text, word)) sum += weight;
      else if (has(held[index]?.title, word)) sum += weight * TUNING.titleShare;
    }
    return { passage, coverage: total === 0 ? 0 : sum / total };
  }).sort((a, b) => b.coverage - a.coverage);
  const together = [...weights].filter(([word]) => held.some(({ text, title }) => has(text, word) || has(title, word))).reduce((sum, [, weight]) => sum + weight, 0);
  const best = scored[0]?.coverage ?? 0;
  const spoken = new Set(passages.flatMap((passage) => `${passage.title}\n${passage.text}`.toLowerCase().match(WORD) ?? []).flatMap((word) => [word, ...word.split(/[._/'’-]/)]));
  const stranger = names(question).some((name) => !spoken.has(name));
  return {
    passages: scored.filter(({ coverage }) => coverage >= best * 0.85).slice(0, 2),
    answered: total > 0 && !stranger && best >= TUNING.inPassage && together / total >= TUNING.inResults,
    weights,
  };
}

const EMPTY = new Set('work works thing things help explain show describe mean happen happens way ways possible use'.split(' ').map(stem));

/** A question such as "How does it work?", which any page would answer. */
export function isVague(question: string): boolean {
  const words = tokens(question);
  return words.length > 0 && words.every((word) => EMPTY.has(word));
}

function weigh(question: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const raw of question.match(WORD) ?? []) {
    const name = /[A-Z].*[A-Z]|[a-z][A-Z]|\d|[_/.-]\w/.test(raw);
    for (const word of tokens(raw)) weights.set(word, Math.max(weights.get(word) ?? 0, name ? TUNING.nameWeight : VAGUE.has(word) ? TUNING.vagueWeight : 1));
  }
  return weights;
}

/** Products, people and places that a question names: an answer that knows none of a name's letters is about something else. */
function names(question: string): string[] {
  const words = [...question.matchAll(WORD)];
  const named = words.filter(({ 0: word, index }) => /\p{Lu}/u.test(word) && !STOP.has(word.toLowerCase()) && !Object.hasOwn(SHORT, word.toLowerCase()) && !/(?:^|[.!?:]\s+|["“(])$/.test(question.slice(0, index)));
  return named.length * 2 > words.length ? [] : named.map(({ 0: word }) => word.toLowerCase().replace(/['’]s$/, ''));
}

const WORD = /[\p{L}\p{N}]+(?:[._/'’-][\p{L}\p{N}]+)*/gu;

/** Stemmed words that mean something; identifiers also in their parts. */
export function tokens(text: string): string[] {
  const found: string[] = [];
  for (const raw of text.match(WORD) ?? []) {
    for (const part of raw.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^\p{L}\p{N}]+/u)) {
      if (part !== '' && !STOP.has(part) && !/^(?:s|t|re|ve|ll|d|m)$/.test(part)) found.push(...((Object.hasOwn(SHORT, part) ? SHORT[part] : undefined) ?? part).split(' ').map(stem));
    }
  }
  return found;
}

/** The word, or one that begins as it does: `install` and `installation`. */
function has(words: Set<string> | undefined, word: string): boolean {
  if (!words) return false;
  if (words.has(word)) return true;
  if (word.length < 5) return false;
  for (const other of words) {
    const shorter = other.length < word.length ? other : word;
    const longer = shorter === other ? word : other;
    if (shorter.length >= 5 && longer.length - shorter.length <= 5 && longer.startsWith(shorter)) return true;
  }
  return false;
}

/** Endings off: enough to bring the forms of a word together. */
export function stem(word: string): string {
  let root = word;
  if (root.length > 4) root = root.replace(/(?:ies)$/, 'y').replace(/(?:sses)$/, 'ss').replace(/([^s])s$/, '$1');
  else if (root.length > 3) root = root.replace(/([^su])s$/, '$1');
  if (root.length > 5) root = root.replace(/(?:ing|ed)$/, '').replace(/([b-df-hj-np-rtv-z])\1$/, '$1');
  return root.length > 4 ? root.replace(/e$/, '') : root;
}
