import { CLEAN, findIn, findPhrases } from './plain-english.ts';

describe('plain English', () => {
  it.each(CLEAN)('%s has none of the phrases that make readers stop', path => {
    expect(findIn(path)).toEqual([]);
  });

  it('finds a phrase across lines of a comment, and not in code of a page', () => {
    const comment = '/**\n * It asks whoever\n * is at\n * rest.\n */';
    expect(findPhrases('a.ts', comment)).toMatchObject([{ line: 2 }, { line: 3 }]);
    expect(findPhrases('a.md', '`whoever`\n\n```text\nwhoever\n```\n\n| Whoever |')).toMatchObject([
      { line: 7, instead: 'anyone who, the person who' },
    ]);
  });

  it('finds "where" for a condition, and "a" for per', () => {
    const phrases = (text: string) => findPhrases('a.md', text).map(({ instead }) => instead);
    expect(phrases('It stops. Where the row is gone, it starts.')).toEqual(['if, when']);
    expect(phrases('10,000 requests an hour.')).toEqual(['per']);
    expect(phrases('See where the pages are, and wait an hour.')).toEqual([]);
  });

  it('finds everyday verbs and long sentences on pages of readers, and nowhere else', () => {
    const text = `Temporal is away. The worker starts by itself.\n\n${'word '.repeat(33)}ends.\n`;
    expect(findPhrases('docs/a.md', text).map(({ line, instead }) => [line, instead])).toEqual([
      [1, 'is down, is unavailable'],
      [1, 'automatically, alone'],
      [3, 'at most 32 words'],
    ]);
    expect(findPhrases('docs/decisions/a.md', text)).toEqual([]);
    expect(findPhrases('a.ts', text)).toEqual([]);
  });
});
