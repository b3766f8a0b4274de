import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitPlan, RepositoryAddress } from '../../hosts/host.ts';
import { readDiff } from '../../hosts/local/diff.ts';
import {
  closePullRequest,
  getPullRequest,
  listPullRequests,
} from '../../hosts/local/pull-requests.ts';
import type { HostDeps } from '../../hosts/host-deps.ts';
import type { WantedPullRequests } from '../../hosts/hosted-pull-requests.ts';
import { localPullRequests } from '../../hosts/local/hosted-pull-requests.ts';
import { mergePullRequest } from '../../hosts/local/merge-pull-request.ts';
import {
  configureRepository,
  deleteRepository,
  listBranches,
} from '../../hosts/local/repositories.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { repositoryFolder } from '../../hosts/local/context.ts';
import {
  git,
  type HostUnderTest,
  SAMPLE,
  startHost,
  TOKEN,
  writeFiles,
} from './host-under-test.ts';

const signal = new AbortController().signal;
let host: HostUnderTest;
let count = 0;

beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

async function sample(): Promise<{
  address: RepositoryAddress;
  name: string;
  main: string;
  folder: string;
}> {
  const name = `pulls-${count++}`;
  await importRepository(
    host.at,
    { name },
    await writeFiles(join(host.folder, `source-${name}`), SAMPLE),
  );
  const [branch] = await listBranches(host.at, name);
  return {
    address: { host: 'local', repository: name },
    name,
    main: branch!.commit,
    folder: repositoryFolder(host.at, name),
  };
}

function planOn(parent: string, path: string, text: string): CommitPlan {
  return {
    parent,
    changes: new Map([[path, Buffer.from(text)]]),
    message: `Edit ${path}`,
    time: 1_767_225_600,
  };
}

const input = (head: string) => ({
  title: 'Welcome readers',
  body: 'Says hello.',
  head,
  base: 'main',
  draft: false,
  jobId: 'job_1',
});

/**
 * Runs commands as somebody pastes them: a merge that finds a conflict ends with 1, and the next
 * one is run.
 */
async function shell(cwd: string, commands: string): Promise<void> {
  const identity = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap(role => [
      [`GIT_${role}_NAME`, 'Ada'],
      [`GIT_${role}_EMAIL`, 'ada@acme.test'],
    ]),
  );
  const env = {
    PATH: process.env['PATH'],
    HOME: host.folder,
    GIT_TERMINAL_PROMPT: '0',
    ...identity,
  };
  await new Promise<void>((resolve, reject) => {
    execFile('/bin/sh', ['-c', commands], { cwd, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(stdout + stderr));
      else resolve();
    });
  });
}

/** Plan, push, pull request, as a job publishes. */
async function publish(
  address: RepositoryAddress,
  main: string,
  head = 'docent/hello',
  text = '# Start\n\nHello.\n',
) {
  const client = host.client();
  const pushed = await client.push(
    address,
    head,
    planOn(main, 'docs/index.md', text),
    null,
    signal,
  );
  return { ...pushed, pull: await client.openPullRequest(address, input(head)) };
}

describe('a pull request', () => {
  it('is opened once, whoever repeats it, and takes a new title and body', async () => {
    const { address, main } = await sample();
    const { commit, pull } = await publish(address, main);
    expect(pull).toMatchObject({
      number: 1,
      state: 'open',
      draft: false,
      title: 'Welcome readers',
      head: 'docent/hello',
      base: 'main',
      headCommit: commit,
    });
    expect(pull.url).toMatch(/^http:\/\/docent\.test\/pulls\/[\w-]{22}$/);
    const again = await Promise.all(
      Array.from({ length: 5 }, () =>
        host.client().openPullRequest(address, input('docent/hello')),
      ),
    );
    expect(new Set(again.map(one => one.url))).toEqual(new Set([pull.url]));
    expect(
      await host.client().updatePullRequest(address, 1, { body: 'Says hello to all.' }),
    ).toMatchObject({ title: 'Welcome readers', body: 'Says hello to all.' });
    expect(await host.client().findPullRequests(address, 'docent/hello')).toHaveLength(1);
    expect(await host.client().findPullRequests(address, 'docent/other')).toEqual([]);
  });

  it('follows its branch', async () => {
    const { address, main } = await sample();
    const { commit } = await publish(address, main);
    const next = await host
      .client()
      .push(address, 'docent/hello', planOn(commit, 'README.md', 'New\n'), commit, signal);
    expect(await host.client().getPullRequest(address, 1)).toMatchObject({
      state: 'open',
      headCommit: next.commit,
    });
  });

  it('needs two branches and something between them', async () => {
    const { address } = await sample();
    await expect(host.client().openPullRequest(address, input('nowhere'))).rejects.toMatchObject({
      message: expect.stringContaining('no branch nowhere'),
    });
    await git(repositoryFolder(host.at, address.repository), 'branch', 'same', 'main');
    await expect(host.client().openPullRequest(address, input('same'))).rejects.toMatchObject({
      type: 'push_refused',
      message: expect.stringContaining('no commits'),
    });
  });

  it('merges with a merge commit, once, and says that the base moved', async () => {
    const { address, name, main, folder } = await sample();
    const { commit } = await publish(address, main);
    const merged = await Promise.all(
      Array.from({ length: 12 }, () => mergePullRequest(host.at, name, 1)),
    );
    expect(new Set(merged.map(one => one.state))).toEqual(new Set(['merged']));
    expect((await git(folder, 'log', '-1', '--format=%P%n%s', 'main')).trim()).toBe(
      `${main} ${commit}\nMerge pull request #1: Welcome readers`,
    );
    expect(await git(folder, 'show', 'main:docs/index.md')).toBe('# Start\n\nHello.\n');
    expect((await git(folder, 'rev-list', '--count', 'main')).trim()).toBe('3');
    expect(host.moved).toContain(`${name}/main`);
    await expect(closePullRequest(host.at, name, 1)).rejects.toMatchObject({ code: 'conflict' });
    const second = await host
      .client()
      .push(address, 'docent/hello', planOn(commit, 'README.md', 'more\n'), commit, signal);
    expect(await host.client().openPullRequest(address, input('docent/hello'))).toMatchObject({
      number: 2,
      headCommit: second.commit,
    });
  });

  it('that conflicts is refused, names the file and leaves everything as it was', async () => {
    const { address, name, main } = await sample();
    await publish(address, main);
    const theirs = await host
      .client()
      .push(address, 'main', planOn(main, 'docs/index.md', '# Start\n\nOther.\n'), main, signal);
    await expect(mergePullRequest(host.at, name, 1)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('docs/index.md'),
    });
    expect(await host.client().resolveBranch(address, 'main')).toBe(theirs.commit);
    expect(await getPullRequest(host.at, name, 1)).toMatchObject({ state: 'open' });
  });

  it('that conflicts is merged, and brought back, with the commands of the docs', async () => {
    const { address, name, main } = await sample();
    await publish(address, main);
    await host
      .client()
      .push(address, 'main', planOn(main, 'docs/index.md', '# Start\n\nOther.\n'), main, signal);
    await expect(mergePullRequest(host.at, name, 1)).rejects.toMatchObject({
      message: `docent/hello conflicts with main in docs/index.md. Give the instruction again as a new job, which begins from main as it is now; or merge main into docent/hello in a clone of http://docent.test/git/${name}.git, and push it.`,
    });
    const at = await writeFiles(join(host.folder, 'as-in-the-docs'), {
      '.docent/running.json': JSON.stringify({ localHostToken: TOKEN }),
    });
    await host.git(host.folder, 'clone', '--quiet', `${host.url}/git/${name}.git`, 'my-docs');
    const docs = await readFile(
      join(import.meta.dirname, '..', '..', 'docs', 'operate', 'repository-hosts.md'),
      'utf8',
    );
    const [lend, merge, bringBack] = [/^export/, /^git clone --branch/, /^git -C .* pull/].map(
      first =>
        [...docs.matchAll(/```bash\n([^]*?)```/g)]
          .find(([, block]) => first.test(block!))![1]!
          .replaceAll('http://127.0.0.1:3000', host.url)
          .replaceAll('git/my-docs', `git/${name}`)
          .replaceAll('docent/rename-widget', 'docent/hello'),
    );
    const mend = merge!.replace(
      /^#.*$/m,
      "printf '# Start\\n\\nBoth.\\n' > merge-docs/docs/index.md",
    );
    expect(mend).toContain('Both.');
    await shell(at, lend! + mend);
    expect(await mergePullRequest(host.at, name, 1)).toMatchObject({ state: 'merged' });
    await shell(at, lend! + bringBack!);
    expect(await readFile(join(host.folder, 'my-docs', 'docs', 'index.md'), 'utf8')).toBe(
      '# Start\n\nBoth.\n',
    );
    for (const folder of [join(at, 'merge-docs'), join(host.folder, 'my-docs')])
      expect(await readFile(join(folder, '.git', 'config'), 'utf8')).not.toContain(TOKEN);
  });

  it('closes; a later publication on the branch gets a new one', async () => {
    const { address, name, main } = await sample();
    await publish(address, main);
    expect(await closePullRequest(host.at, name, 1)).toMatchObject({ state: 'closed' });
    expect(await closePullRequest(host.at, name, 1)).toMatchObject({ state: 'closed' });
    await expect(mergePullRequest(host.at, name, 1)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Pull request 1 is closed.',
    });
    expect(await host.client().openPullRequest(address, input('docent/hello'))).toMatchObject({
      number: 2,
      state: 'open',
    });
    expect(
      (await host.client().findPullRequests(address, 'docent/hello')).map(one => [
        one.number,
        one.state,
      ]),
    ).toEqual([
      [2, 'open'],
      [1, 'closed'],
    ]);
  });

  it('ends with its branch: deleted is closed, merged by hand is merged', async () => {
    const { address, name, main, folder } = await sample();
    await publish(address, main, 'docent/deleted', 'a\n');
    const { commit } = await publish(address, main, 'docent/by-hand', 'b\n');
    await git(folder, 'update-ref', '-d', 'refs/heads/docent/deleted');
    await git(folder, 'update-ref', 'refs/heads/main', commit);
    expect(await getPullRequest(host.at, name, 1)).toMatchObject({ state: 'closed' });
    expect(await getPullRequest(host.at, name, 2)).toMatchObject({ state: 'merged' });
  });

  it('is closed, not merged, where its branch is set back to the base', async () => {
    const { address, name, main, folder } = await sample();
    await publish(address, main);
    await git(folder, 'update-ref', 'refs/heads/docent/hello', main);
    expect(await getPullRequest(host.at, name, 1)).toMatchObject({ state: 'closed' });
    await expect(mergePullRequest(host.at, name, 1)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Pull request 1 is closed.',
    });
  });

  it('is not merged into a repository that is read-only', async () => {
    const { address, name, main } = await sample();
    await publish(address, main);
    await configureRepository(host.at, name, { archived: true });
    await expect(mergePullRequest(host.at, name, 1)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('archived'),
    });
  });

  it('comes out as one commit and one pull request when the worker is killed in between', async () => {
    const { address, main, folder } = await sample();
    const script = `
      import { GitRepositories } from './hosts/git/repositories.ts';
      import { LocalHost } from './hosts/local/host.ts';
      const [url, token, cacheDir, repository, parent] = process.argv.slice(1);
      const host = new LocalHost({ url, token, repositories: new GitRepositories(cacheDir, { name: 'Docent', email: 'docent@localhost' }) });
      const plan = { parent, changes: new Map([['docs/index.md', Buffer.from('# Hi\\n')]]), message: 'Hi', time: 1767225600 };
      await host.push({ host: 'local', repository }, 'docent/killed', plan, null, AbortSignal.timeout(20000));
      process.kill(process.pid, 'SIGKILL');`;
    const worker = execFile(
      'node',
      [
        '--import',
        'tsx',
        '--input-type=module',
        '-e',
        script,
        host.url,
        TOKEN,
        join(host.folder, 'killed'),
        address.repository,
        main,
      ],
      { cwd: join(import.meta.dirname, '../..') },
    );
    expect((await once(worker, 'exit'))[1]).toBe('SIGKILL');
    const client = host.client(join(host.folder, 'killed'));
    const plan: CommitPlan = {
      parent: main,
      changes: new Map([['docs/index.md', Buffer.from('# Hi\n')]]),
      message: 'Hi',
      time: 1_767_225_600,
    };
    const pushed = await client.push(address, 'docent/killed', plan, null, signal);
    await client.openPullRequest(address, input('docent/killed'));
    await client.openPullRequest(address, input('docent/killed'));
    expect(await client.findPullRequests(address, 'docent/killed')).toMatchObject([
      { number: 1, headCommit: pushed.commit },
    ]);
    expect((await git(folder, 'rev-list', '--count', 'main..docent/killed')).trim()).toBe('1');
  });

  it('is listed by page and state, old open ones included, as its branches are now', async () => {
    const { address, main, folder } = await sample();
    const { repository } = address;
    for (const head of ['docent/old', 'docent/by-hand', 'docent/gone'])
      await publish(address, main, head, `# Start\n\n${head}\n`);
    await host.at.pool.query(
      `insert into local_pull_requests (repository, number, token, title, body, head, base, state,
                                        head_commit, base_commit, closed_at)
       select $1, n, 'token-' || $1 || n, 't', 'b', 'docent/' || n, 'main', 'merged', $2, $2, now()
         from generate_series(4, 253) n`,
      [repository, main],
    );
    await git(folder, 'update-ref', 'refs/heads/main', 'docent/by-hand');
    await git(folder, 'branch', '-D', 'docent/gone');
    const deps = { config: { DATA_DIR: host.at.dataDir }, pool: host.at.pool } as HostDeps;
    const list = (wanted: WantedPullRequests) => localPullRequests.list(deps, repository, wanted);
    const open = await list({ state: 'open' });
    expect(open.pullRequests.map(({ number }) => number)).toEqual([1]);
    const numbers: number[] = [];
    for (let before: number | null | undefined; before !== null;) {
      const page = await list({ before });
      numbers.push(...page.pullRequests.map(({ number }) => number));
      ({ before } = page);
    }
    expect(numbers).toEqual(Array.from({ length: 253 }, (_, i) => 253 - i));
    const ended = (await list({ before: 4 })).pullRequests.map(({ state }) => state);
    expect(ended).toEqual(['closed', 'merged', 'open']);
    // More than a page of them have ended without a word, and the old one is still found.
    await host.at.pool.query(
      `update local_pull_requests set state = 'open', closed_at = null
        where repository = $1 and number > 3`,
      [repository],
    );
    expect((await list({ state: 'open' })).pullRequests.map(({ number }) => number)).toEqual([1]);
  });

  it('is left alone by an API that does not have its files, which says so', async () => {
    const { address, main } = await sample();
    const { number } = (await publish(address, main)).pull;
    const elsewhere = { ...host.at, dataDir: join(host.folder, 'of-another-api') };
    const { repository } = address;
    for (const ask of [
      () => listPullRequests(elsewhere, repository),
      () => getPullRequest(elsewhere, repository, number),
      () => mergePullRequest(elsewhere, repository, number),
      () => readDiff(elsewhere, repository, 'main', main),
      () => configureRepository(elsewhere, repository, { archived: true }),
      () => deleteRepository(elsewhere, repository),
    ])
      await expect(ask()).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('another API'),
      });
    expect(await host.client().getPullRequest(address, number)).toMatchObject({ state: 'open' });
    expect(await host.client().describe(address)).toMatchObject({ archived: false });
  });

  it('has a merge base that the host computes', async () => {
    const { address, main } = await sample();
    const { commit } = await publish(address, main);
    const other = await host
      .client()
      .push(address, 'main', planOn(main, 'README.md', 'Moved on\n'), main, signal);
    expect(await host.client().mergeBase(address, commit, other.commit)).toBe(main);
    expect(await host.client().mergeBase(address, commit, 'ab'.repeat(20))).toBeNull();
  });

  it('does not take a git that fails for commits without a common ancestor', async () => {
    const { address, main, folder } = await sample();
    const client = host.client();
    const first = await publish(address, main);
    const plan = planOn(first.commit, 'README.md', 'More\n');
    const { commit } = await client.push(address, 'docent/more', plan, null, signal);
    expect(await client.mergeBase(address, commit, main)).toBe(main);
    const { commit: lost } = first;
    await rm(join(folder, 'objects', lost.slice(0, 2), lost.slice(2)));
    await expect(client.mergeBase(address, commit, main)).rejects.toMatchObject({
      type: 'repository_failing',
    });
  });
});
