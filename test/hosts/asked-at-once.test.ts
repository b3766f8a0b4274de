import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { GitRepositories } from '../../hosts/git/repositories.ts';
import { LocalHost } from '../../hosts/local/host.ts';

const [MAIN, NEXT] = ['1'.repeat(40), '2'.repeat(40)];
const BRANCHES = [
  { name: 'main', commit: MAIN },
  { name: 'next', commit: NEXT },
];
const REPOSITORY = {
  ...{ name: 'docs', url: 'http://localhost/git/docs.git', defaultBranch: 'main' },
  ...{ public: false, archived: false, empty: false, protectedBranches: [] },
};
const ADDRESS = { host: 'local', repository: 'docs' } as const;

async function startHost() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const names = new URL(request.url ?? '', 'http://localhost').searchParams.getAll('branch');
    const branches = BRANCHES.filter(({ name }) => names.includes(name));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...REPOSITORY, branches }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const author = { name: 'Docent', email: 'docent@localhost' };
  const host = new LocalHost({
    url,
    token: 't',
    repositories: new GitRepositories('/none', author),
  });
  return { host, asked, close: () => server.close() };
}

it('asks once for what is wanted at one moment', async () => {
  const { host, asked, close } = await startHost();
  const answers = await Promise.all([
    host.describe(ADDRESS),
    host.resolveBranch(ADDRESS, 'next'),
    host.resolveBranch(ADDRESS, 'main'),
    host.resolveBranch(ADDRESS, 'gone'),
    host.resolveBranch({ ...ADDRESS }, 'next'),
  ]);
  expect(answers).toMatchObject([{ defaultBranch: 'main' }, NEXT, MAIN, null, NEXT]);
  expect(asked).toEqual(['/git/docs?branch=next&branch=main&branch=gone']);
  // Later it is asked again: a branch may have moved.
  expect(await host.resolveBranch(ADDRESS, 'main')).toBe(MAIN);
  expect(asked).toHaveLength(2);
  close();
});
