import { edit, toolContext } from './context.ts';

const FILES = {
  'docs/index.mdx': '---\ntitle: Home\n---\n\n# Home\n\nFirst line.\nSecond line.\nFirst line.\n',
  'docs/guides/install.md': '# Install\n\nRun `npm install`.\n',
  'docs/windows.md': 'one\r\ntwo\r\nthree\r\n',
  'docs/open-end.md': 'a\nb',
  'docs/logo.png': Buffer.from([0x89, 0, 1]),
  'docs/link.md': '../README.md',
  'docs/empty.md': '',
  'README.md': '# Readme\n',
  'src/index.md': 'code\n',
};
const context = () => toolContext(FILES, { modes: { 'docs/link.md': '120000' } });

describe('view', () => {
  it.each([
    'docs/index.mdx',
    './docs/index.mdx',
    '/docs/index.mdx',
    'index.mdx',
    '/index.mdx',
    '/'.concat('index'),
  ])('finds a page by %s', async path => {
    const result = await edit(context(), { command: 'view', path });
    expect(result.isError).toBeUndefined();
    expect(result.content).toContain('     5\t# Home');
    expect(result.summary).toBe('docs/index.mdx');
  });

  it('shows a range, to the end with -1', async () => {
    const ctx = context();
    expect(
      (await edit(ctx, { command: 'view', path: 'index.mdx', view_range: [8, -1] })).content,
    ).toBe('     8\tSecond line.\n     9\tFirst line.');
    expect(
      (await edit(ctx, { command: 'view', path: 'index.mdx', view_range: '[7, 7]' })).content,
    ).toBe('     7\tFirst line.');
  });

  it.each([[[0, 3]], [[5, 4]], [[10, 12]]])('explains the range %j', async range => {
    const result = await edit(context(), { command: 'view', path: 'index.mdx', view_range: range });
    expect(result.isError).toBe(true);
    expect(result.content).toContain('docs/index.mdx has lines 1 to 9');
  });

  it('cuts a long file and says how to go on', async () => {
    const ctx = toolContext({ 'docs/long.md': 'twenty letters here.\n'.repeat(5000) });
    const { content } = await edit(ctx, { command: 'view', path: 'docs/long.md' });
    const [, from] = /more lines: view with view_range \[(\d+), 5000\]/.exec(content) ?? [];
    expect(content.length).toBeLessThan(40_000);
    const next = await edit(ctx, {
      command: 'view',
      path: 'docs/long.md',
      view_range: [Number(from), 5000],
    });
    expect(next.content.startsWith(`${String(from).padStart(6)}\ttwenty`)).toBe(true);
  });

  it('lists a folder two levels deep', async () => {
    const { content } = await edit(context(), { command: 'view', path: '/docs' });
    expect(content).toContain('docs/guides/install.md');
    expect(content).not.toContain('README.md');
  });

  it.each([
    ['docs/instal.md', /Nearest: docs\/guides\/install\.md/],
    ['guides/install.mdx.txt', /docs\/ is the docs folder.*docs\/guides\/install\.md/],
    ['/workspace/checkouts/acme-docs/docs/guides/install.md', /Nearest: docs\/guides\/install\.md/],
    ['docs/logo.png', /binary file/],
    ['docs/link.md', /symbolic link to \.\.\/README\.md/],
    ['../etc/passwd', /has "\.\."/],
    ['docs/.git/config', /\.git/],
    ['docs/a\u0000.md', /control/],
    ['docs/\u202Ea.md', /direction/],
  ])('teaches about %j', async (path, message) => {
    const result = await edit(context(), { command: 'view', path });
    expect(result).toMatchObject({ isError: true, content: expect.stringMatching(message) });
  });
});

describe('create', () => {
  it('creates and replaces', async () => {
    const ctx = context();
    expect(
      (await edit(ctx, { command: 'create', path: '/guides/new.md', file_text: '# New\n' }))
        .content,
    ).toContain('Created docs/guides/new.md with 1 line.');
    expect(await ctx.workspace.readText('docs/guides/new.md')).toBe('# New\n');
    expect(
      (await edit(ctx, { command: 'create', path: 'docs/guides/new.md', file_text: 'a\nb\n' }))
        .summary,
    ).toBe('docs/guides/new.md (+2 -1)');
  });

  it('keeps line ends and byte order mark of the file that it replaces', async () => {
    const ctx = toolContext({ 'docs/a.md': '\uFEFFone\r\ntwo\r\nthree\r\n' });
    expect(
      (await edit(ctx, { command: 'create', path: 'docs/a.md', file_text: 'one\n2\nthree\n' }))
        .summary,
    ).toBe('docs/a.md (+1 -1)');
    expect(await ctx.workspace.readText('docs/a.md')).toBe('\uFEFFone\r\n2\r\nthree\r\n');
  });

  it.each([
    ['guides/new.md', /Did you mean docs\/guides\/new\.md\?/],
    ['/repo/docs/new.md', /Did you mean docs\/new\.md\?.*docs\/repo\/docs\/new\.md if not/],
    ['/repo/docs/index.mdx', /Did you mean docs\/index\.mdx\?/],
    ['acme/docs-site/docs/new.md', /Did you mean docs\/new\.md\?/],
    ['README.md', /Only files under docs\//],
    ['src/index.md', /Only files under docs\//],
    ['src/docs/new.md', /Did you mean docs\/src\/docs\/new\.md\?/],
    ['docs/AGENTS.md', /changed by people only/],
    ['.github/workflows/x.yml', /Hidden files/],
    ['docs/index.mdx/a.md', /docs\/index\.mdx is a file/],
    ['docs/INDEX.mdx', /letter case/],
    ['docs/link.md', /Symbolic links/],
    ['docs/run.sh', /Only pages, images/],
  ])('refuses %s early', async (path, message) => {
    const ctx = context();
    expect(await edit(ctx, { command: 'create', path, file_text: 'x' })).toMatchObject({
      isError: true,
      content: expect.stringMatching(message),
    });
    expect((await ctx.workspace.changes()).size).toBe(0);
  });

  it('refuses more than 1 MiB and NUL', async () => {
    const ctx = context();
    expect(
      (await edit(ctx, { command: 'create', path: 'docs/a.md', file_text: 'é'.repeat(600_000) }))
        .content,
    ).toContain('1 MiB');
    expect(
      (await edit(ctx, { command: 'create', path: 'docs/a.md', file_text: 'a\0' })).content,
    ).toContain('NUL');
  });
});

describe('str_replace', () => {
  it('replaces the one occurrence and shows it', async () => {
    const ctx = context();
    const result = await edit(ctx, {
      command: 'str_replace',
      path: '/guides/install',
      old_str: 'npm install',
      new_str: 'npm ci',
    });
    expect(result).toMatchObject({
      summary: 'docs/guides/install.md (+1 -1)',
      content: expect.stringContaining('     3\tRun `npm ci`.'),
    });
    expect(await ctx.workspace.readText('docs/guides/install.md')).toBe(
      '# Install\n\nRun `npm ci`.\n',
    );
  });

  it('deletes with an empty new_str, and takes $ literally', async () => {
    const ctx = context();
    await edit(ctx, {
      command: 'str_replace',
      path: 'docs/open-end.md',
      old_str: 'a\n',
      new_str: '',
    });
    expect(await ctx.workspace.readText('docs/open-end.md')).toBe('b');
    await edit(ctx, {
      command: 'str_replace',
      path: 'docs/open-end.md',
      old_str: 'b',
      new_str: '$& $1 $$',
    });
    expect(await ctx.workspace.readText('docs/open-end.md')).toBe('$& $1 $$');
  });

  it('keeps the line ends of the file', async () => {
    const ctx = context();
    await edit(ctx, {
      command: 'str_replace',
      path: 'docs/windows.md',
      old_str: 'one\ntwo',
      new_str: '1\n2\n2b',
    });
    expect(await ctx.workspace.readText('docs/windows.md')).toBe('1\r\n2\r\n2b\r\nthree\r\n');
    await edit(ctx, {
      command: 'str_replace',
      path: 'docs/windows.md',
      old_str: '\nthree',
      new_str: '\n3',
    });
    expect(await ctx.workspace.readText('docs/windows.md')).toBe('1\r\n2\r\n2b\r\n3\r\n');
  });

  it('finds lines whose ends differ, which view does not show, and keeps the ends of those that it replaces', async () => {
    const ctx = toolContext({ 'docs/mixed.md': 'zero\none\r\ntwo\r\nthree\nfour\n' });
    await edit(ctx, {
      command: 'str_replace',
      path: 'docs/mixed.md',
      old_str: 'two\nthree',
      new_str: '2\n3',
    });
    expect(await ctx.workspace.readText('docs/mixed.md')).toBe('zero\none\r\n2\r\n3\nfour\n');
    await edit(ctx, {
      command: 'str_replace',
      path: 'docs/mixed.md',
      old_str: '\r\n2\r\n',
      new_str: '\n',
    });
    expect(await ctx.workspace.readText('docs/mixed.md')).toBe('zero\none\r\n3\nfour\n');
  });

  it('shows only a part of lines that are too long', async () => {
    const image = `![](data:image/png;base64,${'A'.repeat(400_000)})`;
    const ctx = toolContext({ 'docs/a.md': `one\n${image}\nthree\n${'word '.repeat(150)}\n` });
    const results = [
      await edit(ctx, { command: 'str_replace', path: 'docs/a.md', old_str: 'one', new_str: '1' }),
      await edit(ctx, { command: 'insert', path: 'docs/a.md', insert_line: 1, insert_text: 'two' }),
      await edit(ctx, {
        command: 'str_replace',
        path: 'docs/a.md',
        old_str: '![](data:image/png;base64,B',
        new_str: 'x',
      }),
    ];
    expect(results.map(({ isError = false }) => isError)).toEqual([false, false, true]);
    for (const { content } of results)
      expect([content.includes('![](data:image/png;base64,AAA'), content.length < 3000]).toEqual([
        true,
        true,
      ]);
    expect(results[0]?.content).toContain('word '.repeat(150));
  });

  it.each([
    ['First line.', /occurs 2 times in docs\/index\.mdx, on lines 7, 9.*unique/],
    ['Secnd line', /lines most like its first one:\n +7\tFirst line\.\n +8\tSecond line\.\n +9/],
    [
      '  First line.\n  Second line.',
      /only white space differs.*\n +7\tFirst line\.\n +8\tSecond line\./,
    ],
    ['qqqq zzzz', /nor anything like it/],
  ])('teaches about %j', async (old, message) => {
    const ctx = context();
    const result = await edit(ctx, {
      command: 'str_replace',
      path: 'index.mdx',
      old_str: old,
      new_str: 'x',
    });
    expect(result).toMatchObject({ isError: true, content: expect.stringMatching(message) });
    expect((await ctx.workspace.changes()).size).toBe(0);
  });
});

it('says where a text is that occurs 400,000 times, without reading the page as often', async () => {
  const ctx = toolContext({
    'docs/a.md': `# A\n\n${'e '.repeat(200_000)}\n${'e\n'.repeat(200_000)}`,
  });
  const { content } = await edit(ctx, {
    command: 'str_replace',
    path: 'docs/a.md',
    old_str: 'e',
    new_str: 'x',
  });
  expect(content).toMatch(
    /occurs 400000 times in docs\/a\.md, on lines 3, 4, .* and 199981 more\./,
  );
}, 10_000);

it.each([
  { command: 'view' },
  { command: 'str_replace', old_str: 'two', new_str: '2' },
  { command: 'insert', insert_line: 0, insert_text: 'x' },
  { command: 'create', file_text: 'x' },
])('$command leaves alone what is not UTF-8, and says why', async input => {
  const ctx = toolContext({ 'docs/a.md': Buffer.from('Caf\u00e9\ntwo\n', 'latin1') });
  expect(await edit(ctx, { path: 'docs/a.md', ...input })).toMatchObject({
    isError: true,
    content: expect.stringContaining('docs/a.md is not UTF-8 text'),
  });
  expect((await ctx.workspace.changes()).size).toBe(0);
});

describe('insert', () => {
  it.each([
    ['docs/open-end.md', 0, 'x', 'x\na\nb'],
    ['docs/open-end.md', 1, 'x\n', 'a\nx\nb'],
    ['docs/open-end.md', 2, 'x', 'a\nb\nx'],
    ['docs/empty.md', 0, 'x', 'x\n'],
    ['docs/windows.md', 1, 'x\ny', 'one\r\nx\r\ny\r\ntwo\r\nthree\r\n'],
    ['docs/windows.md', 3, 'x', 'one\r\ntwo\r\nthree\r\nx\r\n'],
  ])('%s after line %d: %j', async (path, line, text, expected) => {
    const ctx = context();
    const result = await edit(ctx, {
      command: 'insert',
      path,
      insert_line: line,
      insert_text: text,
    });
    expect(result.isError).toBeUndefined();
    expect(await ctx.workspace.readText(path)).toBe(expected);
  });

  it('names the lines that there are', async () => {
    expect(
      (
        await edit(context(), {
          command: 'insert',
          path: 'docs/open-end.md',
          insert_line: 3,
          insert_text: 'x',
        })
      ).content,
    ).toContain('Use 0 to 2');
  });
});
