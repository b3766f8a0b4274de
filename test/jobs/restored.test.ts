import { until } from '../support/until.ts';
import type { JobBody, JobStack } from '../support/job-stack.ts';
import { GUIDE, RestoredStage } from './restored-stage.ts';

let stage: RestoredStage;
let worker: Awaited<ReturnType<JobStack['startWorker']>>;
beforeAll(async () => {
  stage = await RestoredStage.open();
  worker = await stage.stack.startWorker();
}, 120_000);
afterAll(() => stage.close(), 60_000);

const bothLines = GUIDE.replace('first', 'FIRST').replace('second', 'SECOND');

describe('Temporal, restored from a backup that is older than Postgres', () => {
  /** Idle, with a follow-up that Temporal does not know. */
  let older: JobBody;
  let archived: JobBody;
  /** Its follow-up runs, and Temporal does not know of it. */
  let running: JobBody;
  /** Created after the backup: one is idle, and one runs. */
  let lostIdle: JobBody;
  let lostRunning: JobBody;
  /** In the backup its workflow waits for the signal of a follow-up that its row announced. */
  let announced: JobBody;

  beforeAll(async () => {
    const first = () => stage.done('Shout the first');
    [older, archived, running] = await Promise.all([first(), first(), first()]);
    announced = await stage.doneWithUnsignalled('Shout the first', 'Shout the second');
    await stage.services.backUp('temporal');
    [older, archived, lostIdle] = await Promise.all([
      stage.followUp(older, 'Shout the second'),
      stage.followUp(archived, 'Shout the second'),
      first(),
    ]);
    const release = stage.holdModel();
    await stage.sendAndRead(running, 'Shout the second');
    lostRunning = await stage.stack.create('Shout the second');
    await stage.modelIsAsked(lostRunning.id);
    await stage.sweep();
    await until('the announced follow-up is read', () => stage.allRead(announced));
    worker = await stage.without(worker, async () => {
      release();
      await stage.services.restore('temporal');
    });
  }, 120_000);

  it('knows nothing of a follow-up that ran: it runs again before the next, and counts once', async () => {
    const { prLink } = older;
    expect(stage.page(older)).toContain('The SECOND line.');
    const done = await stage.followUp(older, 'Name the guide');
    expect(done).toMatchObject({ status: 'completed', prLink });
    expect(stage.page(done)).toBe(bothLines.replace('# Guide', '# The guide'));
    expect(await stage.instructions(done)).toEqual([
      ['Shout the first', 'taken'],
      ['Shout the second', 'taken'],
      ['Name the guide', 'taken'],
    ]);
    expect(await stage.pulls(done)).toEqual([{ state: 'open' }]);
  });

  it('does not answer for another history: a job goes back to it, and can be archived', async () => {
    const { id } = archived;
    const archive = () => stage.stack.call('POST', stage.path({ id }, 'archive'));
    const asked = await archive();
    // The follow-up that Temporal lost runs first.
    expect([200, 409]).toContain(asked.status);
    await until('the follow-up is read again', async () => {
      await stage.sweep();
      return stage.allRead({ id });
    });
    const done = await stage.stack.rest(id);
    expect(stage.page(done)).toContain('The FIRST line.\n\nThe SECOND line.');
    expect((await archive()).status).toBe(200);
    expect((await stage.stack.job(id)).archivedAt).not.toBeNull();
  });

  it('lacks a follow-up that runs: the sweeper sends it again', async () => {
    await stage.sweep();
    for (const { id } of [running, announced]) {
      const done = await stage.stack.rest(id);
      expect([stage.page(done), done.status]).toEqual([bothLines, 'completed']);
    }
  });

  it('has lost jobs: a running one is done from its beginning, an idle one takes follow-ups', async () => {
    const { prLink } = lostIdle;
    await stage.sweep();
    const [one, other] = await Promise.all([
      stage.stack.rest(lostRunning.id),
      stage.followUp(lostIdle, 'Name the guide'),
    ]);
    expect(one).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(stage.page(one)).toContain('The SECOND line.');
    expect(other).toMatchObject({ status: 'completed', prLink });
    expect(stage.page(other)).toBe(
      GUIDE.replace('first', 'FIRST').replace('# Guide', '# The guide'),
    );
    expect(await stage.pulls(other)).toEqual([{ state: 'open' }]);
  });
});

describe('Postgres and Temporal, restored from a backup that is older than the repository', () => {
  it('finds the commit of the job on its branch, and shows its pull request', async () => {
    const release = stage.holdModel();
    const { id } = await stage.stack.create('Shout the first');
    await stage.modelIsAsked(id);
    await stage.services.backUp('temporal');
    await stage.services.backUp('postgres');
    release();
    const first = await stage.stack.rest(id);
    expect(first.prLink).not.toBeNull();

    worker = await stage.without(worker, async () => {
      await stage.services.restore('temporal');
      await stage.services.restore('postgres');
    });
    const done = await stage.stack.rest(id);
    expect(done).toMatchObject({
      status: 'completed',
      prLink: expect.any(String),
      source: { ref: first.source.ref },
    });
    expect(stage.page(done)).toBe(GUIDE.replace('first', 'FIRST'));
    expect(await stage.pulls(done)).toEqual([{ state: 'open' }]);
  });
});
