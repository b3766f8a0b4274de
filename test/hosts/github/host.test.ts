import type { CommitPlan, RepositoryAddress } from '../../../hosts/host.ts';
import type { GitHubHost } from '../../../hosts/github/host.ts';
import { appOf, byApp, byToken, hostWith } from './client.ts';
import { type GitHubStandIn, startGitHub } from './stand-in.ts';
import type { Repository } from './state.ts';

const signal = new AbortController().signal;
const FILES = { 'README.md': '# Acme\n', 'docs/index.md': '# Start\n\nHi.\n' };
let github: GitHubStandIn;
let count = 0;

beforeAll(async () => {
  github = await startGitHub();
});
afterAll(() => github.stop());

function sample(files: Record<string, string> = FILES): {
  repository: Repository;
  address: RepositoryAddress;
  main: string;
} {
  const repository = github.addRepository(`acme/docs-${count++}`, files);
  return {
    repository,
    address: { host: 'github', repository: `${repository.owner}/${repository.name}` },
    main: github.git(repository, 'rev-parse', 'main').trim(),
  };
}

const edit = (parent: string, text = '# Start\n\nHello.\n'): CommitPlan => ({
  parent,
  changes: new Map([['docs/index.md', Buffer.from(text)]]),
  message: 'Say hello',
  time: 1_767_225_600,
});
const PULL = {
  title: 'Say hello',
  body: 'As asked.',
  head: 'docent/hello',
  base: 'main',
  draft: false,
  jobId: 'job_1',
};

/** A branch with one commit of ours. */
async function pushed(host: GitHubHost) {
  const { repository, address, main } = sample();
  const { commit } = await host.push(address, 'docent/hello', edit(main), null, signal);
  return { repository, address, main, commit };
}

describe.each([
  ['a token', () => byToken(github)],
  ['an App', () => byApp(github)],
])('a repository on GitHub, by %s', (kind, open) => {
  /** The App is installed where the sample lies. */
  const given = <T extends { repository: Repository }>(made: T): T => {
    if (kind === 'an App') github.install([made.repository]);
    return made;
  };

  it('is described, and read at a commit', async () => {
    const { repository, address, main } = given(sample());
    repository.protectedBranches.push('main');
    github.git(repository, 'branch', 'feature', 'main');
    const host = open();
    expect(await host.describe(address)).toEqual({
      id: repository.id,
      url: `${github.webUrl}/${address.repository}`,
      defaultBranch: 'main',
      archived: false,
      empty: false,
      protectedBranches: ['main'],
    });
    expect(await host.resolveBranch(address, 'main')).toBe(main);
    expect(await host.resolveBranch(address, 'nowhere')).toBeNull();
    const snapshot = await host.snapshot(address, main, signal);
    expect((await snapshot.read('docs/index.md'))?.toString()).toBe(FILES['docs/index.md']);
  });

  it('takes the planned commit, once, and tells a branch that moved', async () => {
    const { repository, address, main } = given(sample());
    const host = open();
    const planned = await host.planCommit(address, edit(main));
    expect(await host.push(address, 'docent/a', edit(main), null, signal)).toEqual(planned);
    expect(await open().push(address, 'docent/a', edit(main), null, signal)).toEqual(planned);
    expect(github.git(repository, 'rev-parse', 'docent/a').trim()).toBe(planned.commit);
    await expect(
      host.push(address, 'docent/a', edit(main, 'other'), null, signal),
    ).rejects.toMatchObject({ type: 'branch_moved' });
  });

  it('has pull requests: opened, found, changed, merged', async () => {
    const { repository, address, main } = given(sample());
    const host = open();
    const { commit } = await host.push(address, 'docent/hello', edit(main), null, signal);
    const opened = await host.openPullRequest(address, { ...PULL, draft: true });
    expect(opened).toEqual({
      number: 1,
      url: `${github.webUrl}/${address.repository}/pull/1`,
      state: 'open',
      draft: true,
      title: 'Say hello',
      body: 'As asked.',
      head: 'docent/hello',
      base: 'main',
      headCommit: commit,
    });
    await host.updatePullRequest(address, 1, { body: 'More.' });
    expect(await host.findPullRequests(address, 'docent/hello')).toEqual([
      { ...opened, body: 'More.' },
    ]);
    expect(await host.findPullRequests(address, 'docent/other')).toEqual([]);
    github.merge(repository, 1);
    expect(await host.getPullRequest(address, 1)).toMatchObject({
      state: 'merged',
      headCommit: commit,
    });
    const merged = await host.resolveBranch(address, 'main');
    expect(await host.mergeBase(address, merged ?? '', commit)).toBe(commit);
  });

  it('has no common ancestor with a commit that never came to it, nor with a foreign one', async () => {
    const { repository, address, main } = given(sample());
    const foreign = github
      .git(
        repository,
        '-c',
        'user.name=A',
        '-c',
        'user.email=a@example.com',
        'commit-tree',
        '-m',
        'Alone',
        `${main}^{tree}`,
      )
      .trim();
    expect(await open().mergeBase(address, main, 'ab'.repeat(20))).toBeNull();
    expect(await open().mergeBase(address, main, foreign)).toBeNull();
  });

  it('names all commits of a branch, or fails: none is missing because an answer was cut', async () => {
    const { address, main } = given(sample());
    const host = open();
    const first = await host.push(address, 'docent/hello', edit(main), null, signal);
    const author = { name: 'Docs Bot', email: 'docs-bot@example.com' };
    const plan = { ...edit(first.commit, '# Start\n\nHowdy.\n'), author };
    const second = await host.push(address, 'docent/hello', plan, first.commit, signal);
    const own = async (authors = [author]) =>
      (await host.ownCommits(address, main, second.commit, authors)).map(({ commit }) => commit);
    expect(await own()).toEqual([first.commit, second.commit]);
    expect(await own([])).toEqual([first.commit]);
    const body = { merge_base_commit: { sha: main }, total_commits: 2, commits: [] };
    github.fail({ path: /\/compare\//, status: 200, body });
    await expect(own()).rejects.toMatchObject({ type: 'repository_failing' });
    expect(await own()).toEqual([first.commit, second.commit]);
  });

  it('concludes nothing from an answer that was cut: not empty, no branch unprotected, no pull request missing', async () => {
    const { address, main } = given(sample());
    const host = open();
    await host.push(address, 'docent/hello', edit(main), null, signal);
    const { number } = await host.openPullRequest(address, PULL);
    const asked: [RegExp, () => Promise<unknown>][] = [
      [/\/branches$/, () => host.describe(address)],
      [/\/pulls$/, () => host.findPullRequests(address, 'docent/hello')],
      [/\/pulls\/\d+$/, () => host.getPullRequest(address, number)],
    ];
    for (const [path, ask] of asked) {
      github.fail({ method: 'GET', path, status: 200, cut: true });
      await expect(ask()).rejects.toMatchObject({ type: 'repository_unreachable' });
    }
    expect(await host.describe(address)).toMatchObject({ empty: false });
    expect(await host.findPullRequests(address, 'docent/hello')).toHaveLength(1);
  });

  it('is followed to its new name', async () => {
    const { repository, address, main } = given(sample());
    repository.formerly.push(address.repository);
    repository.name = `renamed-${count}`;
    const host = open();
    expect(await host.describe(address)).toMatchObject({
      id: repository.id,
      url: expect.stringContaining('renamed'),
      protectedBranches: [],
    });
    await host.push(address, 'docent/hello', edit(main), null, signal);
    expect(await host.openPullRequest(address, PULL)).toMatchObject({ number: 1, state: 'open' });
    expect(await host.findPullRequests(address, 'docent/hello')).toHaveLength(1);
  });
});

describe('an App, in the midst of a turn', () => {
  /** No installation has it any more, and no token opens it. */
  const loseAccess = ({ id }: Repository) => {
    const { installations, tokens } = github.state;
    for (const each of [...installations, ...tokens])
      if (each.repositories !== 'all')
        each.repositories = each.repositories.filter(repository => repository !== id);
  };

  it('follows a repository that is renamed between its look-up and its token', async () => {
    const { repository, address, main } = sample();
    github.install([repository]);
    repository.formerly.push(address.repository);
    repository.name = `renamed-${count}`;
    // Its look-up had found the old name.
    github.fail({
      ...{ method: 'POST', path: /access_tokens$/, status: 422 },
      message: 'There is at least one repository that does not exist or is not accessible',
    });
    const host = byApp(github);
    await host.push(address, 'docent/hello', edit(main), null, signal);
    expect(await host.openPullRequest(address, PULL)).toMatchObject({
      url: expect.stringContaining(repository.name),
    });
  });

  it('follows one that is transferred to another account, and ends where access is gone', async () => {
    const { repository, address, main } = sample();
    github.install([repository]);
    const host = byApp(github);
    await host.push(address, 'docent/hello', edit(main), null, signal);
    repository.formerly.push(address.repository);
    repository.owner = 'umbrella';
    loseAccess(repository);
    github.install([repository]);
    expect(await host.openPullRequest(address, PULL)).toMatchObject({
      url: expect.stringContaining('umbrella'),
    });
    loseAccess(repository);
    await expect(host.describe(address)).rejects.toMatchObject({ type: 'repository_not_found' });
  });
});

describe('opening a pull request', () => {
  it('again returns the open one', async () => {
    const host = byToken(github);
    const { repository, address } = await pushed(host);
    const first = await host.openPullRequest(address, PULL);
    expect(await host.openPullRequest(address, PULL)).toEqual(first);
    expect(repository.pulls).toHaveLength(1);
  });

  it('whose answer is lost is made good by the next try', async () => {
    const host = byToken(github);
    const { repository, address } = await pushed(host);
    github.fail({ method: 'POST', path: /\/pulls$/, status: 502, after: true });
    await expect(host.openPullRequest(address, PULL)).rejects.toMatchObject({
      type: 'repository_failing',
    });
    expect(await host.openPullRequest(address, PULL)).toMatchObject({ number: 1 });
    expect(repository.pulls).toHaveLength(1);
  });

  it('as a draft falls back where drafts are not to be had', async () => {
    const host = byToken(github);
    const { repository, address } = await pushed(host);
    repository.drafts = false;
    expect(await host.openPullRequest(address, { ...PULL, draft: true })).toMatchObject({
      state: 'open',
      draft: false,
    });
  });

  it('of a branch that the base has already comes to one that is over', async () => {
    const host = byToken(github);
    const { repository, address, commit } = await pushed(host);
    github.git(repository, 'update-ref', 'refs/heads/main', commit);
    expect(await host.openPullRequest(address, PULL)).toMatchObject({ state: 'closed' });
    expect(repository.pulls).toEqual([]);
  });

  it('is not misled by the same branch name of a fork', async () => {
    const host = byToken(github);
    const { repository, address } = await pushed(host);
    const opened = await host.openPullRequest(address, PULL);
    repository.pulls.push({ ...repository.pulls[0]!, number: 2, fork: true });
    expect(await host.findPullRequests(address, 'docent/hello')).toEqual([opened]);
  });
});

describe('tokens of the App', () => {
  it('are asked for one repository, with the least permissions, and used until they near their end', async () => {
    const { repository, address } = sample();
    const other = sample();
    const installation = github.install([repository, other.repository]);
    const before = github.state.mints.length;
    const host = byApp(github);
    await host.describe(address);
    await host.resolveBranch(address, 'main');
    await host.describe(address);
    expect(github.state.mints.slice(before)).toEqual([
      {
        installation,
        body: {
          repositories: [repository.name],
          permissions: { contents: 'write', pull_requests: 'write', metadata: 'read' },
        },
      },
    ]);
    expect(github.state.tokens.at(-1)).toMatchObject({
      repositories: [repository.id],
      permissions: expect.not.objectContaining({ workflows: expect.anything() }),
    });
  });

  it('that were revoked are replaced, once', async () => {
    const { repository, address, main } = sample();
    github.install([repository]);
    const host = byApp(github);
    await host.describe(address);
    github.state.tokens.at(-1)!.revoked = true;
    expect(await host.resolveBranch(address, 'main')).toBe(main);
    github.state.tokens.at(-1)!.revoked = true;
    expect(await host.describe(address)).toMatchObject({ empty: false });
  });

  it('that run out are replaced before they do', async () => {
    const { repository, address } = sample();
    github.install([repository]);
    const host = byApp(github);
    github.state.tokenSeconds = 300;
    await host.describe(address);
    const minted = github.state.mints.length;
    await host.describe(address);
    github.state.tokenSeconds = 3600;
    expect(github.state.mints.length).toBeGreaterThan(minted);
  });

  it('are not asked for on behalf of another organization', async () => {
    const { repository, address } = sample();
    github.install([repository]);
    const { RepositoryError } = await import('../../../hosts/repository-error.ts');
    const host = hostWith(
      github,
      appOf(github, async () => {
        throw new RepositoryError('credentials_refused', 'Not yours.');
      }),
    );
    const before = github.state.mints.length;
    await expect(host.resolveBranch(address, 'main')).rejects.toThrow('Not yours.');
    expect(github.state.mints).toHaveLength(before);
  });

  it('serve no longer than the installation is the organization’s', async () => {
    const { repository, address } = sample();
    github.install([repository]);
    const { RepositoryError } = await import('../../../hosts/repository-error.ts');
    let disconnected = false;
    const host = hostWith(
      github,
      appOf(github, async () => {
        if (disconnected) throw new RepositoryError('credentials_refused', 'Disconnected.');
      }),
    );
    await host.describe(address);
    disconnected = true;
    await expect(host.describe(address)).rejects.toThrow('Disconnected.');
    await expect(host.resolveBranch(address, 'main')).rejects.toThrow('Disconnected.');
  });
});

it('never pushes to the default branch or a protected one, whatever its token may do', async () => {
  const { repository, address, main } = sample();
  const host = byToken(github);
  github.git(repository, 'branch', 'release', 'main');
  repository.protectedBranches.push('release');
  for (const branch of ['main', 'release']) {
    await expect(host.push(address, branch, edit(main), main, signal)).rejects.toMatchObject({
      type: 'push_refused',
      message: expect.stringContaining(`branch ${branch}`),
    });
    expect(github.git(repository, 'rev-parse', branch).trim()).toBe(main);
  }
});
