import { makeProject } from '../../api/dashboard/project/new-project.ts';
import { locateRepository } from '../../cli/project/repository.ts';
import { HOSTS } from '../../hosts/registry.ts';
import { createProject } from '../../db/projects/projects.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, FINISH } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { thirdHost } from './third/definition.ts';
import { REPOSITORY, startThirdServer, type ThirdServer } from './third/server.ts';

/** What another host costs: a folder, and a line in the registry. */

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };

let server: ThirdServer;
let stack: JobStack;
let script: ScriptedReply[] = [];

beforeAll(async () => {
  server = await startThirdServer(FILES);
  HOSTS.push(thirdHost(server));
  stack = await startJobStack({
    files: FILES,
    script: () => script.shift() ?? { text: 'Nothing.' },
  });
}, 60_000);
afterAll(async () => {
  await stack.close();
  await server.stop();
});

it('takes a job from its instruction to a pull request, and a follow-up on it', async () => {
  const { organizationId } = stack.project;
  const located = await locateRepository(stack.pool, stack.config, organizationId, 'handbook', {
    repository: `${server.url}/${REPOSITORY}`,
  });
  expect(located).toEqual({
    host: 'third',
    repository: REPOSITORY,
    repositoryUrl: `${server.url}/${REPOSITORY}`,
    baseRef: 'main',
    docsFolder: 'docs',
  });
  const { id } = await createProject(stack.pool, {
    organizationId,
    name: 'Handbook',
    domain: 'handbook',
    ...located,
  });

  script = [edit('The first line.', 'A line.'), FINISH];
  const created = await stack.create('Change the line', {}, id);
  const first = await stack.rest(created.id, undefined, id);
  expect(first).toMatchObject({ status: 'completed', prLink: server.pulls[0]?.url });
  expect(server.pulls).toMatchObject([
    { state: 'open', title: 'Say second', base: 'main', head: first.source.ref },
  ]);
  expect(server.git('show', `${first.source.ref}:docs/guide.md`)).toContain('A line.');

  script = [edit('A line.', 'A better line.'), FINISH];
  const path = `/v2/agent/${id}/job/${first.id}/message`;
  expect(await stack.call('POST', path, { prompt: 'Better' })).toMatchObject({ status: 200 });
  expect(await stack.rest(first.id, undefined, id)).toMatchObject({
    status: 'completed',
    prLink: first.prLink,
    source: { ref: first.source.ref },
  });
  expect(server.pulls).toHaveLength(1);
  expect(server.git('rev-list', '--count', `main..${first.source.ref}`).trim()).toBe('2');
  expect(server.git('show', `${first.source.ref}:docs/guide.md`)).toContain('A better line.');
}, 120_000);

it('is offered to new projects of the dashboard, by its kind', async () => {
  const deps = {
    ...stack,
    feed: undefined as never,
    assistant: undefined as never,
    reader: undefined as never,
    storedApp: undefined as never,
  };
  const make = (repository: string, type = 'third', more = {}) =>
    makeProject(
      { ...deps, publicUrl: stack.baseUrl },
      stack.project.organizationId,
      { name: 'Second', domain: 'second', source: { type, repository }, ...more },
      { kind: 'operator' },
    );
  expect(await make(REPOSITORY)).toMatchObject({
    host: 'third',
    repository: REPOSITORY,
    repositoryUrl: `${server.url}/${REPOSITORY}`,
    baseRef: 'main',
    docsFolder: 'docs',
  });
  const other = { domain: 'other' };
  await expect(make('team/nothing', 'third', other)).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'source.repository' }],
  });
  await expect(make(REPOSITORY, 'fourth', other)).rejects.toMatchObject({ status: 400 });
});
