import { scheduleId } from '../../shared/jobs/automation.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { file, type Stage, stageOf } from './stage.ts';

const WEEKLY = '.docent/workflows/weekly.md';
const NOTHING: ScriptedReply = { text: 'Everything is up to date.' };

describe('an automation that a schedule starts', () => {
  let stack: JobStack;
  let stage: Stage;
  let script: ScriptedReply[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      files: {
        'docs/guide.md': '# Guide\n\nThe first line.\n',
        [WEEKLY]: file('name: Weekly\non:\n  cron: "0 9 * * 1"\n  timezone: Europe/Berlin'),
      },
      script: () => script.shift() ?? NOTHING,
    });
    stage = stageOf(stack);
    await stage.index();
  }, 200_000);
  afterAll(() => stack?.close());

  const schedule = async () =>
    stack.temporal.schedule.getHandle(scheduleId((await stage.named('Weekly')).id));

  it('is a schedule in Temporal', async () => {
    const { spec, policies, state, info } = await (await schedule()).describe();
    expect(spec.timezone).toBe('Europe/Berlin');
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 14 * 86_400_000 });
    expect(state.paused).toBe(false);
    expect(info.nextActionTimes[0]?.getUTCDay()).toBe(1);
    expect(await stage.named('Weekly')).toMatchObject({
      path: WEEKLY,
      trigger: '0 9 * * 1 (Europe/Berlin)',
      state: 'active',
      lastRun: null,
    });
  });

  it('gives each run to one standing job, and says when nothing was needed', async () => {
    const { id } = await stage.named('Weekly');
    script = [EDIT, FINISH];
    await (await schedule()).trigger();
    const [first] = await stage.done(id, 1);
    expect(first).toMatchObject({ cause: 'schedule', outcome: 'published' });
    await (await schedule()).trigger();
    const [second] = await stage.done(id, 2);
    expect(second).toMatchObject({
      outcome: 'answered',
      reason: 'Everything is up to date.',
      jobId: first!.jobId,
      prLink: null,
    });
    const { rows } = await stack.pool.query('select draft, state from local_pull_requests');
    expect(rows).toEqual([{ draft: true, state: 'open' }]);
    expect(stack.git('rev-list', '--count', 'main..docent/weekly-' + first!.jobId!.slice(-6))).toBe(
      '1\n',
    );
  }, 200_000);

  it('runs when somebody triggers it, twice at once too', async () => {
    const { id } = await stage.named('Weekly');
    const before = (await stage.runs(id)).length;
    const both = await Promise.all([stage.act(id, 'trigger'), stage.act(id, 'trigger')]);
    const bodies = both.map(({ body }) => body as Record<string, string>);
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    expect(bodies[0]).toEqual({
      schemaId: id,
      instanceId: expect.stringMatching(/^run_/) as string,
      jobId: expect.stringMatching(/^job_/) as string,
    });
    expect(bodies[1]!['jobId']).toBe(bodies[0]!['jobId']);
    expect(bodies[1]!['instanceId']).not.toBe(bodies[0]!['instanceId']);
    const runs = await stage.done(id, before + 2);
    expect(runs).toHaveLength(before + 2);
    expect(runs[0]).toMatchObject({ cause: 'hand', outcome: 'answered' });
  }, 200_000);

  it('rests while it is paused', async () => {
    const { id } = await stage.named('Weekly');
    expect(await stage.act(id, 'pause')).toMatchObject({ status: 200, body: { state: 'paused' } });
    expect((await (await schedule()).describe()).state.paused).toBe(true);
    await stage.act(id, 'pause');
    expect(await stage.act(id, 'resume')).toMatchObject({ body: { state: 'active', note: null } });
    expect((await (await schedule()).describe()).state.paused).toBe(false);
    expect(await stage.act('aut_unknown', 'pause')).toMatchObject({ status: 404 });
  });

  it('has no schedule any more when its file is gone, and the same one when it is back', async () => {
    const { id } = await stage.named('Weekly');
    const handle = await schedule();
    await stage.put(WEEKLY, null);
    expect(await stage.list()).toEqual([]);
    await expect(handle.describe()).rejects.toThrow(/not found/i);
    expect(await stage.act(id, 'trigger')).toMatchObject({ status: 404 });
    await stage.put(WEEKLY, file('name: Weekly\non:\n  cron: "30 7 * * 2"'));
    expect(await stage.named('Weekly')).toMatchObject({ id, trigger: '30 7 * * 2 (UTC)' });
    const { spec } = await handle.describe();
    expect(spec.calendars?.[0]).toMatchObject({ hour: [{ start: 7 }], minute: [{ start: 30 }] });
  }, 200_000);
});
