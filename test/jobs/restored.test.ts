import { sweepJobs } from '../../api/background/job-sweeper.ts';
import { createLogger } from '../../shared/logger.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { type OwnServices, startOwnServices } from '../support/own-services.ts';
import { edit, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

const GUIDE = '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n\nThe second line.\n';

let services: OwnServices;
let stack: JobStack;
/** What the model answers to an instruction, until it has finished. */
const edits: Record<string, [from: string, to: string]> = {
  'Shout the first': ['first', 'FIRST'],
  'Shout the second': ['second', 'SECOND'],
  'Name the guide': ['# Guide', '# The guide'],
};
let hold: Promise<void> | undefined;

beforeAll(async () => {
  services = await startOwnServices();
  stack = await startJobStack({
    files: { 'docs/guide.md': GUIDE },
    script: answer,
    temporalAddress: services.temporalAddress,
    database: services.database,
    noWorker: true,
  });
}, 120_000);
afterAll(async () => {
  await stack.close();
  await services.close();
}, 60_000);

/**
 * Carries out, in order, what the transcript asks for and its tool results do not show yet; then it
 * finishes. Asked for nothing, it says so.
 */
async function answer(request: { messages: unknown[] }): Promise<ScriptedReply> {
  await hold;
  const last = (text: string) =>
    request.messages.findLastIndex(message => JSON.stringify(message).includes(text));
  for (const [prompt, [from, to]] of Object.entries(edits)) {
    const asked = last(`"${prompt}"`);
    if (asked >= 0 && last(`${from} becomes ${to}.`) < asked) return edit(from, to);
  }
  const asked = Math.max(...Object.keys(edits).map(prompt => last(`"${prompt}"`)));
  return asked > last('finish') ? finish('Shout') : { text: 'Nothing to do.' };
}

const page = (job: JobBody) => stack.git('show', `${job.source.ref}:docs/guide.md`);
const path = (job: JobBody, rest: string) => `/v2/agent/${stack.project.id}/job/${job.id}/${rest}`;
const pulls = async (job: JobBody) =>
  (
    await stack.pool.query('select state from local_pull_requests where head = $1', [
      job.source.ref,
    ])
  ).rows;
const instructions = async (job: JobBody) =>
  (
    await stack.pool.query<{ prompt: string; state: string }>(
      'select prompt, state from instructions where job_id = $1 order by seq',
      [job.id],
    )
  ).rows.map(({ prompt, state }) => [prompt, state]);
const sweep = async () => {
  await stack.pool.query(`update jobs set updated_at = now() - interval '2 minutes'
                           where state = 'active' and archived_at is null`);
  await sweepJobs({ ...stack, log: createLogger('silent') });
};
/** With no worker and nothing in flight, as after a crash of everything. */
async function without(worker: { stop(): Promise<void> }, restore: () => Promise<void>) {
  await worker.stop();
  await restore();
  await until('the API reaches both again', async () => {
    const { status } = await stack.call('GET', '/readyz');
    return status === 200;
  });
  return stack.startWorker();
}

describe('Temporal, restored from a backup that is older than Postgres', () => {
  it('knows nothing of a follow-up that ran: it runs again before the next, and counts once', async () => {
    let worker = await stack.startWorker();
    const { id } = await stack.create('Shout the first');
    await stack.rest(id);
    await services.backUp('temporal');
    await stack.message(id, 'Shout the second');
    const before = await stack.rest(id);
    expect(page(before)).toContain('The SECOND line.');

    worker = await without(worker, () => services.restore('temporal'));
    await stack.message(id, 'Name the guide');
    const done = await stack.rest(id);
    await worker.stop();

    expect(done).toMatchObject({ status: 'completed', prLink: before.prLink });
    expect(page(done)).toBe(
      GUIDE.replace('first', 'FIRST').replace('second', 'SECOND').replace('# Guide', '# The guide'),
    );
    expect(await instructions(done)).toEqual([
      ['Shout the first', 'taken'],
      ['Shout the second', 'taken'],
      ['Name the guide', 'taken'],
    ]);
    expect(await pulls(done)).toEqual([{ state: 'open' }]);
  });

  it('does not answer for another history: a job goes back to it, and can be archived', async () => {
    let worker = await stack.startWorker();
    const { id } = await stack.create('Shout the first');
    await stack.rest(id);
    await services.backUp('temporal');
    await stack.message(id, 'Shout the second');
    await stack.rest(id);

    worker = await without(worker, () => services.restore('temporal'));
    const archive = () => stack.call('POST', path({ id } as JobBody, 'archive'));
    const asked = await archive();
    // The follow-up that Temporal lost runs first.
    expect([200, 409]).toContain(asked.status);
    await until('the follow-up is read again', async () => {
      await sweep();
      return (await instructions({ id } as JobBody)).every(([, state]) => state === 'taken');
    });
    const done = await stack.rest(id);
    expect(page(done)).toContain('The FIRST line.\n\nThe SECOND line.');
    expect((await archive()).status).toBe(200);
    expect((await stack.job(id)).archivedAt).not.toBeNull();
    await worker.stop();
  });

  it('has lost jobs: a running one is done from its beginning, an idle one takes follow-ups', async () => {
    let worker = await stack.startWorker();
    await services.backUp('temporal');
    const idle = await stack.create('Shout the first');
    const before = await stack.rest(idle.id);
    let release = () => undefined as void;
    hold = new Promise(resolve => (release = resolve));
    const running = await stack.create('Shout the second');
    await until('the model is asked', async () => {
      const { rowCount } = await stack.pool.query('select 1 from model_calls where job_id = $1', [
        running.id,
      ]);
      return rowCount === 1;
    });

    worker = await without(worker, () => services.restore('temporal'));
    release();
    hold = undefined;
    await sweep();
    await stack.message(idle.id, 'Name the guide');

    const [one, other] = [await stack.rest(running.id), await stack.rest(idle.id)];
    await worker.stop();
    expect(one).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(page(one)).toContain('The SECOND line.');
    expect(other).toMatchObject({ status: 'completed', prLink: before.prLink });
    expect(page(other)).toBe(GUIDE.replace('first', 'FIRST').replace('# Guide', '# The guide'));
    expect(await pulls(other)).toEqual([{ state: 'open' }]);
  });
});

describe('Postgres and Temporal, restored from a backup that is older than the repository', () => {
  it('finds the commit of the job on its branch, and shows its pull request', async () => {
    let release = () => undefined as void;
    hold = new Promise(resolve => (release = resolve));
    let worker = await stack.startWorker();
    const { id } = await stack.create('Shout the first');
    await until('the model is asked', async () => {
      const { rowCount } = await stack.pool.query('select 1 from model_calls where job_id = $1', [
        id,
      ]);
      return rowCount === 1;
    });
    worker = await without(worker, async () => {
      await services.backUp('temporal');
      await services.backUp('postgres');
    });
    release();
    hold = undefined;
    const first = await stack.rest(id);
    expect(first.prLink).not.toBeNull();

    worker = await without(worker, async () => {
      await services.restore('temporal');
      await services.restore('postgres');
    });
    const done = await stack.rest(id);
    await worker.stop();
    expect(done).toMatchObject({
      status: 'completed',
      prLink: expect.any(String),
      source: { ref: first.source.ref },
    });
    expect(page(done)).toBe(GUIDE.replace('first', 'FIRST'));
    expect(await pulls(done)).toEqual([{ state: 'open' }]);
  });
});
