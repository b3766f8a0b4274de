import { NumberedCitations } from '../../../api/assistant/answer/numbered-citations.ts';

/** What is shown and cited of a text that comes in pieces of this length. */
function read(text: string, length: number): { shown: string; cited: number[] } {
  const cited: number[] = [];
  const citations = new NumberedCitations(number => cited.push(number));
  let shown = '';
  for (let at = 0; at < text.length; at += length)
    shown += citations.read(text.slice(at, at + length));
  return { shown: shown + citations.end(), cited };
}

describe('citations by number', () => {
  it.each<[what: string, text: string, shown: string, cited: number[]]>([
    ['behind a sentence', 'It has 37 MB [3].', 'It has 37 MB.', [3]],
    ['several', 'One [1][2]. Two [4, 5].', 'One. Two.', [1, 2, 4, 5]],
    ['without a space', 'It pauses[2] and goes on.', 'It pauses and goes on.', [2]],
    ['as footnotes', 'It pauses [^2].', 'It pauses.', [2]],
    ['in other brackets', 'It pauses 【2†source】.', 'It pauses.', [2]],
    ['at the end', 'It pauses [2]', 'It pauses', [2]],
    ['in a list', '- One [1]\n- Two [2]\n', '- One\n- Two\n', [1, 2]],
    [
      'not in a fence',
      '```js\na[1] = b [2];\n```\nDone [3].',
      '```js\na[1] = b [2];\n```\nDone.',
      [3],
    ],
    ['not in a fence of tildes', '~~~\n[1]\n```\n[2]\n~~~\n[3]', '~~~\n[1]\n```\n[2]\n~~~\n', [3]],
    ['not in inline code', 'Use `a[1]` and ``b`[2]`` [3].', 'Use `a[1]` and ``b`[2]``.', [3]],
    ['after a backtick of its own', 'A ` alone [1].\n\nNext [2].', 'A ` alone [1].\n\nNext.', [2]],
    ['not a link', 'See [1](/install) [2].', 'See [1](/install).', [2]],
    ['not a definition', 'See.\n[1]: https://a.test\n', 'See.\n[1]: https://a.test\n', []],
    ['not a year, not a word', 'In [2026] see [x] and [ ].', 'In [2026] see [x] and [ ].', []],
    ['before a colon', 'So says [1]: it pauses.', 'So says: it pauses.', [1]],
    ['an open bracket at the end', 'It is [', 'It is [', []],
  ])('%s', (_what, text, shown, cited) => {
    for (const length of [1, 2, 3, 5, 7, text.length])
      expect(read(text, length)).toEqual({ shown, cited });
  });

  it('holds back no more than a marker', () => {
    const citations = new NumberedCitations(() => undefined);
    expect(citations.read('It pauses at night')).toBe('It pauses at night');
    expect(citations.read(' and [this one is no marker')).toBe(' and [this one is no marker');
  });
});
