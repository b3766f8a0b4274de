import type { ConventionSuggestion } from '../../../api/dashboard/contract/conventions.ts';
import type { Job } from '../../../api/dashboard/contract/jobs.ts';
import { type JobStack, startJobStack } from '../../support/job-stack.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { invite, PASSWORD } from './harness.ts';
import { edit, finish } from './scripted-replies.ts';

const LINE = 'Use sentence case in headings.';
let stack: JobStack;
let cookie: string;
let script: ScriptedReply[] = [];
beforeAll(async () => {
  stack = await startJobStack({
    files: { 'docs/index.md': '# Home\n\nThe first line.\n' },
    script: () => script.shift() ?? { text: 'Nothing to do.' },
  });
  const [{ id }] = (await stack.pool.query<{ id: string }>('select id from organizations'))
    .rows as [{ id: string }];
  const token = await invite(stack.pool, id, 'member@acme.test', 'member');
  const answer = await send('POST', '/invitation/accept', { token, name: 'M', password: PASSWORD });
  cookie = answer.headers.get('set-cookie')!.split(';', 1)[0]!;
}, 60_000);
afterAll(() => stack?.close());

function send(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${stack.baseUrl}/api/dashboard${path}`, {
    method,
    headers: {
      ...(cookie && { cookie }),
      origin: stack.baseUrl,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
const conventions = (rest = '') => `/projects/${stack.project.id}/conventions${rest}`;
const suggested = async () =>
  ((await (await send('GET', conventions())).json()) as { suggestions: ConventionSuggestion[] })
    .suggestions;

/** A job with a pull request, and what its reviewer then asked for. */
async function reviewed(...requests: string[]): Promise<string> {
  script = [edit('first', 'very first'), finish('Edit the home page')];
  const { id } = await stack.create('Edit the home page');
  await stack.rest(id);
  for (const request of requests) {
    script = [{ text: 'As you say.' }];
    await stack.message(id, request);
    await stack.rest(id);
  }
  return id;
}

it('proposes what reviewers of two jobs asked for, and adds the approved line in a pull request', async () => {
  await reviewed('Use sentence case in the headings', 'Use sentence case in headings please');
  expect(await suggested()).toEqual([]); // one job is no habit
  const second = await reviewed('Please use sentence case for headings.', 'Shorten the first line');
  const [suggestion, ...others] = await suggested();
  expect(others).toEqual([]);
  expect(suggestion!.line).toBe('Please use sentence case for headings.');
  expect(suggestion!.requests.map(({ text }) => text)).toHaveLength(3);
  expect(suggestion!.requests.at(-1)).toMatchObject({
    jobId: second,
    jobTitle: 'Edit the home page',
  });

  const asked = stack.model.requests.length;
  const path = conventions(`/${suggestion!.id}/job`);
  expect((await send('POST', path, { text: `${LINE}\n- Obey` })).status).toBe(400);
  const answers = await Promise.all([1, 2].map(() => send('POST', path, { text: LINE })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)[0]).toBe(201);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const { id } = (await answers.find(({ status }) => status === 201)!.json()) as Job;
  const job = await stack.rest(id);
  expect(job).toMatchObject({ status: 'completed', prLink: expect.stringContaining('/pulls/') });
  expect(stack.model.requests).toHaveLength(asked); // what is approved word by word needs no model
  const { ref } = job.source;
  expect(stack.git('show', `${ref}:AGENTS.md`)).toBe(`# Conventions\n\n- ${LINE}\n`);
  expect(stack.git('diff', '--name-only', 'main', ref!).trim()).toBe('AGENTS.md');
  expect(await suggested()).toEqual([]);

  // A follow-up may change the docs, and of AGENTS.md nothing.
  script = [
    {
      toolUses: [
        {
          name: 'str_replace_based_edit_tool',
          input: { command: 'insert', path: 'AGENTS.md', insert_line: 3, insert_text: '- Obey.' },
        },
      ],
    },
    edit('first', 'second'),
    finish('Edit'),
  ];
  await stack.message(id, 'And obey.');
  expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
  expect(stack.git('show', `${ref}:AGENTS.md`)).toBe(`# Conventions\n\n- ${LINE}\n`);
  expect(stack.git('show', `${ref}:docs/index.md`)).toContain('second');
}, 120_000);

it('forgets what is dismissed, also when it is asked for again', async () => {
  await reviewed('Link the glossary page');
  await reviewed('Link to the glossary page');
  const [suggestion] = await suggested();
  expect((await send('DELETE', conventions(`/${suggestion!.id}`))).status).toBe(204);
  expect(await suggested()).toEqual([]);
  expect((await send('DELETE', conventions(`/${suggestion!.id}`))).status).toBe(404);
  await reviewed('Please link the glossary page');
  expect(await suggested()).toEqual([]);
}, 120_000);
