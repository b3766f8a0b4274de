/** The words of questions and texts: which of them mean something, and in what form. */

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
  (
    'a an the across and or but if then than so as at by for from in into of on onto out ' +
    'over to up with without about is are was were be been being am do does did doing done ' +
    'have has had having can could may might must shall should will would i me my we us our ' +
    'you your he she it its they them their this that these those there here what which who ' +
    'whom whose when where why how not no nor yes any some all each every both either ' +
    'neither much many more most less least few own same such too very just also only even ' +
    'ever still yet already again please tell let lets hi hello hey thanks thank want need ' +
    'like get gets got getting give gives go goes going know make makes making made take ' +
    'takes see say says us vs via per etc'
  ).split(' '),
);

export const WORD = /[\p{L}\p{N}]+(?:[._/'’-][\p{L}\p{N}]+)*/gu;

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

/**
 * Products, people and places that a question names: an answer that knows none of a name's letters
 * is about something else.
 */
export function names(question: string): string[] {
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

const SENTENCE_BEGINS = /(?:^|\n(?:[-*+>] |\d+\. )?|[.!?]\s+)$/;

/**
 * The words of passages that may be names: in code, or with a capital letter. One that a sentence
 * begins with is a name unless the text knows it in lower case too: "Windows are fixed" tells of a
 * window.
 */
export function spoken(passages: { title: string; heading: string; text: string }[]): Set<string> {
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
