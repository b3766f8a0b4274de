import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitPlan, RepositoryAddress } from '../../hosts/host.ts';
import { createRepository, importRepository } from '../../hosts/local/new-repository.ts';
import { configureRepository, listBranches } from '../../hosts/local/repositories.ts';
import { repositoryFolder } from '../../hosts/local/context.ts';
import { git, type HostUnderTest, SAMPLE, startHost, writeFiles } from './host-under-test.ts';

const signal = new AbortController().signal;
let host: HostUnderTest;
let count = 0;

beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

/** A repository with the sample's files. */
async function sample(): Promise<{ address: RepositoryAddress; main: string; folder: string }> {
  const name = `sample-${count++}`;
  const source = await writeFiles(join(host.folder, `source-${name}`), SAMPLE);
  await chmod(join(source, 'docs/index.md'), 0o755);
  await importRepository(host.at, { name }, source);
  const [branch] = await listBranches(host.at, name);
  return {
    address: { host: 'local', repository: name },
    main: branch!.commit,
    folder: repositoryFolder(host.at, name),
  };
}

function planOn(
  parent: string,
  changes: Record<string, string | null>,
  message = 'Edit the docs',
): CommitPlan {
  // Later than any parent, whose time it would be otherwise.
  return {
    parent,
    changes: new Map(
      Object.entries(changes).map(([path, text]) => [
        path,
        text === null ? null : Buffer.from(text),
      ]),
    ),
    message,
    time: 4_102_444_800,
  };
}

const EDIT = {
  'docs/index.md': '# Start\n\nHello.\n',
  'docs/new/deep/page.md': '# New\n',
  'docs/guides/install/linux.md': null,
};

describe('a snapshot', () => {
  it('lists every file with mode and size, and reads their bytes', async () => {
    const { address, main } = await sample();
    const snapshot = await host.client().snapshot(address, main, signal);
    expect([...snapshot.entries.keys()]).toEqual(
      [
        'README.md',
        'docs.json',
        'docs/guides/install.md',
        'docs/guides/install/linux.md',
        'docs/index.md',
        'docs/logo.bin',
      ].sort(),
    );
    expect(snapshot.entries.get('docs/index.md')).toMatchObject({ mode: '100755', size: 18 });
    expect(await snapshot.read('docs/logo.bin')).toEqual(SAMPLE['docs/logo.bin']);
    expect(await snapshot.read('docs/nowhere.md')).toBeUndefined();
  });

  it('is fetched once by any number of callers, and a caller that aborts leaves it to the others', async () => {
    const { address, main } = await sample();
    const client = host.client();
    let fetches = 0;
    host.app.server.on('request', request => {
      if (request.url?.endsWith(`${address.repository}.git/git-upload-pack`)) fetches += 1;
    });
    const gone = new AbortController();
    const first = client.snapshot(address, main, gone.signal);
    const others = Array.from({ length: 5 }, () => client.snapshot(address, main, signal));
    gone.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(new Set((await Promise.all(others)).map(snapshot => snapshot.entries.size))).toEqual(
      new Set([6]),
    );
    expect(fetches).toBe(1);
  });

  it('is the same for two workers that fill one cache folder at once', async () => {
    const { address, main } = await sample();
    const shared = join(host.folder, `shared-${address.repository}`);
    const snapshots = await Promise.all(
      [host.client(shared), host.client(shared), host.client(shared)].map(client =>
        client.snapshot(address, main, signal),
      ),
    );
    for (const snapshot of snapshots)
      expect((await snapshot.read('docs/guides/install.md'))?.toString()).toBe(
        SAMPLE['docs/guides/install.md'],
      );
  });

  it('of a later commit brings only what is new', async () => {
    const { address, main } = await sample();
    const client = host.client();
    await client.snapshot(address, main, signal);
    const work = join(host.folder, `work-${address.repository}`);
    await host.git(host.folder, 'clone', '-q', `${host.url}/git/${address.repository}.git`, work);
    await writeFiles(work, { 'docs/later.md': '# Later\n' });
    await git(work, 'add', '.');
    await git(work, 'commit', '-qm', 'later');
    await host.git(work, 'push', '-q', 'origin', 'main');
    const head = await client.resolveBranch(address, 'main');
    const sent: number[] = [];
    host.app.server.on('request', (request, response) => {
      if (!request.url?.endsWith(`${address.repository}.git/git-upload-pack`)) return;
      const { write } = response;
      let bytes = 0;
      response.write = (chunk: Uint8Array, ...rest: never[]) => {
        bytes += chunk.length;
        return (write as (...all: unknown[]) => boolean).call(response, chunk, ...rest);
      };
      response.on('finish', () => sent.push(bytes));
    });
    const snapshot = await client.snapshot(address, head!, signal);
    expect((await snapshot.read('docs/later.md'))?.toString()).toBe('# Later\n');
    expect(await snapshot.read('docs/logo.bin')).toEqual(SAMPLE['docs/logo.bin']);
    const whole = await host.client().snapshot(address, head!, signal);
    expect([...whole.entries]).toEqual([...snapshot.entries]);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toBeLessThan(sent[1]! / 4);
  });

  it('survives the deletion of its branch, and of the cache', async () => {
    const { address, main } = await sample();
    const plan = planOn(main, EDIT);
    const { commit } = await host.client().push(address, 'docent/gone', plan, null, signal);
    await git(
      host.folder,
      '--git-dir',
      repositoryFolder(host.at, address.repository),
      'update-ref',
      '-d',
      'refs/heads/docent/gone',
    );
    const snapshot = await host.client().snapshot(address, commit, signal);
    expect(snapshot.entries.has('docs/new/deep/page.md')).toBe(true);
  });

  it('of a commit that is nowhere is a missing ref', async () => {
    const { address } = await sample();
    await expect(host.client().snapshot(address, 'ab'.repeat(20), signal)).rejects.toMatchObject({
      type: 'ref_not_found',
    });
  });

  it('of a repository that is empty, unknown or out of reach says which', async () => {
    await createRepository(host.at, { name: 'empty' });
    const empty = { host: 'local', repository: 'empty' } as const;
    const client = host.client();
    expect(await client.describe(empty)).toMatchObject({
      empty: true,
      defaultBranch: 'main',
      url: 'http://docent.test/git/empty.git',
    });
    expect(await client.resolveBranch(empty, 'main')).toBeNull();
    await expect(client.snapshot(empty, 'ab'.repeat(20), signal)).rejects.toMatchObject({
      type: 'repository_empty',
    });
    await expect(
      client.resolveBranch({ host: 'local', repository: 'nowhere' }, 'main'),
    ).rejects.toMatchObject({ type: 'repository_not_found' });
    await expect(client.describe({ host: 'local', repository: 'nowhere' })).rejects.toMatchObject({
      type: 'repository_not_found',
    });
  });
});

describe('a planned commit', () => {
  it('is the tree that git itself would write, the same on every machine, and is not sent', async () => {
    const { address, main, folder } = await sample();
    const plan = planOn(main, EDIT);
    const [one, other] = await Promise.all([
      host.client().planCommit(address, plan),
      host.client().planCommit(address, plan),
    ]);
    expect(one).toEqual(other);
    expect(await listBranches(host.at, address.repository)).toHaveLength(1);
    await host.client().push(address, 'docent/edit', plan, null, signal);
    const work = join(host.folder, `git-${address.repository}`);
    await git(host.folder, 'clone', '-q', folder, work);
    await writeFiles(work, {
      'docs/index.md': EDIT['docs/index.md'],
      'docs/new/deep/page.md': EDIT['docs/new/deep/page.md'],
    });
    await git(work, 'rm', '-q', 'docs/guides/install/linux.md');
    await git(work, 'add', '.');
    expect((await git(work, 'write-tree')).trim()).toBe(one.tree);
    await git(work, 'fsck', '--strict');
    expect(await git(folder, 'cat-file', '-p', one.commit)).toBe(
      `tree ${one.tree}\nparent ${main}\nauthor Docent <docent@localhost> 4102444800 +0000\ncommitter Docent <docent@localhost> 4102444800 +0000\n\nEdit the docs\n`,
    );
    expect(await git(folder, 'ls-tree', one.commit, 'docs/index.md')).toContain('100755');
  });

  it('refuses a path that would be a file and a folder', async () => {
    const { address, main } = await sample();
    await expect(
      host.client().planCommit(address, planOn(main, { 'docs/index.md/page.md': 'x' })),
    ).rejects.toMatchObject({ type: 'push_refused' });
  });
});

describe('a push', () => {
  it('may be repeated, by another worker too, and a follow-up goes on without a fetch', async () => {
    const { address, main } = await sample();
    const client = host.client();
    const plan = planOn(main, EDIT);
    const first = await client.push(address, 'docent/a', plan, null, signal);
    expect(await client.push(address, 'docent/a', plan, null, signal)).toEqual(first);
    expect(await host.client().push(address, 'docent/a', plan, null, signal)).toEqual(first);
    let reads = 0;
    host.app.server.on('request', request => {
      if (request.url?.endsWith(`${address.repository}.git/git-upload-pack`)) reads += 1;
    });
    const second = await client.push(
      address,
      'docent/a',
      planOn(first.commit, { 'docs/new/deep/page.md': null, 'README.md': '# Other\n' }),
      first.commit,
      signal,
    );
    expect(await client.resolveBranch(address, 'docent/a')).toBe(second.commit);
    const snapshot = await client.snapshot(address, second.commit, signal);
    expect([...snapshot.entries.keys()]).toEqual(
      ['README.md', 'docs.json', 'docs/guides/install.md', 'docs/index.md', 'docs/logo.bin'].sort(),
    );
    expect(reads).toBe(0);
    const fresh = await host.client().snapshot(address, second.commit, signal);
    expect(Object.fromEntries(fresh.entries)).toEqual(Object.fromEntries(snapshot.entries));
    expect(
      Object.fromEntries((fresh as typeof fresh & { trees: Map<string, string> }).trees),
    ).toEqual(
      Object.fromEntries((snapshot as typeof snapshot & { trees: Map<string, string> }).trees),
    );
  });

  it('never overwrites what somebody else pushed', async () => {
    const { address, main } = await sample();
    const theirs = await host
      .client()
      .push(address, 'docent/b', planOn(main, { 'README.md': 'theirs\n' }), null, signal);
    await expect(
      host.client().push(address, 'docent/b', planOn(main, EDIT), null, signal),
    ).rejects.toMatchObject({ type: 'branch_moved' });
    await expect(
      host.client().push(address, 'docent/b', planOn(main, EDIT), main, signal),
    ).rejects.toMatchObject({ type: 'branch_moved' });
    expect(await host.client().resolveBranch(address, 'docent/b')).toBe(theirs.commit);
  });

  it('that races others is won by one, and the rest are told that the branch moved', async () => {
    const { address, main } = await sample();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, i) =>
        host
          .client()
          .push(address, 'docent/race', planOn(main, { 'README.md': `${i}\n` }), null, signal),
      ),
    );
    const won = outcomes.filter(outcome => outcome.status === 'fulfilled');
    const lost = outcomes.flatMap(outcome =>
      outcome.status === 'rejected' ? [outcome.reason.type] : [],
    );
    expect(won).toHaveLength(1);
    expect(lost).toEqual(Array(5).fill('branch_moved'));
    expect(await host.client().resolveBranch(address, 'docent/race')).toBe(won[0]!.value.commit);
  });

  it('to a protected branch or an archived repository is refused with the reason', async () => {
    const { address, main } = await sample();
    await configureRepository(host.at, address.repository, { protectedBranches: ['main'] });
    await expect(
      host.client().push(address, 'main', planOn(main, EDIT), main, signal),
    ).rejects.toMatchObject({
      type: 'push_refused',
      message: expect.stringContaining('branch main is protected: open a pull request'),
    });
    await configureRepository(host.at, address.repository, {
      archived: true,
      protectedBranches: [],
    });
    await expect(
      host.client().push(address, 'docent/c', planOn(main, EDIT), null, signal),
    ).rejects.toMatchObject({
      type: 'push_refused',
      message: expect.stringContaining('archived and read-only'),
    });
    expect(await listBranches(host.at, address.repository)).toEqual([
      { name: 'main', commit: main },
    ]);
  });

  it('with a wrong token is refused, and the token is in no error', async () => {
    const { address, main } = await sample();
    const { LocalHost } = await import('../../hosts/local/host.ts');
    const { GitRepositories } = await import('../../hosts/git/repositories.ts');
    const client = new LocalHost({
      url: host.url,
      token: 'wrong-secret',
      repositories: new GitRepositories(join(host.folder, 'wrong'), { name: 'x', email: 'y' }),
    });
    for (const attempt of [
      () => client.snapshot(address, main, signal),
      () => client.describe(address),
      () => client.resolveBranch(address, 'main'),
    ]) {
      const error: unknown = await attempt().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ type: 'credentials_refused' });
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(
        'wrong-secret',
      );
    }
  });

  it('tells the host, so that it may index again', async () => {
    const { address, main } = await sample();
    await host.client().push(address, 'docent/d', planOn(main, EDIT), null, signal);
    expect(host.moved).toContain(`${address.repository}/docent/d`);
  });
});
