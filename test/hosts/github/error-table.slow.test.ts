import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { Gate } from '../../../hosts/git/gate.ts';
import { claimInstallation } from '../../../db/github/installations.ts';
import { createProject } from '../../../db/projects/projects.ts';
import { temporaryFolder } from '../../support/docent.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { dumpOf } from '../../support/services.ts';
import { EDIT, FILES, nameOf, type Row, ROWS } from './error-rows.ts';
import { type GitHubJobStack, startGitHubJobStack } from './job-stack.ts';
import type { Pull } from './state.ts';
import { SLOW } from '../../support/slow.ts';

/** In the slow lane each row, else the first of each cause and every third. A row is a job of its own. */
const CHOSEN = Object.entries(ROWS).map(
  ([what, rows]) => [what, SLOW ? rows : rows.filter((_, n) => n % 3 === 0)] as const,
);

/** Jobs that run side by side: each has a repository, an installation and a project of its own. */
const AT_ONCE = 8;

interface Ended {
  status: string;
  haltReason: string;
  sentence: string;
  prLink: string | null;
  pulls: Pull[];
  commits: string;
}

describe('what comes of a job where', () => {
  let stack: GitHubJobStack;
  const scripts: ScriptedReply[][] = [];
  const jobs = new Map<Row, Promise<Ended>>();
  beforeAll(async () => {
    stack = await startGitHubJobStack({
      files: FILES,
      noWorker: true,
      script: ({ messages }) =>
        scripts[Number(/row (\d+)/.exec(JSON.stringify(messages))?.[1])]?.shift() ?? {
          text: 'Nothing.',
        },
    });
    const bundlePath = join(await temporaryFolder(), 'impatient.js');
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(import.meta.dirname, '../../../workflows/registry.ts'),
      workflowInterceptorModules: [join(import.meta.dirname, 'impatient.ts')],
      logger: new DefaultLogger('ERROR'),
    });
    await writeFile(bundlePath, code);
    await stack.startWorker(bundlePath);
    const gate = new Gate(AT_ONCE);
    for (const [number, row] of CHOSEN.flatMap(([, rows]) => rows).entries()) {
      const job = gate.run(() => run(number, row));
      job.catch(() => undefined); // its own test tells
      jobs.set(row, job);
    }
  }, 120_000);
  afterAll(async () => {
    await Promise.allSettled(jobs.values());
    await stack.close();
  });

  async function run(number: number, [, arrange]: Row): Promise<Ended> {
    const {
      github,
      pool,
      project: { organizationId },
    } = stack;
    const repository = github.addRepository(`acme-${number}/docs`, FILES);
    const repositoryUrl = `${github.webUrl}/${nameOf(repository)}`;
    const id = github.install([repository], {
      contents: 'write',
      pull_requests: 'write',
      metadata: 'read',
    });
    await claimInstallation(pool, { id, organizationId, account: repository.owner });
    const project = await createProject(pool, {
      organizationId,
      name: 'Docs',
      domain: `row-${number}`,
      host: 'github',
      repository: nameOf(repository),
      repositoryUrl,
      baseRef: 'main',
      docsFolder: 'docs',
    });
    const script = (scripts[number] = [...EDIT]);
    arrange({
      github,
      repository,
      installation: github.state.installations.find(each => each.id === id)!,
      script,
    });
    const known = `acme-${number}/docs`;
    const created = await stack.create(`Change the line (row ${number})`, {}, project.id);
    const { status, prLink } = await stack.rest(created.id, undefined, project.id);
    const {
      rows: [job],
    } = await pool.query<{ branch: string; halt_reason: string; message_to_user: string }>(
      'select branch, halt_reason, message_to_user from jobs where id = $1',
      [created.id],
    );
    return {
      status,
      prLink,
      haltReason: job!.halt_reason,
      sentence: job!.message_to_user.replaceAll(known, 'acme/docs'),
      pulls: repository.pulls,
      commits: github.git(repository, 'rev-list', '--count', `main..${job!.branch}`).trim(),
    };
  }

  for (const [what, rows] of CHOSEN) {
    it.each(rows.map(row => [row[0], row] as const))(`${what}: %s`, async (_, row) => {
      const { status, haltReason, sentence, pulls = 0 } = row[2];
      const job = await jobs.get(row)!;
      expect(job).toMatchObject({ status, haltReason, sentence: expect.stringMatching(sentence) });
      expect(job.pulls).toHaveLength(pulls);
      if (pulls === 0) expect(job.prLink).toBeNull();
      else expect(job.prLink).toMatch(/\/pull\/1$/);
      // And no other way round: a branch of ours holds one commit or is not there.
      expect(['', '1']).toContain(job.commits);
    });
  }

  it('none of it leaves a token behind, anywhere', async () => {
    await Promise.all(jobs.values());
    const dump = [await dumpOf(stack.pool)];
    const { rows } = await stack.pool.query<{ id: string }>('select id from jobs');
    for (const { id } of rows)
      dump.push(JSON.stringify(await stack.temporal.workflow.getHandle(id).fetchHistory()));
    for (const repository of stack.github.state.repositories)
      dump.push(
        JSON.stringify(repository.pulls),
        stack.github.git(repository, 'log', '--all', '--format=%B'),
      );
    const all = dump.join('\n');
    expect(all).toContain('is protected: exempt'); // the dump is of the right database
    const values = stack.github.state.tokens.map(token => token.value);
    expect(values.length).toBeGreaterThan(1);
    const hidden = values.flatMap(value => [
      value,
      Buffer.from(value).toString('base64').replace(/=+$/, ''),
      Buffer.from(`x-access-token:${value}`).toString('base64'),
    ]);
    expect(
      [...hidden, stack.config.GITHUB_APP_PRIVATE_KEY!.split('\n')[1]!].filter(secret =>
        all.includes(secret),
      ),
    ).toEqual([]);
    for (const token of stack.github.state.tokens)
      expect(token).toMatchObject({
        repositories: [expect.any(Number)],
        permissions: { contents: 'write', pull_requests: 'write', metadata: 'read' },
      });
  });
});
