import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import {
  configureRepository,
  deleteRepository,
  listBranches,
  readRepository,
} from '../../hosts/local/repositories.ts';
import { createRepository, importRepository } from '../../hosts/local/new-repository.ts';
import { readDiff } from '../../hosts/local/diff.ts';
import {
  git,
  type HostUnderTest,
  SAMPLE,
  startHost,
  TOKEN,
  writeFiles,
} from './host-under-test.ts';

let host: HostUnderTest;

beforeAll(async () => {
  host = await startHost();
  const source = await writeFiles(join(host.folder, 'source'), {
    ...SAMPLE,
    '.gitignore': 'ignored\n',
    ignored: 'x',
  });
  await importRepository(host.at, { name: 'public', public: true }, source);
  await importRepository(host.at, { name: 'private' }, source);
});
afterAll(() => host.close());

const clone = (name: string, to: string) => [
  'clone',
  '-q',
  `${host.url}/git/${name}.git`,
  join(host.folder, to),
];

describe('git over HTTP', () => {
  it('lets anyone read a public repository, and only bearers of the token a private one', async () => {
    await git(host.folder, ...clone('public', 'anonymous'));
    await expect(git(host.folder, ...clone('private', 'refused'))).rejects.toThrow(
      /could not read Username|Authentication failed/,
    );
    await expect(git(host.folder, ...clone('nowhere', 'refused'))).rejects.toThrow(
      /could not read Username|Authentication failed/,
    );
    expect((await fetch(`${host.url}/git/%00/info/refs?service=git-upload-pack`)).status).toBe(401);
    await host.git(host.folder, ...clone('private', 'trusted'));
    expect(await git(join(host.folder, 'trusted'), 'ls-files')).toContain('docs/guides/install.md');
  });

  it('takes a push with the token only, reports refusals as git does, and moves other branches freely', async () => {
    const work = join(host.folder, 'writer');
    await git(host.folder, ...clone('public', 'writer'));
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'more');
    await expect(git(work, 'push', '-q', 'origin', 'main')).rejects.toThrow(
      /could not read Username|Authentication failed/,
    );
    await configureRepository(host.at, 'public', { protectedBranches: ['main'] });
    await expect(host.git(work, 'push', 'origin', 'main')).rejects.toThrow(
      /\[remote rejected\] main -> main \(branch main is protected: open a pull request\)/,
    );
    await expect(host.git(work, 'push', 'origin', 'HEAD:refs/notes/x')).rejects.toThrow(
      /only branches and tags/,
    );
    await expect(host.git(work, 'push', 'origin', 'HEAD:refs/heads/ok', 'main')).rejects.toThrow(
      /refused with the others/,
    );
    await host.git(work, 'push', '-q', 'origin', 'HEAD:topic');
    expect((await listBranches(host.at, 'public')).map(branch => branch.name)).toEqual([
      'main',
      'topic',
    ]);
    await configureRepository(host.at, 'public', { protectedBranches: [] });
    await expect(host.git(work, 'push', 'origin', ':main')).rejects.toThrow(
      /default branch and cannot be deleted/,
    );
    await host.git(work, 'push', '-q', 'origin', 'main', ':topic');
  });

  it('carries a push and a clone of many megabytes', async () => {
    const work = join(host.folder, 'large');
    await host.git(host.folder, ...clone('private', 'large'));
    const { randomBytes } = await import('node:crypto');
    await writeFiles(
      work,
      Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [`docs/media/${i}.bin`, randomBytes(200_000)]),
      ),
    );
    await git(work, 'add', '.');
    await git(work, 'commit', '-qm', 'media');
    await host.git(work, 'push', '-q', 'origin', 'main');
    const [main] = await listBranches(host.at, 'private');
    const snapshot = await host
      .client()
      .snapshot(
        { host: 'local', repository: 'private' },
        main!.commit,
        new AbortController().signal,
      );
    expect(
      [...snapshot.entries.values()].reduce((sum, entry) => sum + entry.size, 0),
    ).toBeGreaterThan(8_000_000);
  });

  it.each(['git-upload-pack', 'git-receive-pack'])(
    'says what is wrong with a body of another kind: %s',
    async service => {
      const authorization = `Bearer ${TOKEN}`;
      const type = { 'content-type': `application/x-${service}-request` };
      for (const [headers, body] of [
        [{ 'content-type': 'application/json' }, '{"a":1}'],
        [{ ...type, 'content-encoding': 'gzip' }, 'not gzip at all'],
        [{ ...type, 'content-encoding': 'gzip' }, gzipSync('x'.repeat(900)).subarray(0, 12)],
      ] as const) {
        const answer = await fetch(`${host.url}/git/private.git/${service}`, {
          method: 'POST',
          headers: { authorization, ...headers },
          body,
        });
        expect([answer.status, await answer.text()]).toEqual([
          400,
          expect.stringMatching(/^The body is not (?:git's|gzip)/),
        ]);
      }
    },
  );

  it('understands a compressed request and refuses what is no push', async () => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/x-git-upload-pack-request',
    };
    const [main] = await listBranches(host.at, 'private');
    const want = `want ${main!.commit} ofs-delta\n`;
    const body = `${(want.length + 4).toString(16).padStart(4, '0')}${want}00000009done\n`;
    const plain = await fetch(`${host.url}/git/private.git/git-upload-pack`, {
      method: 'POST',
      headers,
      body,
    });
    const packed = await fetch(`${host.url}/git/private.git/git-upload-pack`, {
      method: 'POST',
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: gzipSync(body),
    });
    const [a, b] = [
      Buffer.from(await plain.arrayBuffer()),
      Buffer.from(await packed.arrayBuffer()),
    ];
    expect(b.subarray(0, 12).toString('latin1')).toBe('0008NAK\nPACK');
    expect(b.length).toBe(a.length);
    for (const garbage of ['', 'hello, this is not a push', '0003']) {
      const answer = await fetch(`${host.url}/git/private.git/git-receive-pack`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-git-receive-pack-request' },
        body: garbage,
      });
      expect([answer.status, await answer.text()]).toEqual([
        400,
        'The request is not a valid git push.\n',
      ]);
    }
  });

  it.each([
    ['compressed', (body: Buffer) => ({ body: gzipSync(body), encoding: 'gzip' })],
    ['plain', (body: Buffer) => ({ body, encoding: 'identity' })],
  ])('refuses a %s request that is larger than git sends', async (_name, write) => {
    const have = `0032have ${'a'.repeat(40)}\n`;
    const [main] = await listBranches(host.at, 'public');
    const want = `0032want ${main!.commit}\n0000`;
    const { body, encoding } = write(Buffer.from(want + have.repeat(400_000)));
    const answer = await fetch(`${host.url}/git/public.git/git-upload-pack`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-git-upload-pack-request',
        'content-encoding': encoding,
      },
      body,
    });
    expect([answer.status, await answer.text()]).toEqual([
      413,
      'The request is larger than this host accepts.\n',
    ]);
  });

  it("tells what it can do to version 2 of the protocol once for each state of a repository's settings", async () => {
    const offered = async (name: string) => {
      const response = await fetch(
        `${host.url}/git/${name}.git/info/refs?service=git-upload-pack`,
        { headers: { authorization: `Bearer ${TOKEN}`, 'git-protocol': 'version=2' } },
      );
      expect(response.status).toBe(200);
      return response.text();
    };
    const before = await offered('public');
    expect(before).toContain('ls-refs');
    expect(before).not.toContain('refs/heads/');
    const folder = join(host.at.dataDir, 'repositories', 'public.git');
    const settings = join(folder, 'config');
    expect(await offered('public')).toBe(before);
    await git(folder, 'config', 'transfer.advertiseObjectInfo', 'true');
    expect(await offered('public')).toContain('object-info');
    // The list is kept: a git that could not read its settings would fail.
    const { mtime, atime, size } = await stat(settings);
    const text = await readFile(settings);
    await writeFile(settings, 'x'.repeat(size));
    await utimes(settings, atime, mtime);
    expect(await offered('public')).toContain('object-info');
    await writeFile(settings, text);
  });

  it('keeps its JSON for bearers of the token', async () => {
    const anonymous = await fetch(`${host.url}/git/public/pulls`);
    expect(anonymous.status).toBe(401);
    const wrong = await fetch(`${host.url}/git/public`, {
      headers: { authorization: 'Bearer nope' },
    });
    expect(wrong.status).toBe(401);
  });
});

describe('a repository', () => {
  it('is imported from a folder as one commit without ignored files, or from a repository with its branches', async () => {
    expect(await git(join(host.folder, 'anonymous'), 'ls-files')).not.toContain(
      'ignored\n'.repeat(2),
    );
    expect((await git(join(host.folder, 'anonymous'), 'ls-files')).split('\n')).not.toContain(
      'ignored',
    );
    const origin = await writeFiles(join(host.folder, 'origin'), SAMPLE);
    await git(origin, 'init', '-q', '-b', 'trunk');
    await git(origin, 'add', '.');
    await git(origin, 'commit', '-qm', 'first');
    await git(origin, 'branch', 'release');
    expect(await importRepository(host.at, { name: 'imported' }, origin)).toMatchObject({
      defaultBranch: 'trunk',
      empty: false,
    });
    expect((await listBranches(host.at, 'imported')).map(branch => branch.name)).toEqual([
      'release',
      'trunk',
    ]);
  });

  it('has a name that is free and harmless', async () => {
    for (const name of ['../up', '.hidden', 'a b', '', 'x.git', 'a'.repeat(101)]) {
      await expect(createRepository(host.at, { name })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    }
    await expect(createRepository(host.at, { name: 'Public' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(
      importRepository(host.at, { name: 'none' }, join(host.folder, 'missing')),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(
      importRepository(host.at, { name: 'none' }, 'http://user:secret@127.0.0.1:9/x.git'),
    ).rejects.toMatchObject({ message: expect.not.stringContaining('secret') });
    await expect(
      importRepository(host.at, { name: 'none' }, 'ext::sh -c true'),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(readRepository(host.at, 'none')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is deleted with all it holds, and its name is free again', async () => {
    await createRepository(host.at, { name: 'short-lived' });
    expect(await deleteRepository(host.at, 'short-lived')).toBe(true);
    expect(await deleteRepository(host.at, 'short-lived')).toBe(false);
    expect(await createRepository(host.at, { name: 'short-lived' })).toMatchObject({ empty: true });
  });

  it('shows the difference between branches, and nothing for what is no branch', async () => {
    const work = join(host.folder, 'differ');
    await host.git(host.folder, ...clone('imported', 'differ'));
    await writeFiles(work, { 'docs/index.md': '# Start\n\nChanged.\n' });
    await git(work, 'commit', '-qam', 'change');
    await host.git(work, 'push', '-q', 'origin', 'HEAD:topic');
    expect(await readDiff(host.at, 'imported', 'trunk', 'topic')).toContain(
      '-Welcome.\n+Changed.\n',
    );
    await expect(readDiff(host.at, 'imported', 'trunk', '--output=/tmp/x')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
