import { createRepository } from '../../hosts/local/new-repository.ts';
import { createProject, type Project } from '../../db/projects/projects.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, FINISH } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const FILES = { 'docs/index.md': '---\ntitle: Welcome\n---\n\nThe first line.\n' };
const EDIT = edit('first', 'second', 'docs/index.md');

let stack: JobStack;
let script: (ScriptedReply | (() => Promise<ScriptedReply>))[] = [];
beforeAll(async () => {
  stack = await startJobStack({
    files: FILES,
    script: () => {
      const next = script.shift() ?? { text: 'Nothing.' };
      return typeof next === 'function' ? next() : next;
    },
  });
});
afterAll(() => stack.close());

/** A project like the stack's, but for one thing that is wrong. */
function projectWith(
  name: string,
  wrong: { repository?: string; baseRef?: string },
): Promise<Project> {
  const { organizationId, host, repository, repositoryUrl, baseRef, docsFolder } = stack.project;
  return createProject(stack.pool, {
    organizationId,
    name,
    domain: name,
    host,
    repository,
    repositoryUrl,
    baseRef,
    docsFolder,
    ...wrong,
  });
}

async function halt(project: Project, body: object = {}): Promise<Record<string, unknown>> {
  const created = await stack.call('POST', `/v2/agent/${project.id}/job`, {
    prompt: 'Change it',
    ...body,
  });
  expect(created.status).toBe(201);
  const { id } = created.body as { id: string };
  const running = await stack.call('GET', `/v1/agent/${project.id}/job/${id}`);
  if (!(running.body as { haulted: boolean }).haulted)
    expect(running.body).toMatchObject({
      haultReason: null,
      messageToUser: null,
      pullRequestLink: null,
    });
  const rested = await stack.call('GET', `/v2/agent/${project.id}/job/${id}`, undefined, {
    prefer: 'wait=40',
  });
  expect(rested.body).toMatchObject({ status: 'failed', prLink: null });
  return (await stack.call('GET', `/v1/agent/${project.id}/job/${id}`)).body as Record<
    string,
    unknown
  >;
}

it('a repository that is missing, without a commit, or without the base branch', async () => {
  const missing = await halt(await projectWith('missing', { repository: 'nowhere' }));
  expect(missing).toMatchObject({
    haulted: true,
    haultReason: 'repohost_missconfigured',
    messageToUser: expect.stringMatching(/nowhere|not found/i),
  });

  await createRepository(
    { pool: stack.pool, dataDir: stack.config.DATA_DIR, publicUrl: stack.baseUrl },
    { name: 'empty' },
  );
  const empty = await halt(await projectWith('empty', { repository: 'empty' }));
  expect(empty).toMatchObject({
    haultReason: 'repohost_missconfigured',
    messageToUser: expect.stringMatching(/no commit|empty/i),
  });

  const noRef = await halt(await projectWith('no-ref', { baseRef: 'trunk' }));
  expect(noRef).toMatchObject({
    haultReason: 'repohost_missconfigured',
    messageToUser: expect.stringContaining('trunk'),
  });
});

it('a branch that refuses our push', async () => {
  // Protected once the job is at work: sooner, and it is the creation that is refused.
  const protect = async () => {
    await stack.pool.query(
      `update local_repositories set protected = '{release/next}' where name = 'docs'`,
    );
    return EDIT;
  };
  script = [protect, FINISH];
  expect(await halt(stack.project, { branch: 'release/next' })).toMatchObject({
    haultReason: 'repohost_missconfigured',
    messageToUser: expect.stringContaining('branch release/next is protected: open a pull request'),
  });
});

it('an archived repository', async () => {
  await stack.pool.query(`update local_repositories set archived = true where name = 'docs'`);
  try {
    script = [EDIT, FINISH];
    expect(await halt(stack.project)).toMatchObject({
      haultReason: 'repohost_missconfigured',
      messageToUser: expect.stringMatching(/archived/i),
    });
  } finally {
    await stack.pool.query(`update local_repositories set archived = false where name = 'docs'`);
  }
});

it('a model that refuses the request is an error of another kind', async () => {
  script = [{ status: 400, errorType: 'invalid_request_error', message: 'no' }];
  expect(await halt(stack.project)).toMatchObject({
    haulted: true,
    haultReason: 'error',
    messageToUser: expect.any(String),
  });
});
