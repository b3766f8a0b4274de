import { setTimeout as sleep } from 'node:timers/promises';
import { scheduleId } from '../../shared/jobs/automation.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, FINISH } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { type OwnServices, startOwnServices } from '../support/own-services.ts';
import { file, type Stage, stageOf } from './stage.ts';

/** Several times at which the automation is due, each a minute after the other. */
const OUTAGE_MS = 200_000;

describe('a schedule after an outage of everything', () => {
  let services: OwnServices;
  let stack: JobStack;
  let stage: Stage;
  let script: ScriptedReply[] = [edit('# Guide', '# The guide'), FINISH];
  beforeAll(async () => {
    services = await startOwnServices();
    stack = await startJobStack({
      files: {
        'docs/guide.md': '# Guide\n',
        '.docent/workflows/often.md': file('name: Often\non: { cron: "* * * * *" }'),
      },
      script: () => script.shift() ?? { text: 'Nothing to do.' },
      database: services.database,
      temporalAddress: services.temporalAddress,
    });
    stage = stageOf(stack);
    await stage.index();
  }, 120_000);
  afterAll(async () => {
    await stack?.close();
    await services?.close();
  });

  it('makes good what was missed with one run, and then goes on', async () => {
    const { id } = await stage.named('Often');
    await stage.done(id, 1, 150_000);
    const start = await services.stopTemporal();
    const before = (await stage.runs(id)).length;
    script = [edit('# The guide', '# Our guide'), FINISH];
    await sleep(OUTAGE_MS);
    await start();
    const back = Date.now();
    await stage.done(id, before + 2, 300_000);
    const runs = (await stage.runs(id)).slice(0, -before);
    const due = runs.map(({ about }) => Date.parse(about.replace(/^due at |, caught up$/g, '')));
    // One of those that were due meanwhile; the next ones are due later.
    expect(due.filter(at => at < back).map(at => new Date(at).toISOString())).toHaveLength(1);
    const all = await stage.runs(id);
    const links = all.flatMap(({ outcome, prLink }) => (outcome === 'published' ? [prLink] : []));
    expect([links.length, new Set(links).size]).toEqual([2, 1]);
    const { info } = await stack.temporal.schedule.getHandle(scheduleId(id)).describe();
    expect(info.numActionsMissedCatchupWindow).toBe(0);
    expect(info.numActionsSkippedOverlap).toBeGreaterThan(0);
  }, 900_000);
});
