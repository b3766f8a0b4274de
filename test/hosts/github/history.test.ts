import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trimCache } from '../../../hosts/git/cache-trim.ts';
import type { HistoryQuestion } from '../../../hosts/git/history-questions.ts';
import { GitRepositories } from '../../../hosts/git/repositories.ts';
import { GitHubClient } from '../../../hosts/github/client.ts';
import { tokenCredentials } from '../../../hosts/github/credentials.ts';
import { GitHubHost } from '../../../hosts/github/host.ts';
import { type GitHubStandIn, startGitHub } from './stand-in.ts';
import type { Repository } from './state.ts';

const ADDRESS = { host: 'github', repository: 'acme/old' } as const;
const COMMITS = 1_200;

describe('the history of a repository that hands out single objects', () => {
  let github: GitHubStandIn;
  let repository: Repository;
  let cache: string;
  beforeAll(async () => {
    github = await startGitHub();
    repository = github.addRepository('acme/old', { 'docs/first.md': 'First\n' });
    cache = mkdtempSync(join(tmpdir(), 'docent-history-'));
    grow(0, COMMITS);
  });
  afterAll(() => github.stop());

  /** Each commit changes one line of one page; the last but nine renames it. */
  function grow(from: number, to: number): void {
    const commits: string[] = [];
    for (let n = from; n < to; n += 1) {
      const lines = Array.from({ length: 5 }, (_, i) => `Line ${i} of ${n - ((n + 5 - i) % 5)}\n`);
      const text = lines.join('');
      const name = n < COMMITS - 10 ? 'docs/guide.md' : 'docs/manual.md';
      commits.push(
        'commit refs/heads/main',
        `committer Ada <ada@example.org> ${1_700_000_000 + n * 60} +0000`,
        `data <<END\nChange ${n}\nEND`,
        ...(n === from ? ['from refs/heads/main^0'] : []),
        ...(n === COMMITS - 10 ? ['D docs/guide.md'] : []),
        `M 100644 inline ${name}`,
        `data <<END\n${text}END`,
      );
    }
    execFileSync('git', ['-C', repository.folder, 'fast-import', '--quiet'], {
      input: `${commits.join('\n')}\n`,
    });
  }
  const head = (revision = 'main'): string => github.git(repository, 'rev-parse', revision).trim();
  const host = (): GitHubHost =>
    new GitHubHost(
      new GitHubClient(
        github.apiUrl,
        tokenCredentials(github.personalToken(), async () => 1),
      ),
      new GitRepositories(cache, { name: 'Docent', email: 'docent@localhost' }),
    );
  const ask = (question: HistoryQuestion, commit = head(), signal = AbortSignal.timeout(60_000)) =>
    host().history(ADDRESS, commit, question, signal);
  const asGit = (...args: string[]): string => github.git(repository, ...args);

  it('is what git says, without the contents being fetched', async () => {
    const log = { kind: 'log', path: 'docs/manual.md', skip: 2, limit: 3 } as const;
    expect(await ask(log)).toEqual({
      text: asGit(
        ...[
          'log',
          '--format=%h %cs %an: %s',
          '--abbrev=10',
          '-3',
          '--skip=2',
          '--',
          'docs/manual.md',
        ],
      ).trim(),
      isCut: true,
    });
    expect(github.state.requests.filter(line => line.endsWith('git-upload-pack'))).toHaveLength(1);
    expect((await ask({ kind: 'blame', path: 'docs/manual.md' })).text).toBe(
      asGit('blame', '--no-follow', '--date=short', '--abbrev=9', 'main', '--', 'docs/manual.md'),
    );
    const { text } = await ask({ kind: 'diff', path: '', to: head('main~3').slice(0, 9) });
    expect(text).toContain('Ada\n\nChange 1196\n\ndiff --git a/docs/manual.md');
    expect(text).toContain(asGit('diff', 'main~4', 'main~3').split('@@').at(-1));
    const renamed = await ask({ kind: 'diff', path: 'docs', from: head('main~12'), to: head() });
    expect(renamed.text).toMatch(/deleted file mode[^]*docs\/manual\.md/);
  });

  it('fetches only what is new for a later commit, and goes 1,000 commits back', async () => {
    grow(COMMITS, COMMITS + 3);
    const { text } = await ask({ kind: 'log', path: '', skip: 0, limit: 2_000 });
    const lines = text.split('\n');
    expect(lines[0]).toMatch(/Ada: Change 1202$/);
    expect(lines.length).toBeGreaterThanOrEqual(1_000);
    expect(lines.length).toBeLessThan(1_010);
  });

  it('answers only from the history of the commit that is asked about', async () => {
    const older = head('main~50');
    await expect(
      ask({ kind: 'diff', path: '', to: head().slice(0, 10) }, older),
    ).rejects.toMatchObject({ name: 'HistoryError', message: /no commit/ });
    await expect(
      ask({ kind: 'blame', path: 'docs/manual.md', lines: [90, 91] }),
    ).rejects.toMatchObject({ name: 'HistoryError', message: /has 5 lines/ });
  });

  it('is fetched again after its cache was trimmed, also in half', async () => {
    const folder = join(cache, (await readdir(cache))[0]!);
    const old = new Date(Date.now() - 5 * 3_600_000);
    for (const entry of await readdir(join(folder, 'history'), { recursive: true }))
      await utimes(join(folder, 'history', entry), old, old);
    await trimCache(cache, 1);
    expect(await readdir(cache)).toEqual([]);
    expect((await ask({ kind: 'log', path: '', skip: 0, limit: 1 })).text).toContain('Change 1202');
    await rm(join(folder, 'history', 'HEAD'));
    await rm(join(folder, 'history', 'fetched', head()));
    expect((await ask({ kind: 'log', path: '', skip: 0, limit: 1 })).text).toContain('Change 1202');
  });

  it('answers a question that was asked before from memory, and from that commit only', async () => {
    const one = host();
    const log = { kind: 'log', path: '', skip: 0, limit: 2 } as const;
    const answer = (commit: string) =>
      one.history(ADDRESS, commit, log, AbortSignal.timeout(60_000));
    const first = await answer(head());
    await rm(cache, { recursive: true });
    expect(await answer(head())).toEqual(first);
    await expect(readdir(cache)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await answer(head('main~1'))).text).not.toBe(first.text);
  });

  it('says when a commit is not to be had, and leaves when it is told to', async () => {
    const log = { kind: 'log', path: '', skip: 0, limit: 1 } as const;
    await expect(ask(log, 'a'.repeat(40))).rejects.toMatchObject({ type: 'ref_not_found' });
    await expect(ask(log, head(), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
