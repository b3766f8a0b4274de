import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const EDITOR = 'str_replace_based_edit_tool';
const STEPS = 20;
const PAGE = `---\ntitle: Guide\n---\n\n# Guide\n\n${Array.from({ length: STEPS }, (_, i) => `Line ${i} of the guide says something about number ${i}.`).join('\n\n')}\n`;

describe('a run of 20 steps', () => {
  let stack: JobStack;
  beforeAll(async () => {
    let step = 0;
    stack = await startJobStack({
      files: { 'docs/guide.md': PAGE, 'AGENTS.md': 'Write in plain words.\n' },
      script: (): ScriptedReply => {
        const n = step++;
        if (n === STEPS - 1)
          return {
            toolUses: [
              { name: 'finish', input: { title: 'Rewrite', body: 'As asked.', message: 'Done.' } },
            ],
          };
        return {
          text: `Step ${n}.`,
          toolUses: [
            {
              name: EDITOR,
              input: {
                command: 'str_replace',
                path: 'docs/guide.md',
                old_str: `Line ${n} of`,
                new_str: `Sentence ${n} of`,
              },
            },
          ],
        };
      },
    });
  });
  afterAll(() => stack.close());

  it('pays only for what is new', async () => {
    const created = await stack.create('Say sentence instead of line');
    expect(await stack.rest(created.id)).toMatchObject({ status: 'completed' });
    expect(stack.model.requests).toHaveLength(STEPS);
    expect(stack.model.prefixBreaks()).toEqual([]);
    expect(stack.model.cachedShare()).toBeGreaterThanOrEqual(0.9);
    for (const { body } of stack.model.requests) {
      const last = body.messages.at(-1)?.content;
      expect(JSON.stringify(Array.isArray(last) ? last.at(-1) : last)).toContain('cache_control');
      expect(JSON.stringify(body.system)).toContain('Write in plain words.');
    }
    const {
      rows: [ledger],
    } = await stack.pool.query<{ calls: number; read: number; job_read: number }>(
      `select count(*) as calls, sum(m.cache_read_tokens)::bigint as read, min(j.cache_read_tokens) as job_read
       from model_calls m join jobs j on j.id = m.job_id where m.job_id = $1 and m.outcome = 'ok'`,
      [created.id],
    );
    expect(ledger).toMatchObject({ calls: STEPS });
    expect(ledger?.read).toBe(ledger?.job_read);
    expect(ledger?.read).toBe(
      stack.model.requests.reduce((sum, request) => sum + (request.usage?.cacheRead ?? 0), 0),
    );
  }, 90_000);
});
