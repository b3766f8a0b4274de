import { certainLinks } from '../../../agent/site/placed-links.ts';

const LINK = { kind: 'link', url: '/guides/install' } as const;
const moves = (url: string) => url.startsWith('/guides/install');

function placesOf(text: string, ...lines: number[]): string[] | undefined {
  const inbound = lines.map(line => ({ ...LINK, line }));
  return certainLinks(text, inbound, moves)?.map(({ range }) => text.slice(0, range!.start));
}

it('finds each link on its line', () => {
  expect(placesOf('[a](/guides/install)\r\n\n<Card href="/guides/install" />\n', 1, 3)).toEqual([
    '[a](',
    '[a](/guides/install)\r\n\n<Card href="',
  ]);
});

it.each<[string, string, number[]]>([
  ['the address is on the line twice', '[a](/guides/install) [b](/guides/install)', [1, 1]],
  ['the line is another one', '\n[a](/guides/install)', [1]],
  ['only a longer address is there', '[a](/guides/install-more)', [1]],
  ['an example shows it as well', '[a](/guides/install)\n\n`[b](/guides/install)`', [1]],
  ['another address leads there', '[a](/guides/install)\n\n[b](/guides/install#npm)', [1]],
  ['the address has no quotes', '<a href=/guides/install>a</a>', [1]],
  [
    'a table has another one',
    'A [b](/guides/install).\n\n|a|\n|-|\n|[b](/guides/install)|',
    [1, 1],
  ],
  [
    'wrapped code has shifted the lines',
    '[a](/guides/install); `b\nc` [d](/guides/install)',
    [1, 1],
  ],
  ['prose has it in brackets', '[a][i] (/guides/install)\n\n[i]: /guides/install', [1]],
  ['prose has it in quotes', '[a][i] "/guides/install"\n\n[i]: /guides/install', [1]],
  ...['- ', '3. ', '> * ', '[^1]: ', '\t'].map((before): [string, string, number[]] => [
    `a definition behind ${JSON.stringify(before)} has it as well`,
    `[a](/guides/install) [b]\n\n${before}[b]: /guides/install`,
    [1],
  ]),
  ['the address is that of a definition', '[a]\n\n[a]: /guides/install', [1]],
])('leaves it to the parser where %s', (_, text, lines) => {
  expect(placesOf(text, ...lines)).toBeUndefined();
});

it('leaves what Hugo finds in its own way to the parser', () => {
  const text = '{{< ref "/guides/install" >}}';
  expect(certainLinks(text, [{ ...LINK, line: 1, element: 'ref' }], moves)).toBeUndefined();
});
