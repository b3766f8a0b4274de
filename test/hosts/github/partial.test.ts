import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { openWorkspace } from '../../../agent/workspace.ts';
import { call, toolContext } from '../../agent/tools/context.ts';
import { byToken } from './client.ts';
import { type GitHubStandIn, startGitHub } from './stand-in.ts';

const signal = new AbortController().signal;

describe('a large repository', () => {
  let github: GitHubStandIn;
  beforeAll(async () => {
    github = await startGitHub();
  });
  afterAll(() => github.stop());

  /** Pages that differ in little, so that git sends them as deltas; folders likewise. */
  const line = (i: number): string =>
    `Sentence ${i} of a text that is long enough for git to look for what is common.\n`;
  const page = (n: number): string =>
    `# Page ${n}\n\n${Array.from({ length: 80 }, (_, i) => line(i === n % 80 ? i * n : i)).join('')}`;
  const binary = randomBytes(300_000).toString('base64');
  const files = {
    ...Object.fromEntries(
      Array.from({ length: 700 }, (_, n) => [`docs/part-${n % 7}/page-${n}.md`, page(n)]),
    ),
    'docs/logo.svg': binary,
    'docs/docs.json': '{}',
    'src/ä ö.ts': 'export {};\n',
  };
  const fetches = () =>
    github.state.requests.filter(request => request.endsWith('git-upload-pack')).length;

  it('is listed as git lists it, with every page; the rest comes when it is read', async () => {
    const repository = github.addRepository('acme/large', files);
    github.git(repository, 'gc', '-q');
    const main = github.git(repository, 'rev-parse', 'main').trim();
    const before = fetches();
    const snapshot = await byToken(github).snapshot(
      { host: 'github', repository: 'acme/large' },
      main,
      signal,
    );
    expect(fetches() - before).toBe(2); // the folders, and all pages
    const listed = [...snapshot.entries].map(
      ([path, { mode, id }]) => `${mode} blob ${id}\t${path}`,
    );
    expect(listed).toEqual(
      github
        .git(repository, '-c', 'core.quotePath=false', 'ls-tree', '-r', main)
        .trim()
        .split('\n'),
    );
    for (const n of [0, 1, 77, 699])
      expect((await snapshot.read(`docs/part-${n % 7}/page-${n}.md`))?.toString()).toBe(page(n));
    expect(snapshot.entries.get('docs/part-0/page-0.md')?.size).toBe(page(0).length);
    expect(fetches() - before).toBe(2);
    const [logo, settings, code] = await Promise.all(
      ['docs/logo.svg', 'docs/docs.json', 'src/ä ö.ts'].map(path => snapshot.read(path)),
    );
    expect([logo?.toString(), settings?.toString(), code?.toString()]).toEqual([
      binary,
      '{}',
      'export {};\n',
    ]);
    expect(fetches() - before).toBe(3);
  });

  it('has only what is new fetched for a later commit, and takes a commit on files that were never read', async () => {
    const repository = github.addRepository('acme/grows', files);
    const address = { host: 'github', repository: 'acme/grows' } as const;
    const host = byToken(github);
    const main = github.git(repository, 'rev-parse', 'main').trim();
    await host.snapshot(address, main, signal);
    const plan = {
      parent: main,
      changes: new Map([['docs/part-1/page-1.md', Buffer.from('# New\n')]]),
      message: 'Change',
      time: 1_800_000_000,
    };
    const { commit } = await host.push(address, 'docent/new', plan, null, signal);
    expect(github.git(repository, 'diff', '--stat', main, commit)).toContain('1 file changed');
    expect(github.git(repository, 'fsck', '--strict')).toBe('');
    const before = fetches();
    const other = await byToken(github).snapshot(address, commit, signal);
    expect((await other.read('docs/part-1/page-1.md'))?.toString()).toBe('# New\n');
    const again = await host.snapshot(address, commit, signal);
    expect((await again.read('docs/logo.svg'))?.toString()).toBe(binary);
    expect(fetches() - before).toBe(3);
  });

  it('is pushed to with what is new alone, also after the base has moved on', async () => {
    const repository = github.addRepository('acme/moves', files);
    const address = { host: 'github', repository: 'acme/moves' } as const;
    const host = byToken(github);
    const parent = github.git(repository, 'rev-parse', 'main').trim();
    await host.snapshot(address, parent, signal);
    const tree = github.git(repository, 'rev-parse', 'main^{tree}').trim();
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    const make = [...who, 'commit-tree', tree, '-p', parent, '-m', 'Later'];
    const later = github.git(repository, ...make).trim();
    github.git(repository, 'update-ref', 'refs/heads/main', later);
    const before = fetches();
    const changes = new Map([['docs/part-1/page-1.md', Buffer.from('# New\n')]]);
    const plan = { parent, changes, message: 'Change', time: 1_800_000_000 };
    github.git(repository, 'config', 'receive.maxInputSize', '30k');
    const { commit } = await host.push(address, 'docent/new', plan, null, signal);
    expect(github.git(repository, 'rev-parse', 'docent/new').trim()).toBe(commit);
    expect(fetches() - before).toBe(1); // which commits are there
  });

  it('is searched from disk, and what is not there is fetched together', async () => {
    const repository = github.addRepository('acme/searched', {
      ...files,
      'docs/part-0/page-0.md': `# Page 0\n\nOnly here: ${process.hrtime.bigint()}\n`,
      'src/new.ts': `// Only here, too: ${process.hrtime.bigint()}\n`,
    });
    const main = github.git(repository, 'rev-parse', 'main').trim();
    const address = { host: 'github', repository: 'acme/searched' } as const;
    const snapshot = await byToken(github).snapshot(address, main, signal);
    const read = jest.fn(snapshot.read);
    const context = {
      ...toolContext({}),
      workspace: openWorkspace({ ...snapshot, read }, new Map()),
    };
    const before = fetches();
    for (let i = 0; i < 2; i++) {
      const search = { pattern: 'only here', glob: '**/*' };
      const { content } = await call(context, 'search_text', search);
      expect(content).toMatch(
        /^2 lines in 2 files:\ndocs\/part-0\/page-0\.md:3: .*\nsrc\/new\.ts:1: /,
      );
    }
    expect(fetches() - before).toBeLessThanOrEqual(2); // in the first group of files, and in the last
    for (const [path] of read.mock.calls) expect(path).not.toMatch(/\.md$/);
    expect(read.mock.calls.length).toBeLessThanOrEqual(4);
  });

  it('says when a commit is not to be had, or the answer is damaged', async () => {
    github.addRepository('acme/small', { 'a.md': 'a' });
    const address = { host: 'github', repository: 'acme/small' } as const;
    await expect(byToken(github).snapshot(address, 'a'.repeat(40), signal)).rejects.toMatchObject({
      type: 'ref_not_found',
    });
    github.fail({ path: /git-upload-pack$/, status: 200, message: 'not a pack' });
    await expect(byToken(github).snapshot(address, 'b'.repeat(40), signal)).rejects.toMatchObject({
      name: 'RepositoryError',
    });
  });
});
