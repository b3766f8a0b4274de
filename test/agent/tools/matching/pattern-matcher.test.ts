import { RE2JS } from 're2js';
import { TooManyStates } from '../../../../agent/tools/matching/automaton/automaton.ts';
import { AutomatonSearch } from '../../../../agent/tools/matching/automaton/search.ts';
import {
  type Match,
  type Pattern,
  PatternMatcher,
} from '../../../../agent/tools/matching/pattern-matcher.ts';
import { acrossWrappedLines } from '../../../../agent/tools/matching/wrapped-words.ts';
import { dice } from '../../../jobs/random/dice.ts';
import { SLOW } from '../../../support/slow.ts';
import { randomPattern, randomText } from './random-patterns.ts';

/** `SEED=… npm run -s jest -- test/agent/tools/matching`; a failure names its own seed. */
const SEED = Number(process.env['SEED'] ?? (process.env['CI'] ? 1 : Date.now() % 1_000_000));
const PATTERNS = SLOW ? 20_000 : 600;
const TEXTS = 8;

const expressionOf = ({ source, ignoreCase }: Pattern): RE2JS =>
  RE2JS.compile(source, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));

/** Every match and its groups, as RE2JS finds them. */
function byRe2js(expression: RE2JS, text: string): { matches: Match[]; groups: string[] } {
  const matcher = expression.matcher(text);
  const matches: Match[] = [];
  const groups: string[] = [];
  while (matcher.find()) {
    matches.push({ start: matcher.start(), end: matcher.end() });
    groups.push(
      Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? '').join('|'),
    );
  }
  return { matches, groups };
}

/** Texts in which other matches or groups are found than RE2JS finds. */
function differences(pattern: Pattern, texts: readonly string[]): object[] {
  const expression = expressionOf(pattern);
  const matcher = new PatternMatcher(pattern);
  const references = Array.from({ length: expression.groupCount() + 1 }, (_, i) => `$${i}`);
  return texts.flatMap(text => {
    const matches = matcher.matches(text);
    const groups = matcher.replacements(text, matches, references.join('|'));
    const expected = byRe2js(expression, text);
    const isEqual = JSON.stringify({ matches, groups }) === JSON.stringify(expected);
    return isEqual ? [] : [{ pattern, text, matches, groups, expected }];
  });
}

describe('matches are those of RE2JS', () => {
  it(`of ${PATTERNS} random patterns from seed ${SEED}`, () => {
    let refused = 0;
    for (let seed = SEED; seed < SEED + PATTERNS; seed++) {
      const luck = dice(seed);
      const source = randomPattern(luck);
      const pattern = { source, ignoreCase: luck.below(2) === 0 };
      const texts = Array.from({ length: TEXTS }, () => randomText(luck));
      try {
        expressionOf(pattern);
      } catch {
        expect(() => new PatternMatcher(pattern)).toThrow();
        refused += 1;
        continue;
      }
      expect({ seed, found: differences(pattern, texts) }).toEqual({ seed, found: [] });
    }
    expect(refused).toBeLessThan(PATTERNS / 4);
  }, 900_000);

  it.each([
    'gateway|handler|filter',
    'the \\w+ of (a|the)',
    '.*widget7',
    '^#+ .*kernel',
    '\\bindex\\b',
    'custom domain',
    '\\p{Lu}\\w+ \\d',
    '(?s)kernel.*?journal',
    'https?://[^ )"]+',
    '$',
    '^',
    '\\z',
    '(?:)',
    '[^\\n]{3,}$',
    '(?-s:\\B|&|)+',
    '[^\\x{0}-\\x{10FFFF}]|\\x{0}|e',
  ])('of %s in pages', source => {
    const page =
      '# The kernel ☃\r\n\r\nThe index of a gateway, see https://example.com/a_b.\n' +
      '> custom\n> domain of the widget77 and the filter & Kernel\n\n## Ʃ Kernel 1\njournal';
    const texts = [page, page.repeat(40), '', '\n', '\r\n', '😀'];
    for (const ignoreCase of [true, false])
      expect(differences({ source: acrossWrappedLines(source), ignoreCase }, texts)).toEqual([]);
  });

  it.each([
    ['states', '(?:a|b)*a(?:a|b){16}c?', 20_000],
    ['states that read backward', '(?:a|b){16}a(?:a|b)*d', 20_000],
    ['instructions', `(?:${'a?b?'.repeat(10)}){1000}c`, 20],
  ])(
    'of one that needs too many %s',
    (_, source, length) => {
      const luck = dice(1);
      const text = `${Array.from({ length }, () => 'ab'.charAt(luck.below(2))).join('')}d`;
      const search = AutomatonSearch.for(RE2JS.compile(source));
      if (search) expect(() => search.find(text, 0)).toThrow(TooManyStates);
      expect(differences({ source, ignoreCase: false }, [text, 'ab', text])).toEqual([]);
    },
    120_000,
  );

  it('up to 100,000 of a text', () => {
    const matcher = new PatternMatcher({ source: 'a|', ignoreCase: false });
    const matches = matcher.matches('ab'.repeat(60_000));
    expect([matches.length, matches.at(-1)]).toEqual([100_000, { start: 99_999, end: 99_999 }]);
  });
});

/** RE2JS shows its programs for other purposes: a new version may write them in another way. */
it('programs of RE2JS are understood', () => {
  const sources = [
    'a',
    '(?i)k+',
    '[a-z]|\\b.',
    '(?s)(^.$)*',
    '\\p{Greek}\\z',
    'a{0}',
    '[^\\x{0}-\\x{10FFFF}]',
  ];
  for (const source of sources)
    expect({ source, search: AutomatonSearch.for(RE2JS.compile(source)) }).toEqual({
      ...{ source, search: expect.any(AutomatonSearch) },
    });
});
