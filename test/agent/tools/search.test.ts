import { call, toolContext } from './context.ts';

const FILES = {
  'docs/index.md': '# Home\n\nWelcome to Docent.\nSee (this) [a-z].\n',
  'docs/guides/install.mdx': '# Install\n\nRun docent start.\n\n```sh\nDOCENT=1\n```\n',
  'docs/guides/deep/more.mdx': 'nothing\n',
  'docs/.hidden/notes.md': 'docent\n',
  'docs/logo.png': Buffer.from('docent\0'),
  'src/app.ts': 'docent()\n',
};
const context = () => toolContext(FILES);

describe('search_text', () => {
  it('finds lines in the docs folder, letter case ignored', async () => {
    expect((await call(context(), 'search_text', { pattern: 'docent' })).content).toBe(
      '3 lines in 2 files:\ndocs/guides/install.mdx:3: Run docent start.\ndocs/guides/install.mdx:6: DOCENT=1\ndocs/index.md:3: Welcome to Docent.',
    );
  });

  it('takes anchors, case, context and globs', async () => {
    const ctx = context();
    expect(
      (await call(ctx, 'search_text', { pattern: '^DOCENT', case_sensitive: true, context: 1 }))
        .content,
    ).toBe(
      '1 line in 1 file:\ndocs/guides/install.mdx-5- ```sh\ndocs/guides/install.mdx:6: DOCENT=1\ndocs/guides/install.mdx-7- ```',
    );
    expect(
      (await call(ctx, 'search_text', { pattern: 'docent', glob: '**/*.ts' })).content,
    ).toContain('src/app.ts:1');
    expect(
      (await call(ctx, 'search_text', { pattern: 'docent', glob: 'guides/*.mdx' })).content,
    ).toContain('2 lines in 1 file');
    expect(
      (await call(ctx, 'search_text', { pattern: 'docent', glob: 'docs/.hidden/*' })).content,
    ).toContain('docs/.hidden/notes.md:1');
  });

  it('says how many more there are', async () => {
    expect(
      (await call(context(), 'search_text', { pattern: 'docent', max_results: 1 })).content,
    ).toContain('[2 more lines');
    const all = (await call(context(), 'search_text', { pattern: 'docent' })).content.split('\n');
    expect(
      (
        await call(context(), 'search_text', { pattern: 'docent', max_results: 1, skip: 1 })
      ).content.split('\n'),
    ).toEqual([all[0], all[2], expect.stringContaining('[1 more line: ')]);
    expect(
      (await call(context(), 'search_text', { pattern: 'docent', skip: 2 })).content.split('\n'),
    ).toEqual([all[0], all[3]]);
    expect((await call(context(), 'search_text', { pattern: 'docent', skip: 3 })).content).toBe(
      'There are only 3 lines in 2 files: skip fewer.',
    );
  });

  it('shows long lines about their match', async () => {
    const line = `${'a'.repeat(1000)} needle ${'b'.repeat(1000)}`;
    const ctx = toolContext({ 'docs/a.md': `${line}\nnext needle\n` });
    const { content } = await call(ctx, 'search_text', { pattern: 'needle' });
    expect(content).toMatch(
      /^2 lines in 1 file:\ndocs\/a\.md:1: …a+ needle b+…\ndocs\/a\.md:2: next needle$/,
    );
    expect(content.length).toBeLessThan(400);
    expect(
      (await call(ctx, 'replace_all', { find: 'needle', replace: 'pin', dry_run: true })).content,
    ).toMatch(/\ndocs\/a\.md:1: …a+ needle b+…\ndocs\/a\.md:2: next needle$/);
  });

  it("sees the job's own edits", async () => {
    const ctx = context();
    ctx.workspace.write('docs/index.md', 'changed\n');
    expect((await call(ctx, 'search_text', { pattern: 'Welcome' })).content).toContain(
      'Nothing in the docs folder matches',
    );
    expect((await call(ctx, 'search_text', { pattern: 'changed' })).content).toContain(
      'docs/index.md:1: changed',
    );
  });

  it.each(['(unclosed', '(?=look)ahead', '(a)\\1', '['])(
    'explains %j, which RE2 does not take',
    async pattern => {
      expect(await call(context(), 'search_text', { pattern })).toMatchObject({
        isError: true,
        content: expect.stringContaining('Escape'),
      });
    },
  );

  it('stays fast on patterns that make backtracking engines hang', async () => {
    const ctx = toolContext({ 'docs/a.md': `${'a'.repeat(50_000)}!\n` });
    const started = performance.now();
    await call(ctx, 'search_text', { pattern: '^(a+)+$' });
    await call(ctx, 'list_files', { glob: '*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b' });
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

describe('list_files', () => {
  it.each([
    [
      undefined,
      ['docs/guides/deep/more.mdx', 'docs/guides/install.mdx', 'docs/index.md', 'docs/logo.png'],
    ],
    ['*.mdx', ['docs/guides/deep/more.mdx', 'docs/guides/install.mdx']],
    ['guides/*', ['docs/guides/install.mdx']],
    ['docs/guides/**', ['docs/guides/deep/more.mdx', 'docs/guides/install.mdx']],
    ['**/*.{ts,png}', ['docs/logo.png', 'src/app.ts']],
    ['/docs/ind?x.[lm]d', ['docs/index.md']],
    ['docs/[!g]*.md', ['docs/index.md']],
  ])('%s', async (glob, expected) => {
    expect((await call(context(), 'list_files', { glob })).content.split('\n')).toEqual(expected);
  });

  it('cuts a long list, and goes on behind what was listed', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 450 }, (_, i) => [`docs/p${String(i).padStart(3, '0')}.md`, 'x']),
    );
    expect((await call(toolContext(files), 'list_files', {})).content).toMatch(
      /\[50 more: narrow the glob, or skip 400\.\]$/,
    );
    const rest = (await call(toolContext(files), 'list_files', { skip: 400 })).content.split('\n');
    expect([rest[0], rest.at(-1), rest.length]).toEqual(['docs/p400.md', 'docs/p449.md', 50]);
    expect((await call(toolContext(files), 'list_files', { skip: 450 })).content).toBe(
      'There are only 450 paths: skip fewer.',
    );
  });
});

describe('search_docs', () => {
  it('shows pages with sections, and says so when nothing or no index answers', async () => {
    const page = {
      path: '/install',
      url: '/install',
      title: 'Install',
      score: 1,
      sections: [{ anchor: 'npm', heading: 'With npm', text: 'Run it.' }],
    };
    expect(
      await call(toolContext(FILES, { results: [page] }), 'search_docs', { query: 'install' }),
    ).toEqual({
      content: '## Install (/install)\n### With npm (#npm)\nRun it.\n\nUse these paths with view.',
      summary: 'install (1 page)',
    });
    expect((await call(context(), 'search_docs', { query: 'x' })).content).toContain(
      'No page matches',
    );
    const broken = {
      ...context(),
      search: async () => {
        throw new Error('password=1');
      },
    };
    const result = await call(broken, 'search_docs', { query: 'x' });
    expect(result.isError).toBe(true);
    expect(result.content).not.toContain('password');
  });

  it('finds what this job has written, and nothing of what it has changed away', async () => {
    const indexed = (path: string) => ({
      path,
      url: path,
      title: path,
      score: 1,
      sections: [{ anchor: null, heading: 'Old', text: 'An old text about webhooks.' }],
    });
    const asked: unknown[] = [];
    const ctx = toolContext({
      'docs/docs.json': JSON.stringify({
        name: 'Kit',
        navigation: {
          languages: ['en', 'de'].map(language => ({
            language,
            groups: [
              { group: 'A', pages: ['a', 'b', 'c', 'new'].map(page => `${language}/${page}`) },
            ],
          })),
        },
      }),
      'docs/en/a.md': '# A\n\nWebhooks.\n',
      'docs/en/b.md': '# B\n\nWebhooks.\n',
      'docs/en/c.md': '# C\n\nWebhooks.\n',
    });
    ctx.search = async request => {
      asked.push(request);
      return [indexed('/en/a#x'), indexed('/en/b'), indexed('/en/c')];
    };
    ctx.workspace.write('docs/en/a.md', '# A\n\nNothing of it any more.\n');
    ctx.workspace.remove('docs/en/b.md');
    ctx.workspace.write(
      'docs/en/new.md',
      '---\ntitle: Signing\n---\n\nIntro.\n\n## Verify a webhook\n\nThe signature of webhooks is in a header.\n',
    );
    ctx.workspace.write('docs/de/new.md', '# Webhook\n\nSignature, webhook.\n');
    const search = async (input: object) =>
      (await call(ctx, 'search_docs', { query: 'webhook signatures', ...input })).content;
    const content = await search({ language: 'en', version: '2' });
    expect(content).toMatch(
      /^## Signing \(\/en\/new, changed in this job: docs\/en\/new\.md\)\n### Verify a webhook \(#verify-a-webhook\)\nThe signature/,
    );
    expect(content).toContain('(/en/c)');
    expect(content).not.toMatch(/\/en\/a|\/en\/b|\/de\//);
    expect(asked).toEqual([expect.objectContaining({ filter: { language: 'en', version: '2' } })]);
    expect(await search({ language: 'de' })).toContain('docs/de/new.md');
    expect(await search({ page_size: 1 })).not.toContain('/en/c');
  });
});

describe('write_todos', () => {
  it('hands the list on', async () => {
    const todos = [
      { id: '1', content: 'a', status: 'pending', priority: 'high' },
      { id: '2', content: 'b', status: 'completed', priority: 'low' },
    ];
    expect(await call(context(), 'write_todos', { todos })).toMatchObject({
      todos,
      summary: '2 todos, 1 open',
    });
  });
});
