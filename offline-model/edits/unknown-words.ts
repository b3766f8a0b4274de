import { slips } from '../slips.ts';
import { rewrite } from './markdown.ts';
import { MISSPELLINGS } from './misspellings.ts';
import { WORDS } from './words.ts';

/** Lower-case words of running text; parts of names, paths and compounds are none. */
const WORD = /(?<![\p{L}\p{N}_./@#'’-])[a-z]{6,}(?![\p{L}\p{N}_/@#'’-]|\.\w)/gu;
/** Occurrences that make a word one of the docs' own. */
const AT_HOME = 3;

/** Right words that are a slip away from one of those that documentation is made of. */
const ALIKE = new Set(
  `apples backed bought carriers cashes categorise ceases centre chained closet codecs compete competed competes complied consents constrains contact contests coping crates
defies demonstrated dependences depreciation desires ensuing eternal exiting falling filers filing handed handing heaven latter leaned leaning lining lodged manger massage massages modems
naively noting overheard palace passer performant polices practises recoded retain retires retrain revolves rulers seeding seizes sharded sheared shooter sorter spinner stared staring starring
steaming steams stimulate stings tablet tacked tailing thorough thought tittle trough underling waning wanting`.split(
    /\s+/,
  ),
);

/**
 * Words that stand once in these pages, that neither documentation in general nor these pages know,
 * and that are one left-out, doubled or swapped letter away from exactly one word that they do
 * know; with that word.
 */
export function unknownWords(texts: Iterable<string[]>): Map<string, string> {
  const counts = new Map<string, number>();
  for (const lines of texts) {
    rewrite(lines, { prose: true, code: false }, part => {
      for (const [word] of part.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
      return part;
    });
  }
  const known = new Set([
    ...WORDS,
    ...MISSPELLINGS.values(),
    ...[...counts].filter(([, count]) => count >= AT_HOME).map(([word]) => word),
  ]);
  const found = new Map<string, string>();
  for (const [word, count] of counts) {
    if (count > 1 || ALIKE.has(word) || isForm(word, known)) continue;
    const [right, ...others] = [...known].filter(
      other => Math.abs(other.length - word.length) <= 1 && isSlip(word, other),
    );
    if (right !== undefined && others.length === 0) found.set(word, right);
  }
  return found;
}

/** A form of a known word: its plural, its past, what is made of it. */
function isForm(word: string, known: Set<string>): boolean {
  const stem = word.replace(/^(?:un|re|pre|non|sub|auto|over|out|multi|mis|dis|in|de)/, '');
  return [word, stem].some(
    base =>
      [
        '',
        's',
        'es',
        'd',
        'ed',
        'ing',
        'er',
        'ers',
        'or',
        'ly',
        'able',
        'al',
        'ness',
        'y',
        'ity',
        'ion',
        'ment',
      ].some(end => {
        if (!base.endsWith(end)) return false;
        const root = end === '' ? base : base.slice(0, -end.length);
        return [root, `${root}e`, root.replace(/i$/, 'y'), root.replace(/(.)\1$/, '$1')].some(one =>
          known.has(one),
        );
      }) ||
      ['s', 'd', 'ed', 'ing', 'ly', 'r', 'ion'].some(
        end => known.has(base + end) || known.has(base.replace(/e$/, '') + end),
      ),
  );
}

/**
 * The same letters in another order or number, or one letter left out inside the word: what fingers
 * do.
 */
function isSlip(word: string, other: string): boolean {
  if (word[0] !== other[0] || slips(word, other) !== 1) return false;
  const letters = (text: string) => [...new Set(text)].sort().join('');
  return (
    letters(word) === letters(other) || (other.length > word.length && word.at(-1) === other.at(-1))
  );
}
