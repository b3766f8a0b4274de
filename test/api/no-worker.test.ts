import type { JobEvent } from '../../shared/jobs/job.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';

let stack: JobStack;
beforeAll(async () => {
  let said = 0;
  stack = await startJobStack({
    files: { 'docs/index.md': '# Welcome\n' },
    script: () => ({ text: `Answer ${++said}.` }),
    noWorker: true,
  });
});
afterAll(() => stack.close());

it('jobs and follow-ups are taken while no worker is there, and carried out once, in order, when one comes', async () => {
  const { id } = await stack.create('One');
  for (const prompt of ['Two', 'Three'])
    expect(await stack.message(id, prompt)).toMatchObject({ id, status: 'active' });
  const began = performance.now();
  expect(await stack.job(id)).toMatchObject({ status: 'active', prLink: null });
  expect(performance.now() - began).toBeLessThan(8_000);
  expect((await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/archive`)).status).toBe(
    409,
  );
  await stack.startWorker();
  expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
  const { rows } = await stack.pool.query<{ data: JobEvent & { prompt: string } }>(
    `select data from job_events where job_id = $1 and type = 'instruction' order by seq`,
    [id],
  );
  expect(rows.map(({ data }) => data.prompt)).toEqual(['One', 'Two', 'Three']);
  expect(
    (
      await stack.pool.query(`select 1 from instructions where job_id = $1 and state <> 'taken'`, [
        id,
      ])
    ).rowCount,
  ).toBe(0);
});
