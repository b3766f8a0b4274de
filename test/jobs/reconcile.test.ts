import type { Settled } from '../../cli/reconcile/difference.ts';
import { docent } from '../support/docent.ts';
import { until } from '../support/until.ts';
import { GUIDE, RestoredStage } from './restored-stage.ts';

let stage: RestoredStage;
beforeEach(async () => {
  stage = await RestoredStage.open();
}, 120_000);
afterEach(() => stage.close(), 60_000);

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
const allEdits = bothLines.replace('# Guide', '# The guide');

describe('docent reconcile', () => {
  it('replaces the older history of an idle job: nothing runs again, and the next is on top', async () => {
    const { stack, services } = stage;
    let worker = await stack.startWorker();
    const { id } = await stack.create('Shout the first');
    await stack.rest(id);
    expect(await reconcile()).toEqual([0, []]);
    await services.backUp('temporal');
    await stack.message(id, 'Shout the second');
    const before = await stack.rest(id);

    worker = await stage.without(worker, () => services.restore('temporal'));
    expect(await reconcile('--dry-run')).toEqual([6, [`temporal-older planned ${id}`]]);
    const asked = stack.model.requests.length;
    expect(await reconcile()).toEqual([0, [`temporal-older settled ${id}`]]);
    expect(await reconcile()).toEqual([0, []]);
    await stage.sweep();
    expect(stack.model.requests.length).toBe(asked);
    expect(await stack.job(id)).toMatchObject({ status: 'completed', archivedAt: null });

    await stack.message(id, 'Name the guide');
    const done = await stack.rest(id);
    expect([stage.page(done), done.prLink]).toEqual([allEdits, before.prLink]);
    // The turns before it were not made again.
    expect(stack.model.requests.length).toBe(asked + 2);
    expect((await stack.call('POST', stage.path({ id }, 'archive'))).status).toBe(200);
    await worker.stop();
  }, 120_000);

  it.each([
    ['sends again what Temporal lacks of a running turn', async () => reconcile()],
    ['leaves the same to the sweeper, if nobody calls it', async () => stage.sweep()],
  ])(
    '%s',
    async (_, settle) => {
      const { stack, services } = stage;
      let worker = await stack.startWorker();
      const { id } = await stack.create('Shout the first');
      await stack.rest(id);
      await services.backUp('temporal');
      const release = stage.holdModel();
      await stack.message(id, 'Shout the second');
      await until('the follow-up is read', async () =>
        (await stage.instructions({ id })).every(([, state]) => state === 'taken'),
      );

      worker = await stage.without(worker, async () => {
        release();
        await services.restore('temporal');
      });
      await settle();
      const done = await stack.rest(id);
      expect([stage.page(done), done.status]).toEqual([bothLines, 'completed']);
      expect(await reconcile()).toEqual([0, []]);
      await worker.stop();
    },
    120_000,
  );

  it('starts again what Temporal has lost', async () => {
    const { stack, services } = stage;
    let worker = await stack.startWorker();
    await services.backUp('temporal');
    const idle = await stack.create('Shout the first');
    await stack.rest(idle.id);
    const release = stage.holdModel();
    const running = await stack.create('Shout the second');
    await stage.modelIsAsked(running.id);

    worker = await stage.without(worker, () => services.restore('temporal'));
    release();
    const said = [idle, running].map(({ id }) => `missing-in-temporal settled ${id}`).sort();
    expect(await reconcile()).toEqual([0, said]);
    await stack.message(idle.id, 'Name the guide');
    const [one, other] = [await stack.rest(running.id), await stack.rest(idle.id)];
    expect(stage.page(one)).toContain('The SECOND line.');
    expect(stage.page(other)).toContain('# The guide\n\nThe FIRST line.');
    expect(await reconcile()).toEqual([0, []]);
    await worker.stop();
  }, 120_000);

  it('ends what Postgres does not know, and names the branches of both', async () => {
    const { stack, services } = stage;
    let worker = await stack.startWorker();
    const known = await stack.create('Shout the first');
    await stack.rest(known.id);
    await services.backUp('postgres');
    await stack.message(known.id, 'Shout the second');
    await stack.rest(known.id);
    const unknown = await stack.create('Name the guide');
    await stack.rest(unknown.id);

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

    await stack.message(known.id, 'Shout the second');
    const done = await stack.rest(known.id);
    expect([stage.page(done), done.status]).toEqual([bothLines, 'completed']);
    expect(await stage.pulls(done)).toEqual([{ state: 'open' }]);
    await worker.stop();
  }, 120_000);
});
