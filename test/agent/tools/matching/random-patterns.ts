import type { Dice } from '../../../jobs/random/dice.ts';

/** What is told apart in letter case, lines, words and pairs of surrogates, and what is not. */
const CHARACTERS = [
  ...'abckKsSiIéÉßσςΣµμǆǅ日😀_09-:>&/" ',
  ...['\u212a', '\u017f', '\u0130', '\u0131', '\u2028', '\u00a0'],
  ...['\\.', '\\*', '\\n', '\\r', '\\t', '\\r\\n', '\\x41', '\\x{1F600}', '\\x{212A}', '\\Qa.b\\E'],
];
const SETS = [
  ...['\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\b', '\\B', '^', '$', '.', '.', '\\A', '\\z'],
  ...['\\pL', '\\p{Lu}', '\\P{L}', '\\p{Greek}', '\\p{^Lu}', '[[:alpha:]]', '[[:^space:]]'],
];
const MEMBERS = [
  ...'abksKé_σ日😀-.^',
  ...['a-c', '0-9', 'a-zA-Z', 'α-ω', '\\x{1F600}-\\x{1F64F}', '\\d', '\\w', '\\S', '\\W'],
  ...['\\n', '\\r', '\\]', '\\pL', '\\P{Lu}', '[:upper:]', '\u017f', '\u212a', '\u0130'],
];
const TIMES = '* + ? *? +? ?? {2} {1,3} {0,2} {2,} {0,1}? {3} {0} {1,2}?'.split(' ');
const GROUPS = '( ( (?: (?: (?i: (?-i: (?s: (?-s: (?U: (?m: (?-m: (?is:'.split(' ');

const PIECES = [
  ...CHARACTERS.filter(one => !one.startsWith('\\')),
  ...['\n', '\n', '\n\n', '\r\n', '\r\n\r\n', '\r', '\t', '\u000b', '\u0085', '\u2029', '\ufeff'],
  ...['ab', 'abc', 'aaaa', '09', '日本', '😀😁', 'e\u0301', '𝒜', '𐐀', '𐐨', 'ﬀ', 'Å', '\u212b', 'ẞ'],
  ...['> ', '\n> ', '\n  ', '>> ', '# A', '| a | b |', 'the index of a', '**', '  '],
];

/** A pattern in RE2's syntax; now and then one that it refuses. */
export function randomPattern(luck: Dice, depth = 3): string {
  const choices = luck.below(4) === 0 ? 1 + luck.below(3) : 1;
  return Array.from({ length: choices }, () =>
    choices > 1 && luck.below(20) === 0 ? '' : sequence(luck, depth),
  ).join('|');
}

/** Up to 60 pieces, mostly fewer. */
export function randomText(luck: Dice): string {
  const length = luck.below(1 + luck.below(60));
  return Array.from({ length }, () => oneOf(PIECES, luck)).join('');
}

function sequence(luck: Dice, depth: number): string {
  return Array.from(
    { length: 1 + luck.below(4) },
    () => atom(luck, depth) + (luck.below(3) === 0 ? oneOf(TIMES, luck) : ''),
  ).join('');
}

function atom(luck: Dice, depth: number): string {
  switch (luck.pick({ character: 45, set: 17, class: 12, group: depth === 0 ? 0 : 25, name: 2 })) {
    case 'character':
      return oneOf(CHARACTERS, luck);
    case 'set':
      return oneOf(SETS, luck);
    case 'class': {
      const members = Array.from({ length: 1 + luck.below(3) }, () => oneOf(MEMBERS, luck)).join(
        '',
      );
      return `[${luck.below(3) === 0 ? '^' : ''}${members}]`;
    }
    case 'group':
      return `${oneOf(GROUPS, luck)}${randomPattern(luck, depth - 1)})`;
    case 'name':
      return `(?P<n${luck.below(1e6)}>${randomPattern(luck, Math.max(0, depth - 1))})`;
  }
}

function oneOf<T>(all: readonly T[], luck: Dice): T {
  return all[luck.below(all.length)]!;
}
