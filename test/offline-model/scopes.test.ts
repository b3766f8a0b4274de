import { offlineJob } from './offline-job.ts';
import { useOfflineModel } from './use-offline-model.ts';

const offline = useOfflineModel();

const SETUP = [
  '---',
  'title: foo setup',
  '---',
  '', // 1 to 4
  'foo first, and `foo`.',
  '', // 5, 6
  '## Install the foo',
  '',
  'foo at /foo/a, see http://foo.org.',
  '', // 7 to 10
  '### Example',
  '',
  '```sh',
  'foo --run',
  '# Install',
  '```',
  '', // 11 to 17
  'Using foo',
  '---------',
  '',
  'foo again.',
  '', // 18 to 22
  '## Example',
  '',
  '| foo | b |',
  '|:----|--:|',
  '| foo | 1 |', // 23 to 27
];
const FILES = {
  'docs/setup.md': `${SETUP.join('\n')}\n`,
  'docs/other.md': '# Other\n\nfoo `foo` here.\n',
};

const job = (instruction: string, files: Record<string, string> = FILES) =>
  offlineJob(offline.client, instruction, files);

/** The 1-based lines of the setup page that differ, or "other" where the other page does. */
async function touched(instruction: string): Promise<(number | string)[]> {
  const { diff } = await job(instruction);
  const lines = diff['docs/setup.md']?.split('\n') ?? SETUP;
  return [
    ...SETUP.flatMap((line, index) => (line === lines[index] ? [] : [index + 1])),
    ...(diff['docs/other.md'] ? ['other'] : []),
  ];
}

describe('an instruction reaches as far as it says', () => {
  it.each<[string, (number | string)[]]>([
    ['Replace "foo" with "qux" in the "Install the foo" section of docs/setup.md', [7, 9, 14]],
    ['In the Install the foo section of the setup page, replace "foo" with "qux"', [7, 9, 14]],
    ['Replace "foo" with "qux" under the Using foo heading', [18, 21]],
    ['Replace "foo" with "qux" in code blocks in the section "Install the foo"', [14]],
    ['Fix the typo "foo" to "fou" in the Using foo section', [18, 21]],
    ['Replace "foo" with "qux" in headings only', [7, 18]],
    ['Replace "foo" with "qux" only in the headings of docs/setup.md', [7, 18]],
    ['Replace "foo" with "qux" (headings only)', [7, 18]],
    ['Rename foo to qux. Only in headings.', [7, 18]],
    ['Replace "foo" with "qux" in code blocks', [14]],
    ['Replace "foo" with "qux" only in code', [5, 14, 'other']],
    ['Replace "foo" in docs/other.md with "qux"', ['other']],
    ['Replace "foo" with "qux" for the other page', ['other']],
    ['Replace "foo" with "qux" in code in docs/setup.md', [5, 14]],
    ['In docs/setup.md, replace "foo" with "qux" in code blocks', [14]],
    ['Rename foo to qux. Do not touch docs/setup.md.', ['other']],
    ['Replace "foo" with "qux", but leave the setup page alone', ['other']],
    ['Replace "foo" with "qux" on line 14 of docs/setup.md', [14]],
    [
      'Replace "foo" with "qux" on lines 5 to 9999999999 of docs/setup.md in the Using foo section',
      [18, 21],
    ],
    ['Rename foo to qux on line 5 of docs/setup.md', [5]],
    ['Replace "foo" with "qux" except in headings', [2, 5, 9, 14, 21, 25, 27, 'other']],
    [
      'Replace "foo" with "qux" in docs/setup.md except in code blocks',
      [2, 5, 7, 9, 18, 21, 25, 27],
    ],
    ['Use https instead of http in the Using foo section', []],
    ['Use https instead of http in the Install the foo section', [9]],
  ])('%s', async (instruction, lines) =>
    expect({ instruction, lines: await touched(instruction) }).toEqual({ instruction, lines }),
  );

  it('takes a vague topic for the only page that holds the text', async () =>
    expect(await touched('Replace "first" with "last" in getting started')).toEqual([5]));

  it('keeps code as it is where that is asked', async () => {
    const { diff } = await job('Replace "foo" with "qux" except in code');
    expect(diff['docs/other.md']).toBe('# Other\n\nqux `foo` here.\n');
    expect(diff['docs/setup.md']).toContain('foo --run');
  });

  it.each([
    [
      'Replace "foo" with "qux" in prose in the Install section',
      '# Install\n\n`foo`\n\n```sh\nfoo\n```\n',
    ],
    [
      'Replace "foo.sh" with "qux.sh" in prose in the Install section',
      '# Install\n\n`foo.sh`\n\n```sh\nfoo.sh\n```\n',
    ],
    ['Replace "foo" with "qux" in headings', '# See [x](/foo)\n'],
    [
      'Fix the typo "foo" to "fou" in the Install section',
      '# Install\n\n[x](/foo) and <a href="/foo">y</a>\n',
    ],
  ])('adds limits up, and leaves links to where they lead: %s', async (instruction, page) => {
    expect(await job(instruction, { 'docs/a.md': page, 'docs/foo.md': 'x\n' })).toMatchObject({
      diff: {},
      message: expect.stringContaining('does not occur there'),
    });
  });

  it('changes what a name is part of, on the lines that are meant', async () => {
    expect(
      (await job('Replace "/foo/a" with "/qux/a" in the "Install the foo" section')).diff,
    ).toEqual({ 'docs/setup.md': FILES['docs/setup.md'].replace('/foo/a', '/qux/a') });
  });

  it.each([
    ['Replace "foo" with "qux" in the table in docs/setup.md', 'the table'],
    ['Replace "foo" with "qux" in the first paragraph', 'the first paragraph'],
    ['Replace "foo" with "qux" once', 'once'],
    ['Replace "foo" with "qux" where it means bar', 'where it means bar'],
    ['Replace "foo" with "qux", unless it is a command', 'unless it is a command'],
    ['Replace "foo" with "qux" except in the table', 'not table'],
    ['Use https instead of http in prose', 'prose'],
    ['Rename foo to qux. Only in the last list.', 'the last list'],
    ['Replace "foo" with "qux" in docs/setup.md in docs/other.md', 'docs/setup.md'],
  ])('declines a limit that it cannot keep: %s', async (instruction, limit) => {
    const { diff, finished, message } = await job(instruction);
    expect({ diff, finished }).toEqual({ diff: {}, finished: null });
    expect(message).toContain('I cannot keep to');
    expect(message).toContain(limit);
  });

  it.each([
    ['Replace "foo" with "qux" in the Example section of docs/setup.md', 'a section 2 times'],
    ['Replace "foo" with "qux" in the Usage section of docs/setup.md', 'no section "Usage"'],
    ['Replace "foo" with "qux" in the Usage section', 'no section "Usage"'],
    ['Replace "first" with "last" in the billing page', 'no page or folder "billing"'],
    ['Fix broken links in billing', 'no page or folder "billing"'],
    ['Append the line "foo" to the Example section in docs/setup.md', 'a section 2 times'],
    ['Append the line "foo" to the Usage section in docs/setup.md', 'no section "Usage"'],
    ['Replace "foo" with "qux" on line 5', 'name one'],
  ])('guesses no section: %s', async (instruction, answer) => {
    const { diff, message } = await job(instruction);
    expect(diff).toEqual({});
    expect(message).toContain(answer);
  });

  it('tells in the pull request what it left alone, and does the rest', async () => {
    const { diff, finished } = await job(
      'Replace "first" with "second". Replace "foo" with "qux" in the table.',
    );
    expect(diff).toEqual({ 'docs/setup.md': FILES['docs/setup.md'].replace('first', 'second') });
    expect(finished?.body).toMatch(/Not done[^]*cannot keep to “the table”/);
  });
});

describe('text for a section', () => {
  const PAGE =
    '# A\n\n## Set up\n\n- one\n\n### More\nWords.\n\n# Empty\n\nUsage\n-----\n\n<Note>\n  ## Inside\n</Note>\n';

  it.each([
    [
      'Append the sentence "It is done." to the section "Set up" of docs/a.mdx',
      '- one\n\nIt is done.\n\n### More',
    ],
    ['Append the line "- two" to the Set up section of docs/a.mdx', '- one\n- two\n\n### More'],
    [
      'Add the sentence "It is done." to the More section of docs/a.mdx',
      'Words.\n\nIt is done.\n\n# Empty',
    ],
    [
      'Add the sentence "It is done." to the Empty section of docs/a.mdx',
      '# Empty\n\nIt is done.\n\nUsage',
    ],
    [
      'Add the sentence "It is done." to the Usage section of docs/a.mdx',
      '</Note>\n\nIt is done.\n',
    ],
    [
      'Add the sentence "It is done." to the Inside section of docs/a.mdx',
      '## Inside\n\nIt is done.\n\n</Note>',
    ],
    [
      'Add the sentence "It is done." at the top of the section "Set up" of docs/a.mdx',
      '## Set up\n\nIt is done.\n\n- one',
    ],
  ])('%s', async (instruction, expected) => {
    const { diff } = await job(instruction, { 'docs/a.mdx': PAGE });
    const text = diff['docs/a.mdx'] ?? '';
    expect(text).toContain(expected);
    expect(text.length - PAGE.length).toBeLessThan(20);
  });
});

describe('every other byte stays as it was', () => {
  const PAGE =
    '\uFEFF---\r\ntitle: "foo"\r\n---\r\n\r\n# A foo\r\n\r\nfoo two  \r\nkeep  two\tfoo.\r\n\r\n| a   | foo |\r\n|:----|----:|\r\n| foo |   1 |\r\n\r\nno end foo';

  it.each<[string, string, string, string]>([
    ['Replace "foo" with "quux"', PAGE, 'foo', 'quux'],
    ['Replace `foo` with `quux`', PAGE, 'foo', 'quux'],
    ['Replace "foo" with "quux" in headings', PAGE, '# A foo', '# A quux'],
    ['Set the title of docs/a.md to "B"', PAGE, '"foo"', '"B"'],
    [
      'Set the description of docs/a.md to Hello',
      PAGE,
      '"foo"\r\n',
      '"foo"\r\ndescription: "Hello"\r\n',
    ],
    ['Append the line "- x" to docs/a.md', PAGE, 'no end foo', 'no end foo\r\n- x'],
    [
      'Add a section "New" to docs/a.md: Words.',
      PAGE,
      'no end foo',
      'no end foo\r\n\r\n## New\r\n\r\nWords.',
    ],
    ['Remove the text "keep " from docs/a.md', PAGE, 'keep  two', ' two'],
    ['Remove the line "no end foo" from docs/a.md', PAGE, '\r\nno end foo', ''],
    ['Rename foo to quux in headings', '# foo\r\nfoo\nfoo\r\n\nfoo', '# foo', '# quux'],
    ['Set the title of docs/a.md to "B"', '\uFEFF# A\n\nx\n', '# A', '# B'],
    [
      'Set the description of docs/a.md to Hello',
      '\uFEFF# A\n\nx\n',
      '\uFEFF',
      '\uFEFF---\ndescription: Hello\n---\n\n',
    ],
    ['Prepend the line "x" to docs/a.md', '\uFEFFA\n', '\uFEFF', '\uFEFFx\n\n'],
    ['Prepend the line "- x" to docs/a.md', '\uFEFF# A\n\nB\n', 'B', '- x\nB'],
    ['Set the title of docs/a.md to "B"', 'A\nlong one\n===\n\nx\n', 'A\nlong one', 'B'],
    ['Set the title of docs/a.md to "B"', '```\n# A\n```\n\n# A\n', '\n\n# A', '\n\n# B'],
    ['Set the title of docs/a.md to "B"', '---\n"title": A\n---\n', ': A', ': B'],
  ])('%s', async (instruction, before, from, to) => {
    expect((await job(instruction, { 'docs/a.md': before })).diff).toEqual({
      'docs/a.md': before.replaceAll(from, to),
    });
  });
});

it('leaves a value of several lines as it is', async () => {
  for (const value of ['one two\n  three', '"one\n\n  two"', '>\n  one', '[one,\n  two]']) {
    expect(
      await job('Set the description of docs/a.md to "Hi"', {
        'docs/a.md': `---\ndescription: ${value}\n---\n`,
      }),
    ).toMatchObject({ diff: {}, message: expect.stringContaining('of several lines') });
  }
});

it('names a page that it cannot read because of a long line', async () => {
  const long = `- foo ${'x'.repeat(61_000)}\n\nfoo [a](gone.md)\n`;
  const { diff, finished } = await job('Replace "foo" with "qux"', {
    'docs/a.md': 'foo\n',
    'docs/b.md': long,
    'docs/c.md': `foo\n\n${long}`,
  });
  expect(diff).toEqual({ 'docs/a.md': 'qux\n' });
  expect(finished?.message).toContain('I left out docs/b.md, docs/c.md: a line there is too long');
});

describe('a page that goes away', () => {
  const SITE = {
    'docs/old.md': '# Old\n',
    'docs/sub/old.md': '# Another\n',
    'docs/b.md':
      'See [the *old* one](old.md#x "t"), [abs](/old) and `[c](old.md)`.\r\n\r\n- [Old](./old.md)\r\n',
  };

  it('leaves the words of the links to it, and points none at a page of that name', async () => {
    const { diff, finished, toolErrors } = await job('Delete docs/old.md', SITE);
    expect(diff).toEqual({
      'docs/old.md': null,
      'docs/b.md': 'See the *old* one, abs and `[c](old.md)`.\r\n\r\n- Old\r\n',
    });
    expect(finished?.body).toContain('3 links to it became plain text, in docs/b.md');
    expect(finished?.body).not.toContain('look at these yourself');
    expect(toolErrors).toEqual([]);
  });

  it('stays where a link to it is more than words', async () => {
    const { diff, message } = await job('Delete docs/old.md', {
      ...SITE,
      'docs/c.md': '# C\n\n<a href="/old"><img src="x.png"></a>\n',
    });
    expect(diff).toEqual({});
    expect(message).toMatch(/1 link to it cannot become plain text \(docs\/c\.md:3\).*redirect to/);
  });

  it('leaves the words on a page with a byte order mark', async () => {
    expect(
      (
        await job('Delete docs/old.md', {
          'docs/old.md': '# Old\n',
          'docs/b.md': '\uFEFFSee [the *old* one](old.md), end.\n',
        })
      ).diff,
    ).toEqual({ 'docs/old.md': null, 'docs/b.md': '\uFEFFSee the *old* one, end.\n' });
  });

  it('keeps its links where it may not go away', async () => {
    const { diff, message } = await job('Delete docs/AGENTS.md', {
      'docs/AGENTS.md': '# Orders\n',
      'docs/b.md': 'See [orders](AGENTS.md).\n',
    });
    expect({ diff, message }).toEqual({
      diff: {},
      message: expect.stringMatching(/^I changed nothing\. docs\/AGENTS\.md may not be changed/),
    });
  });

  it('knows the links to the page of a folder', async () => {
    const { diff } = await job('Delete the page docs/index.md', {
      'docs/index.md': '# Hi\n',
      'docs/b.md': '[home](/), [here](./) and [there](index.md#a)\n',
    });
    expect(diff).toEqual({ 'docs/index.md': null, 'docs/b.md': 'home, here and there\n' });
  });

  it('redirects to another site', async () => {
    const { diff } = await job('Delete docs/old.md and redirect to https://example.com/new', SITE);
    expect(diff['docs/b.md']).toContain('[abs](https://example.com/new)');
  });
});
