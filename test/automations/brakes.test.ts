import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { scheduleId } from '../../shared/jobs/automation.ts';
import { until } from '../support/until.ts';
import { file, type Stage, stageOf } from './stage.ts';

const NAMES = ['one', 'two', 'three'];

/** Two pull requests, three runs an hour. */
describe('the brakes of automations', () => {
  let stack: JobStack;
  let stage: Stage;
  let script: ScriptedReply[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      files: {
        'docs/guide.md': '# Guide\n\nThe first line.\n',
        ...Object.fromEntries(
          NAMES.map(name => [
            `.docent/workflows/${name}.md`,
            file(`name: ${name}\non: { cron: "0 3 1 1 *" }\ndraft: false`),
          ]),
        ),
        '.docent/workflows/failing.md': file('name: failing\non: { cron: "0 3 1 1 *" }'),
      },
      script: () => script.shift() ?? { text: 'Nothing to do.' },
      env: {
        AUTOMATION_MAX_OPEN_PULL_REQUESTS: '2',
        AUTOMATION_MAX_RUNS_PER_HOUR: '5',
        MODEL_PRICES: '{}',
      },
    });
    stage = stageOf(stack);
    await stage.index();
  }, 200_000);
  afterAll(() => stack?.close());

  const bySchedule = async (name: string) => {
    const { id } = await stage.named(name);
    const count = (await stage.runs(id)).length;
    await stack.temporal.schedule.getHandle(scheduleId(id)).trigger();
    await until('the run is there', async () => (await stage.runs(id)).length > count, 60_000);
    const [run] = await stage.done(id, count + 1);
    return run!;
  };
  const pulls = async () =>
    (
      await stack.pool.query<{ number: number; draft: boolean }>(
        'select number, draft from local_pull_requests order by number',
      )
    ).rows;
  const end = (number: number, verb: 'merge' | 'close') =>
    fetch(`${stack.baseUrl}/git/docs/pulls/${number}/${verb}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.config.LOCAL_HOST_TOKEN}` },
    });

  it('hold back a further pull request, and say which setting does', async () => {
    for (const name of ['one', 'two']) {
      script = [EDIT, FINISH];
      expect(await bySchedule(name)).toMatchObject({ outcome: 'published' });
    }
    expect(await bySchedule('three')).toMatchObject({
      outcome: 'held_back',
      reason: expect.stringContaining('AUTOMATION_MAX_OPEN_PULL_REQUESTS') as string,
      jobId: null,
    });
    expect(await pulls()).toEqual([
      { number: 1, draft: false },
      { number: 2, draft: false },
    ]);
    expect(await bySchedule('one')).toMatchObject({ outcome: 'answered' });
  }, 400_000);

  it('leave alone what a person closed, until the docs change', async () => {
    await end(2, 'close');
    expect(await bySchedule('two')).toMatchObject({
      outcome: 'held_back',
      reason: 'A person closed pull request #2, and the docs have not changed since.',
    });
    await stage.put('docs/new.md', '# New\n');
    script = [EDIT, FINISH];
    expect(await bySchedule('two')).toMatchObject({ outcome: 'published' });
    expect((await pulls()).map(({ number }) => number)).toEqual([1, 2, 3]);
  }, 400_000);

  it('hold back too many runs an hour, but none that a person starts', async () => {
    await end(1, 'merge');
    expect(await bySchedule('three')).toMatchObject({ outcome: 'answered' });
    expect(await bySchedule('three')).toMatchObject({
      outcome: 'held_back',
      reason: '5 runs have started within an hour (AUTOMATION_MAX_RUNS_PER_HOUR).',
    });
    const { id } = await stage.named('three');
    await stage.act(id, 'trigger');
    await stage.done(id, 4);
    expect((await stage.runs(id))[0]).toMatchObject({ cause: 'hand', outcome: 'answered' });
  }, 400_000);

  it('pause an automation that fails three times in a row, with one notice', async () => {
    const { id } = await stage.named('failing');
    const refused = { status: 400, errorType: 'invalid_request_error', message: 'No.' } as const;
    for (let count = 1; count <= 3; count += 1) {
      script = [refused];
      await stage.act(id, 'trigger');
      const [run] = await stage.done(id, count);
      expect(run).toMatchObject({ outcome: 'failed' });
    }
    await until('it is paused', async () => (await stage.named('failing')).state === 'paused');
    const { note } = await stage.named('failing');
    expect(note).toContain('Paused after 3 failed runs in a row.');
    const { rows } = await stack.pool.query(
      "select subject_name from audit_log where action = 'automation.paused'",
    );
    expect(rows).toEqual([{ subject_name: 'failing' }]);
    await stage.act(id, 'trigger');
    await stage.done(id, 4);
    await stage.act(id, 'resume');
    expect(await stage.named('failing')).toMatchObject({ state: 'active', note: null });
  }, 400_000);
});
