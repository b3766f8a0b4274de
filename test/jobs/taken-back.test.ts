import { type JobStack, startJobStack } from '../support/job-stack.ts';

/**
 * The rule-based model carries out every instruction that it takes for pending: it shows whether a
 * cancelled one still is.
 */
describe('after a cancel', () => {
  let stack: JobStack;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/index.md': '---\ntitle: Welcome\n---\n\n# Welcome\n\nHello.\n' },
      noWorker: true,
    });
  });
  afterAll(() => stack.close());

  it('the next turn carries out its own instruction only', async () => {
    const created = await stack.create(
      'Add a page docs/first.md titled "First" with the text "One."',
    );
    await stack.message(created.id, 'Append the line "two" to docs/first.md');
    const cancelled = stack.call('POST', `/v2/agent/${stack.project.id}/job/${created.id}/cancel`);
    await stack.startWorker(); // finds the job, its follow-up and the cancel
    await cancelled;
    expect(await stack.rest(created.id)).toMatchObject({ status: 'failed', prLink: null });
    await stack.message(
      created.id,
      'Add a page docs/second.md titled "Second" with the text "Two."',
    );
    const job = await stack.rest(created.id);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    const files = stack.git('ls-tree', '-r', '--name-only', job.source.ref ?? '');
    expect(files).toContain('docs/second.md');
    expect(files).not.toContain('docs/first.md');
  }, 60_000);

  it('no instruction is left waiting, however close the cancel follows it', async () => {
    const created = await stack.create(
      'Add a page docs/third.md titled "Third" with the text "Three."',
    );
    await stack.rest(created.id);
    for (let i = 0; i < 6; i++) {
      const message = stack.message(created.id, `Append the line "${i}" to docs/third.md`);
      await new Promise(resolve => setTimeout(resolve, i * 8));
      await Promise.all([
        message,
        stack.call('POST', `/v2/agent/${stack.project.id}/job/${created.id}/cancel`),
      ]);
      await stack.rest(created.id, 20_000);
      const { rows } = await stack.pool.query(
        "select message_id from instructions where job_id = $1 and state = 'waiting'",
        [created.id],
      );
      expect(rows).toEqual([]);
    }
  }, 120_000);
});
