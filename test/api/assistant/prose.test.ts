import { Prose, type WrittenLink } from '../../../api/assistant/answer/prose.ts';

/** What is shown and cited of a text that comes in pieces of this length. */
function read(text: string, length: number): { shown: string; cited: number[] } {
  const cited: number[] = [];
  const prose = new Prose(number => cited.push(number));
  const parts: (string | WrittenLink)[] = [];
  for (let at = 0; at < text.length; at += length)
    parts.push(...prose.read(text.slice(at, at + length)));
  parts.push(...prose.end());
  const shown = parts.map(part => (typeof part === 'string' ? part : part.written)).join('');
  return { shown, cited };
}

/** The links of a text that comes in pieces of this length, and the text without them. */
function linksOf(text: string, length: number) {
  const prose = new Prose();
  const parts: (string | WrittenLink)[] = [];
  for (let at = 0; at < text.length; at += length)
    parts.push(...prose.read(text.slice(at, at + length)));
  parts.push(...prose.end());
  const links = parts.filter(part => typeof part !== 'string');
  const shown = parts.map(part => (typeof part === 'string' ? part : part.text)).join('');
  return { targets: links.map(({ target }) => target), shown };
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
    ['a range', 'It pauses [1-3]. So [2–4, 7].', 'It pauses. So.', [1, 2, 3, 2, 3, 4, 7]],
  ])('%s', (_what, text, shown, cited) => {
    for (const length of [1, 2, 3, 5, 7, text.length])
      expect(read(text, length)).toEqual({ shown, cited });
  });

  it.each<[what: string, text: string, shown: string, targets: string[]]>([
    ['a link', 'See [the guide](/guide "Guide") now.', 'See the guide now.', ['/guide']],
    ['brackets in both', 'See [a [b] c](</a(b)>).', 'See a [b] c.', ['/a(b)']],
    ['two in a line', '[a](b) and [c](d)', 'a and c', ['b', 'd']],
    ['an image', 'So: ![a dog](https://x.test/d.png)!', 'So: a dog!', ['https://x.test/d.png']],
    [
      'an address',
      'Go to https://x.test/a?b=1, or <http://y.test>.',
      'Go to `https://x.test/a?b=1`, or `http://y.test`.',
      ['https://x.test/a?b=1', 'http://y.test'],
    ],
    ['not in code', 'Run `curl https://x.test` or\n```\n[a](b)\n```\n', '', []],
    ['no link', 'A list [x] (y) and [z]! Which h is < 3?', '', []],
  ])('links: %s', (_what, text, shown, targets) => {
    for (const length of [1, 2, 3, 5, 7, text.length])
      expect(linksOf(text, length)).toEqual({ targets, shown: shown || text });
  });

  it('holds back no more than may become a marker or a link', () => {
    const prose = new Prose(() => undefined);
    expect(prose.read('It pauses at night')).toEqual(['It pauses at night']);
    expect(prose.read(' and [this one')).toEqual([' and ']);
    expect(prose.read(' is none] here')).toEqual(['[this one is none] here']);
    const long = `[${'x'.repeat(700)}`;
    expect(prose.read(long)).toEqual([long]);
  });
});

it.each<[what: string, text: string, length: number]>([
  ['a link that never ends, at once', `[a]( ${' '.repeat(100_000)}`, 200_000],
  ['an address that never ends', `https://a.test/${'a'.repeat(200_000)}`, 7],
  ['ticks that never end', '`'.repeat(200_000), 7],
])('a hostile answer takes no time: %s', (_what, text, length) => {
  const began = performance.now();
  const { shown } = linksOf(text, length);
  expect(shown.replaceAll('`', '').length).toBe(text.replaceAll('`', '').length);
  expect(performance.now() - began).toBeLessThan(4_000);
});
