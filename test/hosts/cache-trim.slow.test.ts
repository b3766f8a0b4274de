import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trimCache } from '../../hosts/git/cache-trim.ts';
import type { GitRemote } from '../../hosts/git/remote.ts';
import { GitRepositories } from '../../hosts/git/repositories.ts';
import { GitHubHost } from '../../hosts/github/host.ts';
import type { CommitPlan } from '../../hosts/host.ts';
import { GitHubClient } from '../../hosts/github/client.ts';
import { tokenCredentials } from '../../hosts/github/credentials.ts';
import { until } from '../support/until.ts';
import { type GitHubStandIn, startGitHub } from './github/stand-in.ts';

const signal = new AbortController().signal;
const PAGE = 'x'.repeat(50_000);
const HOURS = 3_600_000;

describe('the cache of repositories', () => {
  let github: GitHubStandIn;
  let cache: string;
  beforeAll(async () => {
    github = await startGitHub();
  });
  afterAll(() => github.stop());
  beforeEach(() => {
    cache = mkdtempSync(join(tmpdir(), 'docent-trim-'));
  });

  const client = (maxBytes?: number) =>
    new GitHubHost(
      new GitHubClient(
        github.apiUrl,
        tokenCredentials(github.personalToken(), async () => 1),
      ),
      new GitRepositories(cache, { name: 'Docent', email: 'docent@localhost' }, maxBytes),
    );
  const sample = (name: string) => {
    const repository = github.addRepository(name, {
      'docs/a.md': `${name} a ${PAGE}`,
      'docs/b.md': `${name} b ${PAGE}`,
    });
    return {
      address: { host: 'github', repository: name } as const,
      main: github.git(repository, 'rev-parse', 'main').trim(),
    };
  };
  const files = async () =>
    (await readdir(cache, { recursive: true, withFileTypes: true }))
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name));
  const bytes = async () =>
    (await Promise.all((await files()).map(path => stat(path)))).reduce(
      (sum, { size }) => sum + size,
      0,
    );
  /**
   * As if nobody had used what there is (or of it, what lies at such a path) for so long. Any of it
   * may go meanwhile.
   */
  const age = async (hours: number, of = ''): Promise<void> => {
    const then = new Date(Date.now() - hours * HOURS);
    for (const path of (await files().catch(() => [])).filter(each => each.includes(of)))
      await utimes(path, then, then).catch(() => undefined);
  };
  const fetches = () =>
    github.state.requests.filter(request => request.endsWith('git-upload-pack')).length;

  it('keeps no scratch folder of a process that was killed, and leaves one that is in use', async () => {
    const { address, main } = sample('acme/scratch');
    await client().snapshot(address, main, signal);
    const [repository = ''] = await readdir(cache);
    const store = join(cache, repository, 'store');
    const then = new Date(Date.now() - 2 * HOURS);
    for (const name of ['scratch-killed', 'scratch-in-use'])
      await mkdir(join(store, name), { recursive: true });
    await utimes(join(store, 'scratch-killed'), then, then);
    await trimCache(cache, Infinity);
    const left = (await readdir(store)).filter(name => name.startsWith('scratch-'));
    expect(left).toEqual(['scratch-in-use']);
  });

  it('loses the repositories that were used least recently, and nothing while there is room', async () => {
    const host = client();
    const [first, second, third] = [sample('acme/one'), sample('acme/two'), sample('acme/three')];
    const old = await host.snapshot(first.address, first.main, signal);
    await age(3);
    await host.snapshot(second.address, second.main, signal);
    await age(2, 'two');
    await host.snapshot(third.address, third.main, signal);
    const before = await files();
    await trimCache(cache, 400_000);
    expect(await files()).toEqual(before);

    await trimCache(cache, 290_000); // room for two and a bit: the oldest goes
    expect([...new Set(await readdir(cache))].sort()).toEqual([
      'github%2Facme%2Fthree',
      'github%2Facme%2Ftwo',
    ]);
    // A job that holds the lost one reads on, and the next asks for it anew.
    expect((await old.read('docs/a.md'))?.toString()).toBe(`acme/one a ${PAGE}`);
    const again = await host.snapshot(first.address, first.main, signal);
    expect((await again.read('docs/b.md'))?.toString()).toBe(`acme/one b ${PAGE}`);
  });

  it('is trimmed as well where commits are made and none is fetched', async () => {
    const [unused, used] = [sample('acme/unused'), sample('acme/used')];
    for (const { address, main } of [unused, used]) await client().snapshot(address, main, signal);
    await age(2);
    const plan: CommitPlan = {
      parent: used.main,
      changes: new Map([['docs/a.md', Buffer.from('new')]]),
      message: 'New',
      time: 1_800_000_000,
    };
    const before = fetches();
    await client(1.5 * PAGE.length).push(used.address, 'docent/new', plan, null, signal);
    await until('the unused repository is gone', async () =>
      (await readdir(cache)).every(name => !name.includes('unused')),
    );
    expect(fetches()).toBe(before + 1); // before a push git asks which commits are there
  });

  it('loses of a repository in use what only unused snapshots have', async () => {
    const { address, main } = sample('acme/grows');
    const host = client();
    const plan: CommitPlan = {
      parent: main,
      changes: new Map([['docs/a.md', Buffer.from(`new a ${PAGE}`)]]),
      message: 'New',
      time: 1_800_000_000,
    };
    const { commit } = await host.push(address, 'docent/new', plan, null, signal);
    await age(2);
    await host.snapshot(address, commit, signal); // in use again
    await trimCache(cache, 1_000);
    const before = fetches();
    const snapshot = await host.snapshot(address, commit, signal);
    expect((await snapshot.read('docs/a.md'))?.toString()).toBe(`new a ${PAGE}`);
    expect((await snapshot.read('docs/b.md'))?.toString()).toBe(`acme/grows b ${PAGE}`);
    expect(fetches()).toBe(before);
    expect((await files()).length).toBe(3); // a listing and two pages
    expect(
      (await (await client().snapshot(address, main, signal)).read('docs/a.md'))?.toString(),
    ).toBe(`acme/grows a ${PAGE}`);
  });

  it('never loses what is in use, however small the bound', async () => {
    const { address, main } = sample('acme/used');
    await client(1).snapshot(address, main, signal);
    const before = (await files()).sort();
    await trimCache(cache, 1);
    expect((await files()).sort()).toEqual(before);
  });

  describe('of one that is fetched whole', () => {
    const process = () => new GitRepositories(cache, { name: 'Docent', email: 'docent@localhost' });
    const whole = (
      name: string,
      onRequest: () => Promise<void> = async () => undefined,
    ): { remote: GitRemote; folder: string } => {
      const authorization = `Basic ${Buffer.from(`x-access-token:${github.personalToken()}`).toString('base64')}`;
      const remote = {
        key: `local/${name}`,
        name: 'Repository',
        url: `${github.webUrl}/${name}.git`,
        authorization: async () => {
          await onRequest();
          return authorization;
        },
      };
      return { remote, folder: join(cache, encodeURIComponent(remote.key)) };
    };

    it.each<[string, (folder: string) => Promise<void>]>([
      [
        'a part',
        async folder => {
          for (const name of ['store/objects/pack', 'store/fetched', 'blobs'])
            await rm(join(folder, name), { recursive: true });
        },
      ],
      [
        'all',
        async folder => {
          await rename(folder, `${folder}=gone-1`);
        },
      ],
    ])(
      'is whole again on the next try where another process removes %s under a fetch',
      async (what, remove) => {
        const { address, main } = sample(`acme/lost-${what.replace(' ', '-')}`);
        let asked = 0;
        let removeAt = 0;
        const { remote, folder } = whole(address.repository, async () => {
          if ((asked += 1) === removeAt) await remove(folder);
        });
        await process().snapshot(remote, main, signal);
        const plan: CommitPlan = {
          parent: main,
          changes: new Map([['docs/a.md', Buffer.from('new')]]),
          message: 'New',
          time: 1_800_000_000,
        };
        const { commit } = await client().push(address, 'docent/new', plan, null, signal);
        removeAt = 2 * asked; // the last request: git was told what we have, and sends the rest
        await expect(process().snapshot(remote, commit, signal)).rejects.toMatchObject({
          type: 'repository_unreachable',
        });
        expect(asked).toBe(removeAt);
        const snapshot = await process().snapshot(remote, commit, signal);
        expect((await snapshot.read('docs/a.md'))?.toString()).toBe('new');
        expect((await snapshot.read('docs/b.md'))?.toString()).toContain(PAGE);
      },
    );

    it('loses its packs once they have outgrown its files, and is fetched again', async () => {
      const { address, main } = sample('acme/fetched-often');
      const { remote, folder } = whole(address.repository);
      await process().snapshot(remote, main, signal);
      const push = async (n: number) => {
        const page = randomBytes(40_000).toString('base64');
        const plan: CommitPlan = {
          parent: main,
          changes: new Map([['docs/a.md', Buffer.from(page)]]),
          message: 'New',
          time: 1_800_000_000,
        };
        return (await client().push(address, `docent/new-${n}`, plan, null, signal)).commit;
      };
      const commits = [];
      for (let n = 0; n < 5; n++) {
        commits.push(await push(n));
        await process().snapshot(remote, commits.at(-1)!, signal);
      }
      const parts = async () => (await readdir(folder)).toSorted();
      await trimCache(cache, 1_000); // all of it is in use, and its packs are the smaller part
      expect(await parts()).toEqual(['blobs', 'snapshots', 'store']);
      await age(2, join(folder, 'blobs'));
      await age(2, join(folder, 'snapshots'));
      await age(2, join(folder, 'store/fetched')); // as old as the listing, at least
      await process().snapshot(remote, commits.at(-1)!, signal);
      const scratch = join(folder, 'store/scratch-of-a-fetch');
      await mkdir(scratch);
      await writeFile(join(scratch, 'config'), '');
      await trimCache(cache, 1_000); // a fetch is under way
      expect(await parts()).toEqual(['blobs', 'snapshots', 'store']);
      await rm(scratch, { recursive: true });
      await writeFile(join(folder, 'store/fetched', '1'.repeat(40)), '');
      await trimCache(cache, 1_000); // a commit is not unpacked
      expect(await parts()).toEqual(['blobs', 'snapshots', 'store']);
      await rm(join(folder, 'store/fetched', '1'.repeat(40)));
      await trimCache(cache, 1_000);
      expect(await parts()).toEqual(['blobs', 'snapshots']);
      for (const commit of [commits.at(-1)!, await push(5), commits[0]!]) {
        const snapshot = await process().snapshot(remote, commit, signal);
        expect(await snapshot.read('docs/a.md')).toHaveLength(53_336);
        expect((await snapshot.read('docs/b.md'))?.toString()).toContain(PAGE);
      }
    });

    it('is fetched again where a commit is noted as fetched, and its files are gone', async () => {
      const { address, main } = sample('acme/noted');
      const { remote, folder } = whole(address.repository);
      await process().snapshot(remote, main, signal);
      for (const name of ['store/objects/pack', 'snapshots', 'blobs'])
        await rm(join(folder, name), { recursive: true });
      expect(
        (await (await process().snapshot(remote, main, signal)).read('docs/b.md'))?.toString(),
      ).toContain(PAGE);
    });
  });

  it('loses pages under a partial fetch, and the snapshot is whole all the same', async () => {
    const { address, main } = sample('acme/partly');
    let onRequest = async (): Promise<void> => undefined;
    const remote: GitRemote = {
      key: 'other/partly',
      name: 'GitHub',
      url: `${github.webUrl}/acme/partly.git`,
      partial: true,
      authorization: async () => {
        await onRequest();
        return `Basic ${Buffer.from(`x-access-token:${github.personalToken()}`).toString('base64')}`;
      },
    };
    const repositories = new GitRepositories(cache, { name: 'Docent', email: 'docent@localhost' });
    await repositories.snapshot(remote, main, signal);
    const plan: CommitPlan = {
      parent: main,
      changes: new Map([['docs/a.md', Buffer.from('new')]]),
      message: 'New',
      time: 1_800_000_000,
    };
    const { commit } = await client().push(address, 'docent/new', plan, null, signal);
    const blobs = join(cache, encodeURIComponent(remote.key), 'blobs');
    let asked = 0;
    onRequest = async () => {
      // The second request is for the pages that are missing; the other one is there until now.
      if ((asked += 1) === 2) await rm(blobs, { recursive: true });
    };
    const snapshot = await repositories.snapshot(remote, commit, signal);
    onRequest = async () => undefined;
    expect(asked).toBe(2);
    expect(snapshot.entries.get('docs/b.md')?.size).toBe(`acme/partly b ${PAGE}`.length);
    expect((await snapshot.read('docs/b.md'))?.toString()).toBe(`acme/partly b ${PAGE}`);
    expect((await snapshot.read('docs/a.md'))?.toString()).toBe('new');
  });

  it('keeps a repository whose name ends as if it were on its way out', async () => {
    const { address, main } = sample('acme/docs.gone-1');
    await client().snapshot(address, main, signal);
    const before = (await files()).sort();
    await trimCache(cache, 1_000_000);
    expect((await files()).sort()).toEqual(before);
  });

  it('may be trimmed time and again while jobs read, fetch and push', async () => {
    const many = Array.from({ length: 6 }, (_, n) => sample(`acme/busy-${n}`));
    const hosts = [client(), client()];
    await Promise.all(many.map(({ address, main }) => hosts[0]!.snapshot(address, main, signal)));
    const work = many.flatMap(({ address, main }) =>
      hosts.map(async (host, n) => {
        for (let round = 0; round < 3; round += 1) {
          await age(2, encodeURIComponent(address.repository));
          const snapshot = await host.snapshot(address, main, signal);
          expect((await snapshot.read('docs/a.md'))?.toString()).toContain(PAGE);
          const plan: CommitPlan = {
            parent: main,
            changes: new Map([['docs/b.md', Buffer.from(`round ${round}`)]]),
            message: 'Round',
            time: 1_800_000_000,
          };
          await host.push(address, `docent/busy-${n}-${round}`, plan, null, signal);
        }
      }),
    );
    const done = new AbortController();
    const trim = async () => {
      while (!done.signal.aborted) await trimCache(cache, 1_000);
    };
    await Promise.all([Promise.all(work).finally(() => done.abort()), trim(), trim()]);
    expect(await bytes()).toBeGreaterThan(0);
    await age(2);
    await Promise.all([trimCache(cache, 0), trimCache(cache, 0)]);
    expect(await bytes()).toBe(0);
  });
});
