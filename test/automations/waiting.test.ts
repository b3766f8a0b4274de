import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, edit, FINISH } from '../support/replies.ts';
import type { ScriptedAnswer, ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { type CodeRepository, watchRepository } from './code-repository.ts';
import { file, type Stage, stageOf } from './stage.ts';

const PLAN: ScriptedReply = {
  toolUses: [
    {
      name: 'propose_plan',
      input: { summary: 'Say it.', changes: [{ path: 'docs/guide.md', change: 'Say second.' }] },
    },
  ],
};
/** More than the budget, with any model’s price. */
const DEAR: ScriptedAnswer = { ...EDIT, usage: { output: 100_000 } };

describe('an automation', () => {
  let stack: JobStack;
  let stage: Stage;
  let docs: CodeRepository;
  let script: ScriptedReply[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      files: {
        'docs/guide.md': '# Guide\n\nThe first line.\n',
        '.docent/workflows/planned.md': file(
          'name: planned\non: manual\nrequirePlanApproval: true',
        ),
        '.docent/workflows/capped.md': file('name: capped\non: manual\nbudget: 0.01'),
        '.docent/workflows/own.md': file('name: own\non: { merge: { repo: docs } }\ndraft: false'),
      },
      script: ({ tools = [] }) =>
        tools.some(({ name }) => name === 'judge')
          ? { toolUses: [{ name: 'judge', input: { needed: false, reason: 'No.', pages: [] } }] }
          : (script.shift() ?? { text: 'Nothing to do.' }),
    });
    docs = await watchRepository(stack, 'docs');
    stage = stageOf(stack);
    await stage.index();
  }, 100_000);
  afterAll(() => stack?.close());

  const waiting = async (name: string, what: string) => {
    const { id } = await stage.named(name);
    await stage.act(id, 'trigger');
    let jobId = '';
    await until(`its job waits for ${what}`, async () => {
      jobId = (await stage.runs(id))[0]?.jobId ?? '';
      const { rows } = await stack.pool.query<{ for: string }>(
        'select waiting_for as for from jobs where id = $1',
        [jobId],
      );
      return rows[0]?.for === what;
    });
    return { id, jobId };
  };

  it('makes a plan first if its file says so, in each run', async () => {
    for (const runs of [1, 2]) {
      script = [PLAN, ...(runs === 1 ? [EDIT] : []), FINISH];
      const { id, jobId } = await waiting('planned', 'approval');
      expect((await stage.runs(id))[0]).toMatchObject({ state: 'running' });
      await stack.call('POST', `/v2/agent/${stack.project.id}/job/${jobId}/approve`);
      const [run] = await stage.done(id, runs);
      expect(run).toMatchObject({ outcome: runs === 1 ? 'published' : 'unchanged' });
    }
  }, 100_000);

  it('does not follow its own pull request', async () => {
    const { id } = await stage.named('own');
    await stage.act(id, 'trigger');
    script = [edit('Guide', 'The guide'), FINISH];
    const [run] = await stage.done(id, 1);
    expect(run).toMatchObject({ outcome: 'published' });
    await docs.merge(2);
    const path = 'docs/a b/c.md';
    await docs.merge(await docs.propose({ path, text: '# C\n', title: 'Of a person' }));
    const [next, ...before] = await stage.done(id, 2);
    expect(next).toMatchObject({ about: expect.stringContaining('Of a person'), reason: 'No.' });
    expect(before).toHaveLength(1);
  }, 100_000);

  it('waits once a run has cost its budget, which the next run has anew', async () => {
    script = [DEAR];
    const { id, jobId } = await waiting('capped', 'budget');
    script = [FINISH];
    await stack.call('PATCH', `/v2/agent/${stack.project.id}/job/${jobId}`, { budget: 1000 });
    await stage.done(id, 1);
    script = [DEAR];
    expect(await waiting('capped', 'budget')).toEqual({ id, jobId });
    // A budget that the file had until now goes with it.
    await stage.put('.docent/workflows/capped.md', file('name: capped\non: manual'));
    const { rows } = await stack.pool.query('select budget_microusd from jobs where id = $1', [
      jobId,
    ]);
    expect(rows).toEqual([{ budget_microusd: null }]);
  }, 100_000);
});
