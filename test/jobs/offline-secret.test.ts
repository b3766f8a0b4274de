import { type JobStack, startJobStack } from '../support/job-stack.ts';

const SECRET = 'AKIAQ3EGRKQ7ZYXWVUT5';

/** What a job keeps of a call has no secret: the model reads its own call back in other words. */
describe('the offline model, told to write a secret', () => {
  let stack: JobStack;
  beforeAll(async () => {
    stack = await startJobStack({ files: { 'docs/guide.md': '# Guide\n\nThe first line.\n' } });
  });
  afterAll(() => stack.close());

  it('tries once, and says why it was refused', async () => {
    const { id } = await stack.create(
      `Replace "The first line." with "The key is ${SECRET}." in docs/guide.md`,
    );
    const job = await stack.rest(id);
    expect(job.source.ref ?? '').not.toContain(SECRET);
    const { rows } = await stack.pool.query<{ calls: number; message: string }>(
      `select message_to_user as message,
              (select count(*)::int from model_calls where job_id = jobs.id) as calls
         from jobs where id = $1`,
      [id],
    );
    expect(rows[0]!.calls).toBe(5);
    expect(rows[0]!.message).toContain('I changed nothing. Refused (secret)');
    expect(rows[0]!.message).not.toContain(SECRET);
  });
});
