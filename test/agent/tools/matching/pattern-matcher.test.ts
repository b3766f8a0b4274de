import { PatternMatcher } from '../../../../agent/tools/matching/pattern-matcher.ts';

const PAGE = '# The Kernel\r\n> custom\n> domains: a_b, 😀\n';

it.each([
  ['(\\w+)_(\\w+)', '$2_$1 of $0', ['b_a of a_b']],
  ['(?P<first>[a-z])_b', '${first}: $$1', ['a: $1']],
  ['^(.)', '$1', ['#', '>', '>']],
  ['(?s)custom.*?(domain)', 'one $1', ['one domain']],
  ['a|a_b', '$0', ['a', 'a']],
  ['kernel', '$0', []],
  ['(?i)KERNEL', '$0', ['Kernel']],
  ['[^\\x{0}-\\x{FFFF}]', '$0', ['😀']],
])('what %s finds, replaced by %s', (source, replacement, expected) => {
  const matcher = new PatternMatcher({ source, ignoreCase: false });
  expect(matcher.replacements(PAGE, matcher.matches(PAGE), replacement)).toEqual(expected);
});

it.each([
  ['', [0, 2, 3, 4]],
  ['$', [3, 4]],
  ['\\b', [2, 3]],
])('%j is empty between characters', (source, starts) => {
  const matches = new PatternMatcher({ source, ignoreCase: true }).matches('😀a\n');
  expect(matches).toEqual(starts.map(start => ({ start, end: start })));
});

it.each(['(', 'a(?=b)', '(a)\\1'])('%s is refused', source => {
  expect(() => new PatternMatcher({ source, ignoreCase: false })).toThrow('error parsing regexp');
});

it('a pattern that backtracking takes forever for is over at once', () => {
  const started = performance.now();
  const matcher = new PatternMatcher({ source: '(?:a|aa|a*)*b', ignoreCase: true });
  expect(matcher.matches(`${'a'.repeat(100_000)}cb`)).toEqual([{ start: 100_001, end: 100_002 }]);
  expect(performance.now() - started).toBeLessThan(2_000);
});

it('100,000 matches of a text are found at most', () => {
  const matcher = new PatternMatcher({ source: 'a|', ignoreCase: false });
  const matches = matcher.matches('ab'.repeat(60_000));
  expect([matches.length, matches.at(-1)]).toEqual([100_000, { start: 99_999, end: 99_999 }]);
});
