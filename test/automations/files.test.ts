import { parseDefinition, DefinitionError } from '../../automations/definition.ts';
import { fileFor, readyMade } from '../../automations/ready-made.ts';
import type { ContextRepository } from '../../shared/context-repositories.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { commitFiles, file, type Stage, stageOf } from './stage.ts';

const API: ContextRepository = {
  name: 'api',
  host: 'github',
  repository: 'acme/api',
  ref: 'main',
};

/** A file, and how the sentence about it begins. */
const MALFORMED: [name: string, text: string, sentence: string][] = [
  ['no front matter', 'Say second.', '"name" is missing'],
  ['broken YAML', file('name: [a'), 'The front matter cannot be read, line'],
  ['a list for a name', file('name: [a]\non: manual'), '"name" is missing'],
  [
    'an unknown member',
    file('name: A\non: manual\nmodle: opus'),
    '"modle" is unknown. Known here:',
  ],
  ['a prototype', file('__proto__: { name: A }\non: manual\nname: A'), '"__proto__" is unknown'],
  ['no trigger', file('name: A'), '"on" is missing'],
  ['an empty trigger', file('name: A\non: {}'), '"on" must have exactly one trigger; it has none'],
  [
    'two triggers',
    file('name: A\non: { index: true, manual: true }'),
    '"on" must have exactly one trigger; it has index and manual',
  ],
  ['an unknown trigger', file('name: A\non: { tag: v1 }'), '"on.tag" is unknown'],
  ['a trigger that is off', file('name: A\non: { index: false }'), '"on.index" must be true'],
  ['four fields', file('name: A\non: { cron: "0 9 * *" }'), '"on.cron" must have five fields'],
  ['an hour too late', file('name: A\non: { cron: "0 24 * * *" }'), '"on.cron" has no valid hour'],
  ['a step of none', file('name: A\non: { cron: "*/0 * * * *" }'), '"on.cron" has no valid minute'],
  [
    'days backwards',
    file('name: A\non: { cron: "0 0 * * fri-mon" }'),
    '"on.cron" has no valid day',
  ],
  [
    'no such zone',
    file('name: A\non: { cron: "0 9 * * 1", timezone: Mars }'),
    '"on.timezone" is not',
  ],
  ...['europe/berlin', 'asia/kolkata', '+05:30'].map((zone): [string, string, string] => [
    `${zone}, which Temporal refuses`,
    file(`name: A\non: { cron: "0 9 * * 1", timezone: "${zone}" }`),
    '"on.timezone" is not',
  ]),
  [
    'a zone without cron',
    file('name: A\non: { index: true, timezone: UTC }'),
    '"on.timezone" goes',
  ],
  [
    'another repository',
    file('name: A\non: { merge: { repo: evil/api } }'),
    '"on.merge": "evil/api"',
  ],
  ['a bad branch', file('name: A\non: { push: { repo: api, branch: "-x" } }'), '"on.push.branch"'],
  [
    'two repositories',
    file('name: A\non: { merge: [{ repo: api }, { repo: api }] }'),
    '"on.merge" must',
  ],
  ['paths that are none', file('name: A\non: manual\npaths: ["[z-a]"]'), '"paths": "[z-a]" is not'],
  ['paths as text', file('name: A\non: manual\npaths: src'), '"paths" must be a list'],
  [
    'a merge by itself',
    file('name: A\non: manual\nautomerge: true'),
    '"automerge" can only be false',
  ],
  [
    'a name that turns the text after it',
    file('name: "A\\u202egnp"\non: manual'),
    '"name" must be one line',
  ],
  [
    'a name with codes of a terminal',
    file('name: "A\\u009b2J"\non: manual'),
    '"name" must be one line',
  ],
  ['a budget that is no number', file('name: A\non: manual\nbudget: free'), '"budget" must be a'],
  ['a budget of nothing', file('name: A\non: manual\nbudget: 0'), '"budget" must be a number'],
  [
    'a plan that may be',
    file('name: A\non: manual\nrequirePlanApproval: often'),
    '"requirePlanApproval" must be true or false',
  ],
  [
    'a day that never comes',
    file('name: A\non: { cron: "0 0 31 feb,4-6/2 *" }'),
    '"on.cron" names a day that no month has.',
  ],
  ['no instruction', '---\nname: A\non: manual\n---\n\n', 'The file has no instruction'],
  [
    'a draft that may be',
    file('name: A\non: manual\ndraft: maybe'),
    '"draft" must be true or false',
  ],
];

describe('what an automation’s file says', () => {
  it.each(MALFORMED)('%s is refused with a sentence', (_, text, sentence) => {
    let said = '';
    try {
      parseDefinition(text, [API]);
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      said = error.message;
    }
    expect(said.slice(0, sentence.length)).toBe(sentence);
    expect(said).toMatch(/[.:]$|[^.]$/);
    expect(said.length).toBeLessThan(500);
  });

  it('is read with its defaults, and triggers in each form', () => {
    expect(parseDefinition(file('name: A\non: manual'), [])).toEqual({
      name: 'A',
      trigger: { kind: 'manual' },
      questions: false,
      digest: false,
      context: [],
      paths: [],
      draft: true,
      labels: [],
      instruction: 'Say second.',
    });
    const merge = file(
      'name: A\non: { merge: [{ repo: Acme/API }] }\ndraft: false\nautomerge: false',
    );
    expect(parseDefinition(merge, [API])).toMatchObject({
      trigger: { kind: 'merge', host: 'github', repository: 'acme/api', branch: 'main' },
      draft: false,
    });
    const cron = file('name: A\non: { cron: "*/15 8-18 1,15 jan-mar MON-FRI" }');
    expect(parseDefinition(cron, []).trigger).toMatchObject({ timezone: 'UTC' });
    for (const days of ['30 2-3', '29/2 2', '31 */5', '1,31 2'])
      expect(
        parseDefinition(file(`name: A\non: { cron: "0 0 ${days} *" }`), []).trigger,
      ).toMatchObject({ kind: 'cron' });
    for (const timezone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Etc/GMT+5']) {
      const zoned = file(`name: A\non: { cron: "0 9 * * 1", timezone: ${timezone} }`);
      expect(parseDefinition(zoned, []).trigger).toMatchObject({ timezone });
    }
  });

  it('is valid in each ready-made one', async () => {
    const ready = await readyMade();
    expect(ready).toHaveLength(9);
    for (const each of ready)
      expect(parseDefinition(fileFor(each, [API]), [API]).name).toBe(each.name);
  });
});

describe('files that cannot be used', () => {
  let stack: JobStack;
  let stage: Stage;
  beforeAll(async () => {
    stack = await startJobStack({
      files: {
        'docs/guide.md': '# Guide\n\nThe first line.\n',
        '.docent/workflows/broken.md': file('name: Broken\non: { cron: "x" }'),
        'docs/.mintlify/workflows/fine.md': file('name: Fine\non: manual'),
        '.docent/workflows/binary.md': Buffer.from([0xff, 0xfe, 0x00]),
        '.docent/workflows/deeper/not.md': file('name: Not\non: manual'),
        '.docent/workflows/notes.txt': 'Not an automation',
      },
      script: () => ({ text: 'Nothing to do.' }),
    });
    stage = stageOf(stack);
    await stage.index();
  }, 200_000);
  afterAll(() => stack?.close());

  it('are listed with what is wrong, and cannot be run', async () => {
    const found = await stage.list();
    expect(found.map(({ name, state, note }) => [name, state, note])).toEqual([
      ['binary', 'invalid', 'The file is not text in UTF-8.'],
      [
        'broken',
        'invalid',
        '"on.cron" must have five fields (minute, hour, day, month, weekday); "x" has 1.',
      ],
      ['Fine', 'active', null],
    ]);
    expect(await stage.act(found[1]!.id, 'trigger')).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('"on.cron" must') as string },
    });
  });

  it('are listed as far as people read, when there are thousands', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `.docent/workflows/n${n}.md`,
        file('name: N\non: manual'),
      ]),
    );
    commitFiles(stack.repository, many);
    await stage.index();
    const found = await stage.list();
    expect(found).toHaveLength(100);
    expect(found.filter(({ note }) => note?.startsWith('A project may have 50'))).toHaveLength(50);
    const none = Object.keys(many).map((path): [string, null] => [path, null]);
    commitFiles(stack.repository, Object.fromEntries(none));
    await stage.index();
    expect(await stage.list()).toHaveLength(3);
  });

  it('are added by a pull request, which the agent itself cannot write', async () => {
    const path = `/v1/workflow/${stack.project.id}`;
    const added = await stack.call('POST', path, { ready: 'fix-links' });
    expect(added).toMatchObject({ status: 201 });
    const again = await stack.call('POST', path, { ready: 'fix-links' });
    expect(again.body).toEqual(added.body);
    const { rows } = await stack.pool.query(
      'select number, title, job_id from local_pull_requests',
    );
    expect(rows).toEqual([
      { number: 1, title: 'Add the automation "Fix broken links"', job_id: null },
    ]);
    await fetch(`${stack.baseUrl}/git/docs/pulls/1/merge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.config.LOCAL_HOST_TOKEN}` },
    });
    await stage.index();
    expect(await stage.named('Fix broken links')).toMatchObject({
      path: 'docs/.docent/workflows/fix-links.md',
      state: 'active',
    });
    const refused = await stack.call('POST', path, { ready: 'docs-for-code' });
    expect(refused).toMatchObject({ status: 409 });
  }, 200_000);
});
