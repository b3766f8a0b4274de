import { until } from '../support/until.ts';
import { GUIDE, RestoredStage } from './restored-stage.ts';

let stage: RestoredStage;
beforeAll(async () => {
  stage = await RestoredStage.open();
}, 120_000);
afterAll(() => stage.close(), 60_000);

describe('Temporal, restored from a backup that is older than Postgres', () => {
  it('knows nothing of a follow-up that ran: it runs again before the next, and counts once', async () => {
    let worker = await stage.stack.startWorker();
    const { id } = await stage.stack.create('Shout the first');
    await stage.stack.rest(id);
    await stage.services.backUp('temporal');
    await stage.stack.message(id, 'Shout the second');
    const before = await stage.stack.rest(id);
    expect(stage.page(before)).toContain('The SECOND line.');

    worker = await stage.without(worker, () => stage.services.restore('temporal'));
    await stage.stack.message(id, 'Name the guide');
    const done = await stage.stack.rest(id);
    await worker.stop();

    expect(done).toMatchObject({ status: 'completed', prLink: before.prLink });
    expect(stage.page(done)).toBe(
      GUIDE.replace('first', 'FIRST').replace('second', 'SECOND').replace('# Guide', '# The guide'),
    );
    expect(await stage.instructions(done)).toEqual([
      ['Shout the first', 'taken'],
      ['Shout the second', 'taken'],
      ['Name the guide', 'taken'],
    ]);
    expect(await stage.pulls(done)).toEqual([{ state: 'open' }]);
  });

  it('does not answer for another history: a job goes back to it, and can be archived', async () => {
    let worker = await stage.stack.startWorker();
    const { id } = await stage.stack.create('Shout the first');
    await stage.stack.rest(id);
    await stage.services.backUp('temporal');
    await stage.stack.message(id, 'Shout the second');
    await stage.stack.rest(id);

    worker = await stage.without(worker, () => stage.services.restore('temporal'));
    const archive = () => stage.stack.call('POST', stage.path({ id }, 'archive'));
    const asked = await archive();
    // The follow-up that Temporal lost runs first.
    expect([200, 409]).toContain(asked.status);
    await until('the follow-up is read again', async () => {
      await stage.sweep();
      return (await stage.instructions({ id })).every(([, state]) => state === 'taken');
    });
    const done = await stage.stack.rest(id);
    expect(stage.page(done)).toContain('The FIRST line.\n\nThe SECOND line.');
    expect((await archive()).status).toBe(200);
    expect((await stage.stack.job(id)).archivedAt).not.toBeNull();
    await worker.stop();
  });

  it('has lost jobs: a running one is done from its beginning, an idle one takes follow-ups', async () => {
    let worker = await stage.stack.startWorker();
    await stage.services.backUp('temporal');
    const idle = await stage.stack.create('Shout the first');
    const before = await stage.stack.rest(idle.id);
    const release = stage.holdModel();
    const running = await stage.stack.create('Shout the second');
    await stage.modelIsAsked(running.id);

    worker = await stage.without(worker, () => stage.services.restore('temporal'));
    release();
    await stage.sweep();
    await stage.stack.message(idle.id, 'Name the guide');

    const [one, other] = [await stage.stack.rest(running.id), await stage.stack.rest(idle.id)];
    await worker.stop();
    expect(one).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(stage.page(one)).toContain('The SECOND line.');
    expect(other).toMatchObject({ status: 'completed', prLink: before.prLink });
    expect(stage.page(other)).toBe(
      GUIDE.replace('first', 'FIRST').replace('# Guide', '# The guide'),
    );
    expect(await stage.pulls(other)).toEqual([{ state: 'open' }]);
  });
});

describe('Postgres and Temporal, restored from a backup that is older than the repository', () => {
  it('finds the commit of the job on its branch, and shows its pull request', async () => {
    const release = stage.holdModel();
    let worker = await stage.stack.startWorker();
    const { id } = await stage.stack.create('Shout the first');
    await stage.modelIsAsked(id);
    worker = await stage.without(worker, async () => {
      await stage.services.backUp('temporal');
      await stage.services.backUp('postgres');
    });
    release();
    const first = await stage.stack.rest(id);
    expect(first.prLink).not.toBeNull();

    worker = await stage.without(worker, async () => {
      await stage.services.restore('temporal');
      await stage.services.restore('postgres');
    });
    const done = await stage.stack.rest(id);
    await worker.stop();
    expect(done).toMatchObject({
      status: 'completed',
      prLink: expect.any(String),
      source: { ref: first.source.ref },
    });
    expect(stage.page(done)).toBe(GUIDE.replace('first', 'FIRST'));
    expect(await stage.pulls(done)).toEqual([{ state: 'open' }]);
  });
});
