import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDiff } from '../../api/local-host/parse-diff.ts';
import { renderMarkdown } from '../../api/local-host/markdown-view.ts';
import { mergePullRequest } from '../../hosts/local/merge-pull-request.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { listBranches } from '../../hosts/local/repositories.ts';
import { type HostUnderTest, SAMPLE, startHost, writeFiles } from './host-under-test.ts';

const signal = new AbortController().signal;
const address = { host: 'local', repository: 'page' } as const;
let host: HostUnderTest;
let path: string;

beforeAll(async () => {
  host = await startHost();
  await importRepository(
    host.at,
    { name: 'page' },
    await writeFiles(join(host.folder, 'source'), SAMPLE),
  );
  const [main] = await listBranches(host.at, 'page');
  const changes = new Map<string, Buffer | null>([
    ['docs/index.md', Buffer.from('# Start\n\nWelcome, <script>alert(1)</script> & all.\n')],
    ['docs/new.md', Buffer.from('# New\n')],
    ['docs/guides/install/linux.md', null],
    ['docs/logo.bin', Buffer.from([9, 0, 9])],
  ]);
  const client = host.client();
  await client.push(
    address,
    'docent/page',
    { parent: main!.commit, changes, message: 'Greet <everyone>', time: 1_767_225_600 },
    null,
    signal,
  );
  const pull = await client.openPullRequest(address, {
    title: 'Greet "everyone" <b>',
    head: 'docent/page',
    base: 'main',
    draft: true,
    jobId: 'job_1',
    body: '## Why\n\nBecause.\n\n![pixel](https://evil.example/p.png) <img src=x onerror=alert(1)>\n\n- [x] done\n- [ ] open\n\n[bad](javascript:alert(1)) [good](https://example.org/?a=1&b="2")\n',
  });
  path = new URL(pull.url).pathname;
});
afterAll(() => host.close());

describe('the page of a pull request', () => {
  it("shows title, state, branches, commits, and each file's changes", async () => {
    const { statusCode, body, headers } = await host.app.inject(path);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain(
      '<h1>Greet &#34;everyone&#34; &#60;b&#62; <span class="state draft">draft</span></h1>',
    );
    expect(body).toContain(
      '<span class="number">#1</span>, <code>docent/page</code> into <code>main</code>',
    );
    expect(body).toContain('Greet &#60;everyone&#62;');
    expect(body).toContain('4 files changed');
    expect(body).toContain(
      '<tr class="added"><td class="n"></td><td class="n">3</td>' +
        '<td class="code">+Welcome, &#60;script&#62;alert(1)&#60;/script&#62; &#38; all.</td></tr>',
    );
    expect(body).toContain('<td class="code">-Welcome.</td>');
    expect(body).toContain('Binary file');
  });

  it('loads the font alone and runs nothing, whatever the title, body and files hold', async () => {
    const { body, headers } = await host.app.inject(path);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(body.match(/url\([^)]*\)/g)).toEqual([
      expect.stringMatching(/^url\('\/dashboard\/assets\/inter-[\w-]+\.woff2'\)$/),
    ]);
    expect(body).not.toMatch(/<script|<img|<iframe|<link|javascript:|\son\w+=["']/i);
    expect([...body.matchAll(/href="([^"]*)"/g)].map(match => match[1])).toEqual([
      ...['#main', '/dashboard', '/docs', '/reference'],
      'https://evil.example/p.png',
      'https://example.org/?a=1&#38;b=&#34;2&#34;',
      `${path}.diff`,
      ...['#file-1', '#file-2', '#file-3', '#file-4'],
    ]);
  });

  it('gives the diff as text', async () => {
    const { body, headers } = await host.app.inject(`${path}.diff`);
    expect(headers['content-type']).toBe('text/x-diff; charset=utf-8');
    expect(body).toMatch(/^diff --git a\/docs\/guides\/install\/linux\.md/);
    expect(body).toContain('+# New\n');
  });

  it('is unknown under any other address', async () => {
    for (const other of ['/pulls/1', `${path}x`, `${path}.patch`, `/pulls/${'A'.repeat(22)}`]) {
      const { statusCode, body } = await host.app.inject(other);
      expect([statusCode, body.includes('No such pull request')]).toEqual([404, true]);
    }
  });

  it('keeps its changes when it is merged', async () => {
    const before = await host.app.inject(`${path}.diff`);
    await mergePullRequest(host.at, 'page', 1);
    const { body } = await host.app.inject(path);
    expect(body).toContain('<span class="state merged">merged</span>');
    expect((await host.app.inject(`${path}.diff`)).body).toBe(before.body);
  });
});

describe('a diff', () => {
  it('is read with moves, paths with spaces and lines that look like headers', () => {
    const [moved, odd] = parseDiff(
      [
        'diff --git a/a.md b/b.md',
        'similarity index 90%',
        'rename from a.md',
        'rename to b.md',
        '--- a/a.md',
        '+++ b/b.md',
        '@@ -1 +1 @@',
        '-old',
        '+new',
        'diff --git a/two words.md b/two words.md',
        'new file mode 100644',
        '--- /dev/null',
        '+++ b/two words.md',
        '@@ -0,0 +1,2 @@',
        '+++ not a header',
        '+-- nor this',
        '\\ No newline at end of file',
        '',
      ].join('\n'),
    );
    expect(moved).toMatchObject({
      path: 'b.md',
      from: 'a.md',
      change: 'moved',
      additions: 1,
      deletions: 1,
    });
    expect(odd).toMatchObject({
      path: 'two words.md',
      change: 'added',
      additions: 2,
      deletions: 0,
    });
    expect(odd!.lines).toHaveLength(4);
  });
});

describe('Markdown', () => {
  it('is shown as such, with raw HTML as text', () => {
    expect(renderMarkdown('# T\n\n- one\n- [x] two\n').markup).toBe(
      '<h2>T</h2><ul><li>one</li><li><span role="img" aria-label="done">☑</span> two</li></ul>',
    );
    expect(renderMarkdown('a **b** `c<d>` <i>e</i>\n\n| x |\n|---|\n| 1 |\n').markup).toBe(
      '<p>a <strong>b</strong> <code>c&#60;d&#62;</code> &#60;i&#62;e&#60;/i&#62;</p><table><thead><tr><th>x</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
    );
  });
});

describe('Markdown that would keep the parser busy', () => {
  it('is shown as it is', () => {
    expect(renderMarkdown('> '.repeat(5_000)).markup).toBe(
      `<pre tabindex="0">${'&#62; '.repeat(5_000)}</pre>`,
    );
  });
});

describe('a cache that is emptied', () => {
  it('costs one failed read, and is filled again', async () => {
    const [main] = await listBranches(host.at, 'page');
    const cache = join(host.folder, 'emptied');
    const client = host.client(cache);
    const snapshot = await client.snapshot(address, main!.commit, signal);
    await rm(cache, { recursive: true });
    await expect(snapshot.read('README.md')).rejects.toMatchObject({
      type: 'repository_unreachable',
    });
    expect(
      (await (await client.snapshot(address, main!.commit, signal)).read('README.md'))?.toString(),
    ).toBe(SAMPLE['README.md']);
  });
});
