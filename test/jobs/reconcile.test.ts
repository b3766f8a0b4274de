import type { Settled } from '../../cli/reconcile/difference.ts';
import { docent } from '../support/docent.ts';
import type { JobStack } from '../support/job-stack.ts';
import { GUIDE, RestoredStage } from './restored-stage.ts';

let stage: RestoredStage;
let worker: Awaited<ReturnType<JobStack['startWorker']>>;
beforeAll(async () => {
  stage = await RestoredStage.open();
  worker = await stage.stack.startWorker();
}, 120_000);
afterAll(() => stage.close(), 60_000);

/** `docent reconcile`, with its exit code and what it says of each job, by kind and state. */
async function reconcile(...args: string[]): Promise<[code: number | null, said: string[]]> {
  const { config, databaseUrl } = stage.stack;
  const { code, stdout, stderr } = await docent(config.DATA_DIR, ['reconcile', '--json', ...args], {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: stage.services.temporalAddress,
    LOCAL_HOST_URL: config.LOCAL_HOST_URL!,
    LOCAL_HOST_TOKEN: config.LOCAL_HOST_TOKEN!,
    PUBLIC_URL: config.PUBLIC_URL!,
    TASK_QUEUE: config.TASK_QUEUE,
  });
  if (!stdout.startsWith('{')) throw new Error(stderr);
  const { differences } = JSON.parse(stdout) as { differences: Settled[] };
  return [code, differences.map(({ kind, state, job }) => `${kind} ${state} ${job}`).sort()];
}

const bothLines = GUIDE.replace('first', 'FIRST').replace('second', 'SECOND');

describe('docent reconcile', () => {
  it('after a restore of Temporal: replaces older histories, sends again, starts what is lost again', async () => {
    const { stack, services } = stage;
    const first = () => stage.done('Shout the first');
    const [idle, running] = await Promise.all([first(), first()]);
    expect(await reconcile()).toEqual([0, []]);
    await services.backUp('temporal');
    const [before, lostIdle] = await Promise.all([
      stage.followUp(idle, 'Shout the second'),
      first(),
    ]);
    const release = stage.holdModel();
    await stage.sendAndRead(running, 'Shout the second');
    const lostRunning = await stack.create('Shout the second');
    await stage.modelIsAsked(lostRunning.id);
    worker = await stage.without(worker, async () => {
      release();
      await services.restore('temporal');
    });

    const said = (state: string) =>
      [
        `temporal-older ${state} ${idle.id}`,
        `temporal-older ${state} ${running.id}`,
        `missing-in-temporal ${state} ${lostIdle.id}`,
        `missing-in-temporal ${state} ${lostRunning.id}`,
      ].sort();
    const asked = stack.model.requests.length;
    expect(await reconcile('--dry-run')).toEqual([6, said('planned')]);
    expect(stack.model.requests.length).toBe(asked);
    const calls = await stage.calls(idle.id);
    expect(await reconcile()).toEqual([0, said('settled')]);
    const [sent, started] = [await stack.rest(running.id), await stack.rest(lostRunning.id)];
    expect([stage.page(sent), sent.status]).toEqual([bothLines, 'completed']);
    expect([stage.page(started), started.status]).toEqual([
      GUIDE.replace('second', 'SECOND'),
      'completed',
    ]);
    await stage.sweep();
    expect(await reconcile()).toEqual([0, []]);

    // An idle job makes nothing again: its next follow-up is on top.
    expect(await stack.job(idle.id)).toMatchObject({ status: 'completed', archivedAt: null });
    const [done, other] = await Promise.all([
      stage.followUp(idle, 'Name the guide'),
      stage.followUp(lostIdle, 'Name the guide'),
    ]);
    const named = (page: string) => page.replace('# Guide', '# The guide');
    expect([stage.page(done), done.prLink]).toEqual([named(bothLines), before.prLink]);
    expect(stage.page(other)).toBe(named(GUIDE.replace('first', 'FIRST')));
    expect(await stage.calls(idle.id)).toBe(calls + 2);
    expect((await stack.call('POST', stage.path(idle, 'archive'))).status).toBe(200);
  }, 120_000);

  it('after a restore of Postgres: ends what it does not know, and names the branches', async () => {
    const { services } = stage;
    const known = await stage.done('Shout the first');
    await services.backUp('postgres');
    const [, unknown] = await Promise.all([
      stage.followUp(known, 'Shout the second'),
      stage.done('Name the guide'),
    ]);

    worker = await stage.without(worker, () => services.restore('postgres'));
    const told = (state: string) =>
      [
        `temporal-newer ${state} ${known.id}`,
        `missing-in-postgres ${state} ${unknown.id}`,
        `commits-after-backup open ${known.id}`,
        `commits-after-backup open ${unknown.id}`,
      ].sort();
    expect(await reconcile('--dry-run')).toEqual([6, told('planned')]);
    expect(await reconcile()).toEqual([6, told('settled')]);
    // What needs a person is told again.
    expect(await reconcile()).toEqual([6, told('').filter(each => each.startsWith('commits'))]);

    const done = await stage.followUp(known, 'Shout the second');
    expect([stage.page(done), done.status]).toEqual([bothLines, 'completed']);
    expect(await stage.pulls(done)).toEqual([{ state: 'open' }]);
  }, 120_000);
});
