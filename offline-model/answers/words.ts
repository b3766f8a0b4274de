/** The words of questions and texts: which of them mean something, and in what form. */

/** What people type short, and what the docs write. */
const SHORT = new Map([
  ['repo', 'repository'],
  ['pr', 'pull request'],
  ['env', 'environment'],
  ['config', 'configuration'],
  ['auth', 'authentication'],
]);

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
    'takes see say says us vs via per etc s t re ve ll d m'
  ).split(' '),
);

export const WORD = /[\p{L}\p{N}]+(?:[._/'’-][\p{L}\p{N}]+)*/gu;

/** Stemmed words that mean something; identifiers in their parts. */
export function tokens(text: string): string[] {
  return (
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .filter(word => !STOP.has(word))
    .flatMap(word => (SHORT.get(stem(word)) ?? word).split(' '))
    .map(stem);
}

/**
 * Products, people and places that a question names; none where it is written in capitals. An
 * answer that knows none of a name's letters is about something else.
 */
export function names(question: string): string[] {
  const words = [...question.matchAll(WORD)];
  const named = words.filter(
    ({ 0: word, index }) =>
      /\p{Lu}/u.test(word) &&
      !STOP.has(word.toLowerCase()) &&
      !SHORT.has(stem(word.toLowerCase())) &&
      !/(?:^|[.!?:]\s+|["“(])$/.test(question.slice(0, index)),
  );
  return named.length * 2 > words.length
    ? []
    : named.map(({ 0: word }) => word.replace(/['’]s$/, '').toLowerCase());
}

const SENTENCE_BEGINS = /(?:^|\n(?:[-*+>] |\d+\. )?|[.!?]\s+)$/;

/**
 * Whether a text has a name: in code, or with a capital letter. One that a sentence begins with is
 * a name unless the text knows it in lower case too: "Windows are fixed" tells of a window.
 */
export function isNamed(name: string, text: string): boolean {
  const words = [...text.matchAll(WORD)];
  const isOrdinary = words.some(
    ({ 0: word }) => !/\p{Lu}/u.test(word) && stem(word) === stem(name),
  );
  const parts = (word: string) => [word, ...word.split(/[./'’-]/)].map(part => part.toLowerCase());
  const code = (text.match(/`[^`\n]+`/g) ?? []).flatMap(one => one.match(WORD) ?? []);
  const isCapital = ({ 0: word, index }: RegExpExecArray) =>
    /\p{Lu}/u.test(word) &&
    !(isOrdinary && SENTENCE_BEGINS.test(text.slice(Math.max(0, index - 8), index)));
  const capital = words.filter(isCapital).map(([word]) => word);
  return [...code, ...capital].flatMap(parts).includes(name);
}

/** Endings off: enough to bring the forms of a word together. */
export function stem(word: string): string {
  let root = word;
  if (root.length > 4)
    root = root
      .replace(/(?:ies)$/, 'y')
      .replace(/(?:sses)$/, 'ss')
      .replace(/([^s])s$/, '$1');
  else if (root.length > 2) root = root.replace(/([^su])s$/, '$1');
  if (root.length > 5)
    root = root.replace(/(?:ing|ed)$/, '').replace(/([b-df-hj-np-rtv-z])\1$/, '$1');
  return root.length > 4 ? root.replace(/e$/, '') : root;
}
