import { call, edit, toolContext } from './context.ts';

// Each form by its code: in a literal nobody would see it.
const NO_BREAK = '\u00A0';
const NARROW = '\u202F';
const FILES = {
  'docs/a.md': 'Acme Cloud is here.\n',
  'docs/b.md': `Use Acme${NO_BREAK}Cloud today.\n`,
  'docs/c.md': `Acme${NARROW}Cloud too.\r\nEnd\r\n`,
  'docs/index.md': [
    `Read the task list in${NO_BREAK}current order.`,
    '',
    'Il fait \u201Cbeau\u201D aujourd\u2019hui\u00A0!',
    '',
    'Cafe\u0301 menu, con\u00ADfigu\u00ADration, zero\u200Bwidth, twenty\u2011one.',
    '',
    'Pages 3 \u2013 4 are long.',
    '',
  ].join('\n'),
};

async function replaced(old_str: string, new_str: string, path = 'docs/index.md') {
  const context = toolContext(FILES);
  const result = await edit(context, { command: 'str_replace', path, old_str, new_str });
  return { result, text: (await context.workspace.readText(path)) ?? '' };
}

describe('str_replace finds what people see, and keeps what it does not change', () => {
  it.each([
    [
      'Read the task list in current order.',
      'Read the job list in current order.',
      `Read the job list in${NO_BREAK}current order.`,
    ],
    [
      `Il fait "beau" aujourd'hui !`,
      `Il fait "tr\u00E8s beau" aujourd'hui !`,
      'Il fait \u201Ctr\u00E8s beau\u201D aujourd\u2019hui\u00A0!',
    ],
    ['Caf\u00E9 menu', 'Caf\u00E9 card', 'Cafe\u0301 card, con\u00ADfigu'],
    ['configuration', 'configurations', 'con\u00ADfigu\u00ADrations, zero\u200Bwidth'],
    ['width, twenty-one', 'width, twenty-two', 'zero\u200Bwidth, twenty\u2011two.'],
    ['zerowidth', '', 'con\u00ADfigu\u00ADration, , twenty'],
  ])('%j', async (old, by, expected) => {
    const { result, text } = await replaced(old, by);
    expect([result.content, result.isError]).toEqual([
      expect.stringContaining('Edited'),
      undefined,
    ]);
    expect(text).toContain(expected);
    expect(text.split('\n')).toHaveLength(FILES['docs/index.md'].split('\n').length);
  });

  it('prefers the text as it is written, and says what it found otherwise', async () => {
    const context = toolContext({ 'docs/a.md': `one two\none${NO_BREAK}two\n` });
    const first = { command: 'str_replace', path: 'docs/a.md', old_str: 'one two', new_str: '1' };
    expect((await edit(context, first)).content).not.toContain('U+00A0');
    expect((await edit(context, first)).content).toContain('U+00A0');
    expect(await context.workspace.readText('docs/a.md')).toBe('1\n1\n');
  });

  it('is as strict about what occurs once', async () => {
    const text = `one${NO_BREAK}two\none${NARROW}two\n`;
    const context = toolContext({ 'docs/a.md': text });
    expect(
      await edit(context, {
        command: 'str_replace',
        path: 'docs/a.md',
        old_str: 'one two',
        new_str: '1',
      }),
    ).toMatchObject({ isError: true, content: expect.stringContaining('on lines 1, 2') });
    expect(await context.workspace.readText('docs/a.md')).toBe(text);
  });

  it('changes a form that is asked for by name', async () => {
    expect((await replaced('in\u00A0current', 'in current')).text).toContain('list in current');
    expect((await replaced('Cafe\u0301', 'Caf\u00E9')).text).toContain('Caf\u00E9 menu');
  });

  it('names the character and the column where only a person sees a likeness', async () => {
    const { result } = await replaced('Pages 3 - 4 are long.', 'x');
    expect(result.content).toContain('Line 7 has \u2013 (U+2013) in column 9');
    expect(result.isError).toBe(true);
  });
});

describe('search_text', () => {
  it.each([
    ['Korean in parts', '\uD55C\uAE00'.normalize('NFD'), '\uD55C\uAE00'],
    ['Vietnamese', 'Ti\u1EBFng Vi\u1EC7t'.normalize('NFD'), 'Ti\u1EBFng Vi\u1EC7t'],
    ['kana with marks', '\u304C\u304E'.normalize('NFD'), '\u304C\u304E'],
    ['what begins a file', '\uFEFFNew', '^New'],
    ['lines of Windows', `a\u00A0b\r\nc`, 'a b$'],
  ])('%s', async (_, text, pattern) => {
    const context = toolContext({ 'docs/a.md': `${text}\n` });
    expect((await call(context, 'search_text', { pattern })).content).toContain('1 line in 1 file');
  });

  it.each([
    ['Acme Cloud', ['docs/a.md:1', 'docs/b.md:1', 'docs/c.md:1']],
    ['acme\\s+cloud', ['docs/a.md:1', 'docs/b.md:1', 'docs/c.md:1']],
    [`"beau" aujourd'hui`, ['docs/index.md:3']],
    ['configuration|nothing', ['docs/index.md:5']],
    ['Caf\u00E9', ['docs/index.md:5']],
    // In plain characters this would be no pattern.
    ['[\u2018-\u201C]beau', ['docs/index.md:3']],
    // What is looked for by its form is found in that form only.
    ['\\x{00A0}', ['docs/b.md:1', 'docs/index.md:1', 'docs/index.md:3']],
    ['\u2019', ['docs/index.md:3']],
  ])('%s', async (pattern, expected) => {
    const { content } = await call(toolContext(FILES), 'search_text', { pattern });
    expect(content.match(/^docs\/\w+\.md:\d+/gm)).toEqual(expected);
  });
});

describe('replace_all', () => {
  async function all(input: Record<string, unknown>) {
    const context = toolContext(FILES);
    const { content } = await call(context, 'replace_all', input);
    return { content, text: async (path: string) => context.workspace.readText(path) };
  }

  it('replaces every form, and keeps the characters between', async () => {
    const { content, text } = await all({ find: 'Acme Cloud', replace: 'Acme Sky' });
    expect(content).toContain('Replaced 3 occurrences in 3 files');
    expect(await text('docs/b.md')).toBe(`Use Acme${NO_BREAK}Sky today.\n`);
    expect(await text('docs/c.md')).toBe(`Acme${NARROW}Sky too.\r\nEnd\r\n`);
  });

  it('by a pattern names what it leaves', async () => {
    const { content, text } = await all({
      find: 'Acme (Cloud)',
      replace: 'New $1',
      regex: true,
    });
    expect(content).toContain('Replaced 1 occurrence in 1 file');
    expect(content).toContain(`docs/b.md:1: Use Acme${NO_BREAK}Cloud today. (U+00A0)`);
    expect(content).toContain(`docs/c.md:1: Acme${NARROW}Cloud too. (U+202F)`);
    expect(content).not.toContain('docs/index.md');
    expect(await text('docs/b.md')).toBe(FILES['docs/b.md']);
  });

  it('takes a pattern that has no plain form', async () => {
    const { text } = await all({ find: '[\u2018-\u201C]beau', replace: 'x', regex: true });
    expect(await text('docs/index.md')).toContain('Il fait x\u201D');
  });

  it.each([
    ['\u00A0', ' ', 'Il fait \u201Cbeau\u201D aujourd\u2019hui !'],
    ['\u2019', "'", "Il fait \u201Cbeau\u201D aujourd'hui\u00A0!"],
    ['"', 'x', 'Il fait \u201Cbeau\u201D aujourd\u2019hui\u00A0!'],
    ['aujourd\u2019hui', "aujourd'hui", "Il fait \u201Cbeau\u201D aujourd'hui\u00A0!"],
    ["aujourd'hui", 'aujourd\u2019hui', 'Il fait \u201Cbeau\u201D aujourd\u2019hui\u00A0!'],
  ])('takes %j for itself where it becomes %j', async (find, replace, expected) => {
    const { text } = await all({ find, replace, glob: 'index.md' });
    expect((await text('docs/index.md'))?.split('\n')[2]).toBe(expected);
  });
});
