import { join } from 'node:path';
import type { RepositoryAddress } from '../../hosts/host.ts';
import { maintainRepositories } from '../../hosts/local/maintain-repositories.ts';
import { mergePullRequest } from '../../hosts/local/merge-pull-request.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { listBranches } from '../../hosts/local/repositories.ts';
import { repositoryFolder } from '../../hosts/local/context.ts';
import { git, type HostUnderTest, SAMPLE, startHost, writeFiles } from './host-under-test.ts';

const signal = new AbortController().signal;
let host: HostUnderTest;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const failures: unknown[] = [];
const maintain = () =>
  maintainRepositories(host.at, signal, (repository, error) => failures.push(repository, error));

async function sample(name: string): Promise<RepositoryAddress> {
  const source = await writeFiles(join(host.folder, `source-${name}`), SAMPLE);
  await importRepository(host.at, { name }, source);
  return { host: 'local', repository: name };
}

/** As a job publishes: a branch with a commit on `main`, and its pull request. */
async function publish(address: RepositoryAddress, head: string, jobId?: string) {
  const main = (await listBranches(host.at, address.repository)).find(b => b.name === 'main')!;
  const plan = {
    parent: main.commit,
    changes: new Map([[`docs/${head}.md`, Buffer.from(`# ${head}\n`)]]),
    message: `Add ${head}`,
    time: 1_767_225_600,
  };
  const client = host.client();
  await client.push(address, head, plan, null, signal);
  return await client.openPullRequest(address, {
    ...{ title: head, body: '', head, base: 'main', draft: false },
    ...(jobId !== undefined && { jobId }),
  });
}

const names = async (repository: string) =>
  (await listBranches(host.at, repository)).map(({ name }) => name).toSorted();

it('a merged branch goes with its job; open, closed, moved and people’s branches stay', async () => {
  const address = await sample('branches');
  const { repository } = address;
  for (const head of ['merged', 'moved', 'of-people']) {
    const { number } = await publish(address, head, head === 'of-people' ? undefined : 'job_gone');
    await mergePullRequest(host.at, repository, number);
  }
  await publish(address, 'open', 'job_gone');
  const { commit } = (await listBranches(host.at, repository)).find(b => b.name === 'moved')!;
  const plan = { parent: commit, changes: new Map([['docs/more.md', Buffer.from('# More\n')]]) };
  await host
    .client()
    .push(address, 'moved', { ...plan, message: 'More', time: 1_767_225_601 }, commit, signal);
  await maintain();
  expect(await names(repository)).toEqual(['main', 'moved', 'of-people', 'open']);
  const tree = await git(
    host.folder,
    '--git-dir',
    repositoryFolder(host.at, repository),
    'ls-tree',
    '-r',
    '--name-only',
    'main',
  );
  expect(tree).toContain('docs/merged.md');
});

it('a merged branch stays while its job is there', async () => {
  const address = await sample('kept');
  const { number } = await publish(address, 'kept', 'job_kept');
  await mergePullRequest(host.at, address.repository, number);
  await host.at.pool.query(
    `with o as (insert into organizations (id, slug, name) values ('org_1', 'o', 'O') returning id),
          p as (insert into projects (id, organization_id, name, domain, host, repository,
                                      repository_url, base_ref)
                select 'prj_1', id, 'P', 'p', 'local', 'kept', 'x', 'main' from o
                returning id, organization_id)
     insert into jobs (id, organization_id, project_id, model, prompt, host, repository,
                       repository_url, base_ref, branch)
     select 'job_kept', organization_id, id, 'm', 'x', 'local', 'kept', 'x', 'main', 'kept' from p`,
  );
  await maintain();
  expect(await names('kept')).toEqual(['kept', 'main']);
  await host.at.pool.query("delete from jobs where id = 'job_kept'");
  await maintain();
  expect(await names('kept')).toEqual(['main']);
});

it('packs many loose objects, and clones read the same afterwards', async () => {
  const { repository } = await sample('loose');
  const folder = repositoryFolder(host.at, repository);
  const count = async () => {
    const text = await git(host.folder, '--git-dir', folder, 'count-objects', '-v');
    return Object.fromEntries(text.split('\n').map(line => line.split(': ')));
  };
  const work = join(host.folder, 'work');
  await git(host.folder, 'clone', '--quiet', folder, work);
  const files = Array.from({ length: 2_000 }, (_, i) => [`docs/${i}.md`, `# Page ${i}\n`] as const);
  await writeFiles(work, Object.fromEntries(files));
  await git(work, 'add', '--all');
  await git(work, 'commit', '--quiet', '--message', 'Many');
  await git(
    work,
    '-c',
    'fetch.unpackLimit=5000',
    'push',
    '--quiet',
    '--receive-pack=git -c receive.unpackLimit=5000 receive-pack',
    'origin',
    'main',
  );
  expect(Number((await count())['count'])).toBeGreaterThan(2_000);
  await maintain();
  expect(Number((await count())['count'])).toBe(0);
  expect(
    (await git(host.folder, '--git-dir', folder, 'ls-tree', '-r', 'main')).split('\n').length,
  ).toBeGreaterThan(2_000);
  await git(host.folder, '--git-dir', folder, 'fsck', '--strict');
  expect(failures).toEqual([]);
});
