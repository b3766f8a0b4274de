import { execFileSync } from 'node:child_process';
import { SEARCH_ATTRIBUTES } from '../../shared/jobs/attribute-names.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedAnswer } from '../support/scripted-model.ts';
import { testTemporal } from '../support/services.ts';
import { until } from '../support/until.ts';

const FILES = {
  'docs/index.md': '---\ntitle: Welcome\n---\n\n# Welcome\n\nStart with the [guide](/guide).\n',
  'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n',
  'src/secret.ts': 'export const x = 1;\n',
};

const edit = (from: string, to: string, path = 'docs/guide.md'): ScriptedAnswer => ({
  text: `Replacing ${from}.`,
  toolUses: [
    {
      name: 'str_replace_based_edit_tool',
      input: { command: 'str_replace', path, old_str: from, new_str: to },
    },
  ],
});
const finish = (title: string): ScriptedAnswer => ({
  toolUses: [
    {
      name: 'finish',
      input: { title, body: `${title}, because it was asked for.`, message: `${title}: done.` },
    },
  ],
});

describe('the life of a job', () => {
  let stack: JobStack;
  const script: ScriptedAnswer[] = [];
  let played = 0;
  beforeAll(async () => {
    stack = await startJobStack({
      files: FILES,
      script: () => script[played++] ?? { text: 'Nothing to do.' },
    });
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    script.length = 0;
    played = 0;
  });

  it('becomes a pull request, and follow-ups go to the same one', async () => {
    script.push(edit('The first line.', 'The first, better line.'), finish('Improve the guide'));
    const created = await stack.create('Improve the guide');
    expect(created).toMatchObject({
      status: 'active',
      prLink: null,
      archivedAt: null,
      source: { ref: null },
    });

    const job = await stack.rest(created.id);
    expect(job).toMatchObject({
      status: 'completed',
      source: { ref: expect.stringMatching(/^docent\/improve-the-guide-/) },
    });
    const page = await fetch(job.prLink ?? '');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Improve the guide');
    const ref = job.source.ref ?? '';
    expect(stack.git('show', `${ref}:docs/guide.md`)).toContain('first, better line');
    expect(stack.git('rev-list', '--count', `main..${ref}`).trim()).toBe('1');

    script.push(edit('better line', 'best line'), finish('Better still'));
    played = 2;
    expect(await stack.message(created.id, 'Make it the best line')).toMatchObject({
      id: created.id,
      status: 'active',
      prLink: null,
    });
    const again = await stack.rest(created.id);
    expect(again).toMatchObject({ status: 'completed', prLink: job.prLink, source: { ref } });
    expect(stack.git('rev-list', '--count', `main..${ref}`).trim()).toBe('2');
    const { body: diff } = await stack.call(
      'GET',
      `/v2/agent/${stack.project.id}/job/${created.id}/diff`,
    );
    expect(diff).toContain('-The first line.');
    expect(diff).toContain('+The first, best line.');
  });

  it('is in the lists of Temporal with its status and pull request, written once a turn', async () => {
    script.push(edit('The first line.', 'A listed line.'), finish('List the guide'));
    const { id } = await stack.create('List the guide');
    const workflow = stack.temporal.workflow.getHandle(id);
    const listed = async () => {
      const { typedSearchAttributes: attributes } = await workflow.describe();
      return Object.fromEntries(attributes.getAll().map(({ key, value }) => [key.name, value]));
    };
    const writes = async () =>
      ((await workflow.fetchHistory()).events ?? []).filter(
        event => event.upsertWorkflowSearchAttributesEventAttributes,
      ).length;

    const { prLink } = await stack.rest(id);
    await until(
      'listed as completed',
      async () => (await listed())[SEARCH_ATTRIBUTES.status] === 'completed',
    );
    expect(await listed()).toMatchObject({
      [SEARCH_ATTRIBUTES.project]: stack.project.id,
      [SEARCH_ATTRIBUTES.status]: 'completed',
      [SEARCH_ATTRIBUTES.pullRequest]: prLink,
    });
    expect(await writes()).toBe(1);

    script.push({ text: 'Nothing more.' });
    await stack.message(id, 'And now?');
    await stack.rest(id);
    // Active, and completed again.
    await until('written twice more', async () => (await writes()) === 3);
    expect(await listed()).toMatchObject({
      [SEARCH_ATTRIBUTES.status]: 'completed',
      [SEARCH_ATTRIBUTES.pullRequest]: prLink,
    });
  });

  it('takes a follow-up from a plain signal of the temporal CLI, and survives malformed ones', async () => {
    script.push({ text: 'What should I write?' });
    const created = await stack.create('Write something');
    expect(await stack.rest(created.id)).toMatchObject({ status: 'completed', prLink: null });
    const signal = (name: string, input: string) =>
      execFileSync(
        testTemporal().cliPath,
        [
          'workflow',
          'signal',
          '--address',
          testTemporal().address,
          '--workflow-id',
          created.id,
          '--name',
          name,
          '--input',
          input,
        ],
        { stdio: 'pipe' },
      );
    signal('message', 'null');
    signal('message', '{"prompt": 5}');
    signal('nonsense', '{}');
    signal('message', '{"prompt":"Halved","messageId":"\\ud800a"}');
    signal('message', '{"prompt":"Halved","messageId":"\\ud801a"}');
    script.push(edit('The first line.', 'From a script.'), finish('From a script'));
    signal('message', '{"prompt":"Write \\ud83d: From a script.","messageId":"\\ufffda"}');
    for (let i = 0; i < 100 && (await stack.job(created.id)).source.ref === null; i++)
      await new Promise(resolve => setTimeout(resolve, 100));
    const job = await stack.rest(created.id);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.stringContaining('/pulls/') });
    expect(stack.git('show', `${job.source.ref}:docs/guide.md`)).toContain('From a script.');
    const described = await stack.temporal.workflow.getHandle(created.id).describe();
    expect(described.memo?.ignoredSignals).toHaveLength(5);
    const { rows } = await stack.pool.query(
      'select message_id, prompt, state from instructions where job_id = $1 order by seq offset 1',
      [created.id],
    );
    expect(rows).toEqual([
      { message_id: '\ufffda', prompt: 'Write \ufffd: From a script.', state: 'taken' },
    ]);
  });

  it('lets no credential into a pull request, whatever the model writes there', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    script.push(edit('The first line.', 'A line.'), {
      toolUses: [
        {
          name: 'finish',
          input: { title: `Use ${token}`, body: `The token is ${token}.`, message: 'Done.' },
        },
      ],
    });
    const job = await stack.rest((await stack.create('Write a line')).id);
    expect(job.status).toBe('completed');
    expect(await (await fetch(job.prLink ?? '')).text()).not.toContain(token);
    expect(stack.git('log', '-1', '--format=%B', job.source.ref ?? '')).not.toContain(token);
  });

  it('keeps and publishes nothing of a call that policy forbids', async () => {
    script.push(
      edit(
        'The first line.',
        'Key: sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnop-AAAAAAAA',
      ),
      finish('Leak'),
    );
    const created = await stack.create('Leak a key');
    const job = await stack.rest(created.id);
    expect(job).toMatchObject({ status: 'completed', prLink: null });
    expect(JSON.stringify(stack.model.requests.at(-1)?.body)).toContain('Refused (secret)');
    expect(stack.git('branch', '--list', 'docent/leak*').trim()).toBe('');
  });
});
