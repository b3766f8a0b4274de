import { call, edit, toolContext } from './context.ts';

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const text = async (context: ReturnType<typeof toolContext>, path: string) =>
  (await context.workspace.readText(path)) ?? '';

describe('view_files', () => {
  const context = () =>
    toolContext({
      'docs/a.md': 'one\ntwo\nthree\n',
      'docs/b.md': 'four\n',
      'docs/long.md': 'x'.repeat(99).concat('\n').repeat(290),
      'docs/dot.png': PNG,
    });
  const view = (files: unknown, ctx = context()) => call(ctx, 'view_files', { files });

  it('shows files and parts of them, each under its path', async () => {
    const { content, isError, summary } = await view([
      { path: 'docs/a.md', view_range: [2, 3] },
      { path: 'b' },
      { path: 'docs/none.md' },
      { path: 'docs/a.md', view_range: [9, 10] },
    ]);
    expect(isError).toBeUndefined();
    expect(content).toContain(
      '=== docs/a.md ===\n     2\ttwo\n     3\tthree\n\n=== docs/b.md ===\n',
    );
    expect(content).toContain('=== docs/none.md ===\nThere is no file docs/none.md.');
    expect(content).toContain('has lines 1 to 3');
    expect(summary).toContain('docs/a.md:2-3, docs/b.md');
  });

  it('names what has no room, says what an image is, and fails if nothing was found', async () => {
    const long = { path: 'docs/long.md' };
    const { content } = await view([
      long,
      { path: 'docs/dot.png' },
      long,
      long,
      { path: 'docs/b.md' },
    ]);
    expect(content.length).toBeLessThan(65_000);
    expect(content).toContain('PNG image, 1 × 1 pixels');
    expect(content.slice(-200)).toMatch(
      /\[No room for the rest: view docs\/long\.md, .*docs\/b\.md in/,
    );
    expect(await view([{ path: 'docs/none.md' }])).toMatchObject({ isError: true });
    expect(await view([])).toMatchObject({ isError: true });
    expect(await view(Array.from({ length: 21 }, () => long))).toMatchObject({ isError: true });
  });
});

describe('images', () => {
  const context = () =>
    toolContext({
      'docs/index.md': '# Hello\n',
      'docs/old.png': PNG,
      'assets/new.png': PNG,
      'assets/text.png': 'no image\n',
      'assets/mark.svg': '<svg viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>\n',
      'assets/big.png': Buffer.concat([PNG, Buffer.alloc(1_100_000)]),
      'assets/wide.gif': Buffer.from('474946383961409c0100000000', 'hex'),
      'assets/cut.jpg': Buffer.from('ffd8ffe0', 'hex'),
    });

  it('are shown to a model that can see them, and described to another', async () => {
    const ctx = context();
    const view = (path: string) => edit(ctx, { command: 'view', path });
    expect(await view('docs/old.png')).toMatchObject({
      content: 'docs/old.png: PNG image, 1 × 1 pixels, 1 kB.',
      image: { mediaType: 'image/png', data: PNG.toString('base64') },
    });
    ctx.canSeeImages = false;
    const unseen = await view('docs/old.png');
    expect(unseen.content).toContain('This model cannot see images.');
    expect(unseen).not.toHaveProperty('image');
    ctx.canSeeImages = true;
    for (const path of ['assets/big.png', 'assets/wide.gif', 'assets/cut.jpg']) {
      const result = await view(path);
      expect(result.content).toMatch(/not shown|cannot be read, or is over/);
      expect(result).not.toHaveProperty('image');
    }
    expect(await view('assets/text.png')).toMatchObject({
      content: expect.stringContaining('no image'),
    });
  });

  it('are added and replaced from files of the repository, by path or address', async () => {
    const ctx = context();
    const add = (path: string, from: string, replace?: boolean) =>
      call(ctx, 'add_image', { path, from, ...(replace !== undefined && { replace }) });
    expect((await add('docs/img/a.png', 'assets/new.png')).content).toMatch(
      /^Added docs\/img\/a\.png: PNG/,
    );
    expect(await ctx.workspace.read('docs/img/a.png')).toEqual(PNG);
    expect((await add('docs/old.png', 'assets/new.png', true)).content).toMatch(/^Replaced/);
    expect((await add('docs/m.svg', 'assets/mark.svg')).isError).toBeUndefined();
    for (const address of [
      'https://github.com/acme/docs/blob/feature/one/assets/new.png?raw=true',
      'https://raw.githubusercontent.com/acme/docs/main/assets/new.png',
    ])
      expect((await add(`docs/${address.length}.png`, address)).isError).toBeUndefined();
  });

  it.each([
    ['docs/a.png', 'assets/none.png', undefined, 'There is no file'],
    ['docs/a.png', 'https://example.com/acme/other/x.png', undefined, 'not a file of acme/docs'],
    ['docs/a.png', 'https://example.com/acme/docs/main/none.png', undefined, 'not a file of'],
    ['docs/a.png', 'https://[', undefined, 'not a file of'],
    ['docs/a.png', 'file:///etc/passwd', undefined, 'not a file of'],
    ['docs/a.png', 'assets/text.png', undefined, 'does not contain an image'],
    ['docs/a.jpg', 'assets/new.png', undefined, 'not of the type'],
    ['docs/a.svg', 'assets/new.png', undefined, 'does not contain an image'],
    ['docs/a.png', 'assets/big.png', undefined, 'the most is 1 MiB'],
    ['docs/old.png', 'assets/new.png', undefined, 'exists. Use replace'],
    ['docs/a.png', 'assets/new.png', true, 'to replace'],
    ['src/a.png', 'assets/new.png', undefined, 'may not be changed'],
    ['docs/a.exe', 'assets/new.png', undefined, 'may not be changed'],
  ])('%s from %s (replace: %s) is refused: %s', async (path, from, replace, reason) => {
    const ctx = context();
    expect(await call(ctx, 'add_image', { path, from, replace: replace ?? null })).toMatchObject({
      isError: true,
      content: expect.stringContaining(reason),
    });
    expect((await ctx.workspace.changes()).size).toBe(0);
  });
});

describe('search_text', () => {
  it('finds words across a wrapped line, also in a list or a quotation', async () => {
    const ctx = toolContext({
      'docs/a.md':
        'The rate\nlimit is ten.\n\n- a rate\n  limit\n\n> of the rate\n> limit\r\n\nrate limit\n',
    });
    const { content } = await call(ctx, 'search_text', { pattern: 'rate limit' });
    expect(content).toMatch(/^4 lines in 1 file:/);
    expect(content).toContain('docs/a.md:1: The rate');
    for (const pattern of ['rate[ ]limit', 'rate  ?limit', 'rate\\ limit'])
      expect((await call(ctx, 'search_text', { pattern })).content).toMatch(/^1 line in/);
  });
});

describe('replace_all with a regular expression', () => {
  const FILES = {
    'docs/a.md': 'See [Install](/install).\nSee [Use](/use).\n\n```\nSee [Code](/code).\n```\n',
    'docs/crlf.md': 'one\r\ntwo\r\nthree\r\n',
  };

  it('shows each place before and after, then replaces across lines and with groups', async () => {
    const ctx = toolContext(FILES);
    const wanted = {
      find: '^See \\[(?P<title>\\w+)\\]\\((.*?)\\)',
      replace: 'Read ${title} ($2, $$1)',
      regex: true,
      scope: 'prose',
    };
    const everywhere = { ...wanted, scope: 'all' };
    const preview = await call(ctx, 'replace_all', { ...everywhere, dry_run: true });
    expect(preview.content).toContain('docs/a.md:2: "See [Use](/use)" -> "Read Use (/use, $1)"');
    expect((await ctx.workspace.changes()).size).toBe(0);
    expect((await call(ctx, 'replace_all', everywhere)).content).toContain(
      'Replaced 3 occurrences',
    );
    expect(await text(ctx, 'docs/a.md')).toMatch(/^Read Install \(\/install, \$1\)\.\nRead Use/);

    const lines = { find: 'two\\nthr', replace: '2\n3', regex: true };
    expect((await call(ctx, 'replace_all', lines)).content).toContain('docs/crlf.md: 1 (line 2)');
    expect(await text(ctx, 'docs/crlf.md')).toBe('one\r\n2\r\n3ee\r\n');
    const same = { find: '(one)', replace: '$1', regex: true };
    expect((await call(ctx, 'replace_all', same)).content).toContain('Nothing replaced');
  });

  it.each([
    [{ find: '(unclosed' }, 'RE2'],
    [{ find: '(?=look)' }, 'RE2'],
    [{ find: '(one)', replace: '$7' }, 'RE2'],
    [{ find: 'one', whole_word: true }, 'whole_word goes without regex'],
  ])('explains %j', async (input, reason) => {
    const ctx = toolContext(FILES);
    expect(await call(ctx, 'replace_all', { replace: 'x', regex: true, ...input })).toMatchObject({
      isError: true,
      content: expect.stringContaining(reason),
    });
    expect((await ctx.workspace.changes()).size).toBe(0);
  });
});
