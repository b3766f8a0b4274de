import type { EndpointBody } from '../../shared/webhooks/schemas.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';

/** What the triggers store while something else happens. Nothing is sent: nobody listens there. */
describe('events for webhooks', () => {
  let stack: JobStack;
  let webhook = '';
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => ({ text: 'Nothing more.' }),
      env: { ENCRYPTION_KEY: 'a key of the tests, of more than 32 characters' },
    });
  }, 60_000);
  afterAll(() => stack?.close());
  beforeEach(async () => {
    const made = await stack.call('POST', '/v1/webhooks', {
      url: 'https://127.0.0.1:1/',
      events: ['job.completed', 'pull_request.opened', 'pull_request.merged'],
    });
    webhook = (made.body as { webhook: EndpointBody }).webhook.id;
  });

  it('do not keep a job waiting for a webhook that is being removed, and do not fail it', async () => {
    const removal = await stack.pool.connect();
    try {
      await removal.query('begin');
      await removal.query('delete from webhook_endpoints where id = $1', [webhook]);
      const { id } = await stack.create('What is this?');
      expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
      await removal.query('commit');
    } finally {
      removal.release(true);
    }
  }, 60_000);
});
