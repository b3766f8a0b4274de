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
});
