import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDiff } from '../../hosts/git/parse-diff.ts';
import type { LinkedPullRequest } from '../../api/dashboard/contract/jobs.ts';
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

/** What the script shows. */
function dataOf(body: string): LinkedPullRequest {
  const [, json = ''] =
    /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(body) ?? [];
  return JSON.parse(json) as LinkedPullRequest;
}

describe('the page of a pull request', () => {
  it('has title, description and diff in its HTML, and what previews show', async () => {
    const { statusCode, body, headers } = await host.app.inject(path);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const title = 'Greet &#34;everyone&#34; &#60;b&#62;';
    expect(body).toContain(`<title>${title} · #1</title>`);
    expect(body).toContain(`<meta property="og:title" content="${title} · #1">`);
    expect(body).toContain('<meta property="og:description" content="Why Because. pixel &#60;img');
    expect(body).toContain(`<h1>${title}</h1>`);
    expect(body).toContain('draft, #1, docent/page into main of page');
    expect(body).toContain('## Why\n\nBecause.');
    expect(body).toContain(
      '+Welcome, &#60;script&#62;alert(1)&#60;/script&#62; &#38; all.\ndiff --git ',
    );
    expect(body).toContain('Binary files a/docs/logo.bin and b/docs/logo.bin differ');
  });

  it('has what the dashboard shows of it, and nothing of its job', async () => {
    const pull = dataOf((await host.app.inject(path)).body);
    expect(Object.keys(pull).toSorted()).toEqual(
      'base body closedAt commits createdAt diff draft head number repository state title'.split(
        ' ',
      ),
    );
    expect(pull).toMatchObject({ number: 1, state: 'open', draft: true, head: 'docent/page' });
    expect(pull.commits).toMatchObject([{ subject: 'Greet <everyone>' }]);
    expect(pull.diff).toMatchObject({ complete: true });
    expect(pull.diff.files.map(file => [file.path, file.change])).toEqual([
      ['docs/guides/install/linux.md', 'deleted'],
      ['docs/index.md', 'changed'],
      ['docs/logo.bin', 'changed'],
      ['docs/new.md', 'added'],
    ]);
  });

  it('runs only our scripts and says its address to nobody, whatever title, body and files hold', async () => {
    const { body, headers } = await host.app.inject(path);
    expect(headers['content-security-policy']).toBe(
      "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
        "form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    expect(body.match(/<script[^>]*>/g)).toEqual([
      expect.stringContaining('src="/dashboard/theme.js"'),
      expect.stringMatching(/src="\/dashboard\/assets\/review-[\w-]+\.js"/),
      '<script type="application/json" id="data">',
    ]);
    expect(body).not.toMatch(/<iframe|<img(?! src="\/dashboard)|href="javascript:|\son\w+=["']/i);
  });

  it('sends the beginning of a diff that is too long, and where the rest is', async () => {
    const [{ commit: parent } = { commit: '' }] = await listBranches(host.at, 'page');
    const long = `${'A line.\n'.repeat(20_000)}The end.\n`;
    const changes = new Map([['docs/long.md', Buffer.from(long)]]);
    const plan = { parent, changes, message: 'Long', time: 1_767_225_600 };
    await host.client().push(address, 'docent/long', plan, null, signal);
    const { url } = await host.client().openPullRequest(address, {
      ...{ title: 'Long', head: 'docent/long', base: 'main', draft: false, body: '' },
      jobId: 'job_2',
    });
    const link = new URL(url).pathname;
    const { body } = await host.app.inject(link);
    expect(body).toContain('<meta property="og:description" content="#2, docent/long into main');
    expect(body).toContain(`<a href="${link}.diff">All of the diff</a>`);
    const shown = body.slice(0, body.indexOf('<script type="application/json"'));
    expect(shown.length).toBeGreaterThan(100_000);
    expect(shown.length).toBeLessThan(110_000);
    expect(dataOf(body).diff.complete).toBe(false);
    expect((await host.app.inject(`${link}.diff`)).body).toContain('+The end.');
  });

  it('is not as long as a line of the diff is', async () => {
    const [{ commit: parent } = { commit: '' }] = await listBranches(host.at, 'page');
    const changes = new Map([['docs/a.js', Buffer.from(`let a;\n${'x'.repeat(8_000_000)}\n`)]]);
    const plan = { parent, changes, message: 'Bundle', time: 1_767_225_600 };
    await host.client().push(address, 'docent/bundle', plan, null, signal);
    const { url } = await host.client().openPullRequest(address, {
      ...{ title: 'Bundle', head: 'docent/bundle', base: 'main', draft: false, body: '' },
      jobId: 'job_3',
    });
    const { body } = await host.app.inject(new URL(url).pathname);
    expect(body.length).toBeLessThan(4_500_000);
    const { files, complete } = dataOf(body).diff;
    expect([complete, files[0]?.lines.slice(1)]).toEqual([false, ['+let a;']]);
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
    expect(body).toContain('merged, #1, ');
    expect(dataOf(body)).toMatchObject({ state: 'merged', closedAt: expect.any(String) });
    expect((await host.app.inject(`${path}.diff`)).body).toBe(before.body);
  });
});

describe('a diff', () => {
  it('is read with names that git quotes', () => {
    const files = parseDiff(
      [
        String.raw`diff --git "a/a \"b\" \\ \t\001 é.md" "b/a \"b\" \\ \t\001 é.md"`,
        'new file mode 100644',
        String.raw`diff --git a/plain.md "b/tab\t.md"`,
        'similarity index 100%',
        'rename from plain.md',
        String.raw`rename to "tab\t.md"`,
      ].join('\n'),
    );
    expect(files.map(file => file.path)).toEqual(['a "b" \\ \t\u0001 é.md', 'tab\t.md']);
  });

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
