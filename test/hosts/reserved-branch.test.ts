import { type GitHubJobStack, startGitHubJobStack } from './github/job-stack.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';

const FILES = { 'docs/guide.md': '# Guide\n' };
const SENTENCE =
  /^The branch release of \S+ is the base, the default or a protected one, which Docent never pushes to: name another branch for the job, or exempt docent\/\* from a rule/;

async function refused(stack: JobStack, jobId: string): Promise<void> {
  expect(await stack.rest(jobId)).toMatchObject({ status: 'failed', prLink: null });
  const { rows } = await stack.pool.query<{ halt_reason: string; message_to_user: string }>(
    'select halt_reason, message_to_user from jobs where id = $1',
    [jobId],
  );
  expect(rows).toEqual([
    { halt_reason: 'repohost_missconfigured', message_to_user: expect.stringMatching(SENTENCE) },
  ]);
  expect(stack.model.requests).toEqual([]);
}

describe('a branch that no job may push to is refused before the model works', () => {
  it('on GitHub, which alone knows its default and protected branches', async () => {
    const stack: GitHubJobStack = await startGitHubJobStack({ files: FILES, script: [] });
    try {
      const { repositoryOnGitHub: repository, github } = stack;
      github.git(repository, 'branch', 'release', 'main');
      repository.protectedBranches.push(
        ...Array.from({ length: 150 }, (_, n) => `protected-${n}`),
        'release',
      );
      github.git(
        repository,
        'fetch',
        '-q',
        '.',
        ...repository.protectedBranches.slice(0, 150).map(name => `main:${name}`),
      );
      await refused(stack, (await stack.create('Edit', { branch: 'release' })).id);
      repository.protectedBranches = [];
      repository.defaultBranch = 'release';
      await refused(stack, (await stack.create('Edit', { branch: 'release' })).id);
      expect(
        await stack.call('POST', `/v2/agent/${stack.project.id}/job`, {
          prompt: 'Edit',
          branch: 'main',
        }),
      ).toMatchObject({ status: 400, body: { error: expect.stringContaining('base') } });
    } finally {
      await stack.close();
    }
  });

  it('on the built-in host, at once, and where it was protected since', async () => {
    const stack = await startJobStack({ files: FILES, script: [], noWorker: true });
    try {
      const created = await stack.create('Edit', { branch: 'release' });
      await stack.pool.query("update local_repositories set protected = '{release}'");
      expect(
        await stack.call('POST', `/v2/agent/${stack.project.id}/job`, {
          prompt: 'Edit',
          branch: 'release',
        }),
      ).toMatchObject({ status: 400, body: { error: expect.stringContaining('protected') } });
      await stack.startWorker();
      await refused(stack, created.id);
    } finally {
      await stack.close();
    }
  });
});
