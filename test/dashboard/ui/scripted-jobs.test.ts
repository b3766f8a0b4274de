import { execFile } from 'node:child_process';
import { testProgram } from '../../support/services.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { findingsInBothThemes } from './axe.ts';
import { at, startUi, type Ui, type Visitor } from './harness.ts';
import { slowly } from '../../support/slow.ts';

const EDITOR = 'str_replace_based_edit_tool';
const FILES = {
  'README.md': '# Acme\n',
  'docs/guide.md': '---\ntitle: Guide\n---\n\nThe first line.\n\nThe second line.\n',
};
const edit = (from: string, to: string): ScriptedReply => ({
  text: `${from} becomes ${to}.`,
  toolUses: [
    {
      name: EDITOR,
      input: { command: 'str_replace', path: 'docs/guide.md', old_str: from, new_str: to },
    },
  ],
});
const plan = (content: string): ScriptedReply => ({
  toolUses: [
    {
      name: 'write_todos',
      input: { todos: [{ id: '1', content, status: 'pending', priority: 'high' }] },
    },
  ],
});
const finish = (title: string): ScriptedReply => ({
  toolUses: [
    { name: 'finish', input: { title, body: `${title}, as asked.`, message: `${title}: done.` } },
  ],
});

let ui: Ui;
let member: Visitor;
let script: (ScriptedReply | Promise<ScriptedReply>)[] = [];
let played = 0;
const play = (...replies: typeof script) => {
  script = replies;
  played = 0;
};
beforeAll(async () => {
  ui = await startUi({
    files: FILES,
    script: () => script[played++] ?? { text: 'Nothing to do.' },
  });
  member = await ui.signedIn('member');
}, 180_000);
afterAll(async () => ui?.close());

async function start(instruction: string): Promise<void> {
  const { page } = member;
  await page.goto(at('/jobs'));
  await page.getByLabel('Instruction for the agent').fill(instruction);
  await page.getByRole('button', { name: 'Start job' }).click();
  await page.waitForURL(/\/jobs\/job_/);
}

async function followUp(instruction: string): Promise<void> {
  const { page } = member;
  await page.getByLabel('Follow-up instruction').fill(instruction);
  const sent = page.waitForResponse(response => response.url().endsWith('/message'));
  await page.getByRole('button', { name: 'Send' }).click();
  await sent;
}

slowly(
  'a job goes on from an earlier step, and all of its page follows',
  async () => {
    const { page, complaints } = member;
    const log = page.getByRole('log', { name: 'What happened' });
    const side = page.getByRole('complementary', { name: 'About this job' });
    play(plan('Shout once'), edit('first', 'FIRST'), finish('Shout the first'));
    await start('Shout the first');
    await log.getByText('Shout the first: done.', { exact: true }).waitFor();
    play(plan('Shout twice'), edit('second', 'SECOND'), finish('Shout the second'));
    await followUp('Shout the second');
    await log.getByText('Shout the second: done.', { exact: true }).waitFor();
    await side.getByText('Shout twice').waitFor();

    await log.getByRole('button', { name: 'Continue from here (step 2 of turn 1)' }).click();
    const dialog = page.getByRole('dialog', { name: 'Continue from step 2 of turn 1?' });
    await dialog.getByText('5 steps with messages and changes').waitFor();
    await dialog.getByText('the follow-up “Shout the second”').waitFor();
    await dialog.getByText('2 commits were pushed since').waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    play(edit('first', 'very first'), finish('Say very'));
    await dialog.getByRole('button', { name: 'Continue from here' }).click();
    await dialog.waitFor({ state: 'detached' });

    await log.getByText('Say very: done.', { exact: true }).waitFor();
    await side.getByText('Shout once').waitFor();
    expect(await side.getByText('Shout twice').count()).toBe(0);
    const undone = log.getByText('Shout the second', { exact: true }).first();
    expect(await undone.isVisible()).toBe(false);
    await log.getByText('Rewound to step 2 of turn 1').click();
    expect(await undone.isVisible()).toBe(true);
    // What no longer holds is nothing to go on from: the steps that do are 1 and, made again, 2 and
    // 3.
    expect(
      await log
        .getByRole('button', { name: /^Continue from here/ })
        .evaluateAll(all => all.map(each => each.getAttribute('aria-label'))),
    ).toEqual([1, 2, 3].map(step => `Continue from here (step ${step} of turn 1)`));

    await page.getByRole('link', { name: /^Changes/ }).click();
    const diff = page.getByRole('region', { name: 'Changes in docs/guide.md' });
    await diff.getByText('very first').waitFor();
    expect(await diff.getByText(/SECOND/).count()).toBe(0);
    await page.getByRole('link', { name: 'Review pull request #1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Say very' }).waitFor();
    await diff.getByText('very first').waitFor();
    expect(await diff.getByText(/SECOND/).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  120_000,
);

it('a turn that a rewind leaves without changes is not called published', async () => {
  const { page, complaints } = member;
  const log = page.getByRole('log', { name: 'What happened' });
  play(edit('first', 'FIRST'), finish('Shout the first'));
  await start('Shout the first');
  await log.getByText('Shout the first: done.', { exact: true }).waitFor();
  play(edit('second', 'SECOND'), finish('Shout the second'));
  await followUp('Shout the second');
  await log.getByText('Shout the second: done.', { exact: true }).waitFor();
  expect(await log.getByText('published', { exact: true }).count()).toBe(2);

  await log.getByRole('button', { name: 'Continue from here (step 1 of turn 2)' }).click();
  play({ text: 'Which line is it?' });
  await page.getByRole('dialog').getByRole('button', { name: 'Continue from here' }).click();
  await log.getByText('taken back', { exact: true }).waitFor();
  const published = log.getByText('published', { exact: true }).and(page.locator(':visible'));
  expect(await published.count()).toBe(1);
  expect(complaints).toEqual([]);
}, 120_000);

const read = { name: EDITOR, input: { command: 'view', path: 'docs/guide.md' } };
const call = (name: string, input: object): ScriptedReply => ({ toolUses: [{ name, input }] });

it('every call opens to its result, and a long job folds', async () => {
  const { page, complaints } = member;
  const log = page.getByRole('log', { name: 'What happened' });
  play(
    edit('no such text', 'another'),
    edit('The first line.', 'The [first](nowhere.md) line.'),
    call('search_text', { pattern: 'second' }),
    call('check', {}),
    call('no_such_tool', { path: 'x' }),
    { toolUses: [read, read, read, read] },
    edit('The [first](nowhere.md) line.', 'The first line!'),
    finish('Call the first'),
  );
  await start('Call the first');
  await log.getByText('Call the first: done.', { exact: true }).waitFor();

  const fold = log.getByText(/^Edited 1 file, searched text once, checked once/);
  expect(await log.getByText('Search text', { exact: true }).isVisible()).toBe(false);
  await fold.click();
  const row = (name: RegExp) => log.locator('li.call', { hasText: name }).first();
  const open = async (name: RegExp) => {
    await row(name).locator('summary').first().click();
    return row(name);
  };
  const failed = await open(/failed:/);
  await failed.getByText('It failed. The model read:').waitFor();
  await failed
    .getByRole('region', { name: 'Result' })
    .getByText('old_str does not occur in docs/guide.md')
    .waitFor();
  await failed.getByRole('region', { name: 'Edit' }).getByText('no such text').waitFor();
  const found = await open(/Search text/);
  await found.getByRole('cell', { name: /^docs\/guide\.md:\d+$/ }).waitFor();
  await found.getByRole('cell', { name: 'The second line.' }).waitFor();
  const checked = await open(/Check/);
  await checked.getByText('found problems:').waitFor({ state: 'attached' });
  await checked.getByRole('listitem').filter({ hasText: 'nowhere.md' }).waitFor();
  await (await open(/Invalid call/)).getByText('There is no tool no_such_tool').waitFor();
  const reads = await open(/Read 1 file/);
  await reads.locator('li.call summary').first().click();
  await reads.getByRole('cell', { name: 'The second line.' }).waitFor();
  expect(await findingsInBothThemes(page)).toEqual([]);

  // A step has an address, which opens what it is folded into.
  await found.getByRole('link', { name: 'Step 3 of turn 1' }).click();
  expect(page.url()).toContain('#turn-1-step-3');
  await page.reload();
  await log.getByText('Search text', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
}, 120_000);

it('what the checks left stands on job, list and pull request, and goes once it is fixed', async () => {
  const { page, context, complaints } = await ui.visitor({
    storageState: await member.context.storageState(),
  });
  const add = {
    toolUses: [
      {
        name: EDITOR,
        input: {
          command: 'create',
          path: 'docs/new.md',
          file_text: '---\ntitle: New\n---\n\n[It](gone.md)\n',
        },
      },
    ],
  };
  play(add, ...Array.from({ length: 4 }, () => finish('Add a page')));
  const { id } = await ui.create('Add a page');
  await ui.rest(id);
  await page.goto(at(`/jobs/${id}`));
  await page.getByText('1 problem', { exact: true }).waitFor();
  await page.goto(at('/jobs'));
  await page.locator('.job-row', { hasText: 'Add a page' }).getByText('1 problem').waitFor();
  await page
    .getByRole('link', { name: /^Pull request #/ })
    .first()
    .click();
  await page.getByText('Checks found 1 problem').waitFor();

  const fix = {
    toolUses: [
      {
        name: EDITOR,
        input: { command: 'str_replace', path: 'docs/new.md', old_str: 'gone', new_str: 'guide' },
      },
    ],
  };
  play(fix, finish('Mend the link'));
  await ui.message(id, 'Mend the link');
  await ui.rest(id);
  await page.getByText('Checks passed').waitFor();
  await page.goto(at(`/jobs/${id}`));
  await page
    .getByRole('log', { name: 'What happened' })
    .getByText('Mend the link: done.')
    .waitFor();
  expect(await page.getByText('1 problem', { exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
}, 120_000);

it('what the agent says stays in sight, and long rows of calls fold between it', async () => {
  const { page, context, complaints } = await ui.visitor({
    storageState: await member.context.storageState(),
  });
  const search = (i: number) => ({ name: 'search_text', input: { pattern: `line ${i}` } });
  const several = { name: 'view_files', input: { files: [{ path: 'docs/guide.md' }] } };
  play(
    plan('Read it through'),
    { text: 'First I look around.', toolUses: Array.from({ length: 40 }, (_, i) => search(i)) },
    ...Array.from({ length: 20 }, (_, i) => ({ toolUses: [search(i), search(i + 20)] })),
    { text: 'Now the edits.', toolUses: [read, several] },
    edit('second', 'third'),
    finish('Read it through'),
  );
  const { id } = await ui.create('Read it through');
  await ui.rest(id);
  await page.goto(at(`/jobs/${id}`));
  const log = page.getByRole('log', { name: 'What happened' });
  await log.getByText('Read it through: done.', { exact: true }).waitFor();
  await log.getByText('First I look around.').waitFor();
  await log.getByText('Now the edits.').waitFor();
  await log.getByText('Searched text 80 times').waitFor();
  // What is folded is drawn once it is opened, or named by the address.
  expect(await log.locator('.call').count()).toBeLessThan(10);
  await log.getByText('80 calls').click();
  await log.getByText('Searched text 80 times').nth(1).waitFor();
  await page.goto(at(`/jobs/${id}#turn-1-step-9`));
  await page.reload();
  await page.locator('[data-target]#turn-1-step-9').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
}, 120_000);

it('what happens to a job that rests shows without a click', async () => {
  play({ text: 'Which one?' });
  const { id } = await ui.create('Shout a line');
  await ui.rest(id);
  const { page, context } = await ui.visitor({ storageState: await member.context.storageState() });
  await page.clock.install();
  await page.addInitScript('requestAnimationFrame = () => 0'); // as in a tab in the background
  const ended = page.waitForResponse(
    response => response.url().includes('/events') && response.status() === 204,
  );
  await page.goto(at(`/jobs/${id}`));
  await ended; // nobody listens any more
  play({ text: 'I see.' });
  await ui.message(id, 'The second');
  await ui.rest(id); // it has come and gone before the page asks
  await page.clock.fastForward('00:30');
  const log = page.getByRole('log', { name: 'What happened' });
  await log.getByText('I see.').waitFor();
  expect(await log.getByText('Which one?').count()).toBe(1);
  await context.close();
}, 60_000);

it('a job at work shows what waits, and is cancelled', async () => {
  const { page, complaints } = member;
  play({ text: 'At last.', delayMs: 120_000 });
  const asked = ui.model.requests.length;
  await start('Add a page about moons');
  await page.getByText('Working …').waitFor();
  // Else the first call would read the follow-up.
  while (ui.model.requests.length === asked) await page.waitForTimeout(50);
  await followUp('Also fix the links.');
  await page.getByText('waiting for the next step').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
  await page.getByText('cancelled', { exact: true }).first().waitFor({ timeout: 30_000 });
  await page
    .getByRole('log')
    .getByText(/cancelled/i)
    .first()
    .waitFor();
  await page.getByText('dropped', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
}, 120_000);

slowly(
  'calls that a cancelled turn never ran are marked, on the page and in the terminal',
  async () => {
    const { page, complaints } = member;
    // Checks take their time: the cancel comes while they run.
    const calls = 200;
    play({ toolUses: Array.from({ length: calls }, () => ({ name: 'check', input: {} })) });
    const { id } = await ui.create('Read it again and again');
    await page.goto(at(`/jobs/${id}`));
    const log = page.getByRole('log', { name: 'What happened' });
    await log
      .getByText(/^Check/)
      .last()
      .waitFor();
    expect((await ui.call('POST', `/v2/agent/${ui.project.id}/job/${id}/cancel`)).status).toBe(200);
    await log.getByText(/^Cancelled/).waitFor({ timeout: 60_000 });

    const [done, notRun] = await Promise.all([
      log.getByText('done:').count(),
      log.getByText('not run:').count(),
    ]);
    expect(notRun).toBeGreaterThan(0);
    expect(done + notRun).toBe(calls);
    expect([
      await log.getByText('running:').count(),
      await log.locator('.call .spinner').count(),
    ]).toEqual([0, 0]);
    expect(await watch(id)).toContain(
      `! the turn ended before the last ${notRun} of the calls above were run\nfailed: Cancelled`,
    );
    expect(complaints).toEqual([]);
  },
  120_000,
);

it('the server dies and comes back while a person types, reads a stream and navigates', async () => {
  const { page } = member;
  let answer: () => void = () => undefined;
  const answered = new Promise<void>(resolve => {
    answer = resolve;
  });
  play(
    plan('Wait'),
    answered.then(() => finish('Come back')),
  );
  // As the app does when idle: the code of every page.
  const loaded = page.waitForResponse(response => response.url().includes('/assets/settings'));
  await start('Come back');
  await page.getByRole('complementary').getByText('Wait').waitFor();
  await loaded;
  const composer = page.getByLabel('Follow-up instruction');
  await composer.fill('Half a sentence');

  const revive = await ui.killApi();
  const connection = page.getByRole('status', { name: 'Connection' });
  await connection.getByText('Docent does not answer.').waitFor();
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  await page.goBack();
  expect(await composer.inputValue()).toBe('Half a sentence');
  await revive();
  await connection.getByText('The connection is back.').waitFor();
  answer();
  const log = page.getByRole('log', { name: 'What happened' });
  await log.getByText('Come back: done.', { exact: true }).waitFor({ timeout: 60_000 });
  expect(await composer.inputValue()).toBe('Half a sentence');
}, 120_000);

/** What `docent job watch` prints. */
async function watch(jobId: string): Promise<string> {
  const args = [
    testProgram('docent'),
    'job',
    'watch',
    jobId,
    '--base-url',
    ui.baseUrl,
    '--key',
    ui.adminKey,
    '--project',
    ui.project.id,
  ];
  return await new Promise(resolve => {
    execFile(process.execPath, args, (_error, stdout) => resolve(stdout));
  });
}
