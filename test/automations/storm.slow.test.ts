import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestWatch } from '../../jobs/automations/start-run.ts';
import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import { forkWorker } from '../support/fork-worker.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { until } from '../support/until.ts';
import { addCodeRepository, type CodeRepository } from './code-repository.ts';
import { file, type Stage, stageOf } from './stage.ts';

const MERGES = 50;
const MATTER = [7, 23, 41];
const DEATHS = ['readChanges:after', 'judgeRun:after', 'startTurn:after', 'reportRun:after'];
const isGate = ({ tools = [] }: MessagesRequest) => tools.some(({ name }) => name === 'judge');

describe('a merge storm', () => {
  let stack: JobStack;
  let stage: Stage;
  let code: CodeRepository;
  const marker = mkdtempSync(join(tmpdir(), 'docent-storm-'));
  const children: { kill(signal: 'SIGKILL'): unknown }[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      noWorker: true,
      files: {
        'docs/guide.md': '# Guide\n\nThe first line.\n',
        '.docent/workflows/follow.md': file(
          'name: Follow\non:\n  merge: { repo: api, branch: main }\npaths: ["src/**"]',
        ),
      },
      script: request =>
        isGate(request)
          ? { toolUses: [{ name: 'judge', input: { needed: true, reason: 'Yes.', pages: [] } }] }
          : { text: 'The guide says so already.' },
    });
    stage = stageOf(stack);
    code = await addCodeRepository(stack, 'api');
    const worker = await stack.startWorker();
    await stage.index();
    await worker.stop();
  }, 90_000);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await stack?.close();
    rmSync(marker, { recursive: true, force: true });
  });

  it('gives each change one run and one comment, though workers die', async () => {
    const { id } = await stage.named('Follow');
    const killing = {
      AUTOMATIONS: '1',
      KILL_AT: DEATHS.join(','),
      KILL_MARKER: marker,
    };
    let stopping = false;
    const spawn = async () => {
      const { child } = await forkWorker(stack, killing);
      children.push(child);
      child.once('exit', (_, signal) => signal === 'SIGKILL' && !stopping && void spawn());
    };
    await spawn();
    const numbers: number[] = [];
    for (let i = 1; i <= MERGES; i += 1) {
      const path = MATTER.includes(i) ? `src/part-${i}.ts` : `test/part-${i}.ts`;
      numbers.push(await code.propose({ path, text: `part(${i});\n`, title: `Change ${i}` }));
    }
    for (const number of numbers) await code.merge(number);
    const watched = { id, projectId: stack.project.id };
    const again = () => requestWatch(stack.temporal, stack.config.TASK_QUEUE, watched);
    await Promise.all([again(), again()]);
    const runs = await stage.done(id, MERGES, 480_000);
    const bodies = () => Promise.all(MATTER.map(async i => (await code.read(i)).body));
    await until('the comments are there', async () => !(await bodies()).includes(''), 120_000);
    stopping = true;

    expect(runs).toHaveLength(MERGES);
    expect(new Set(runs.map(({ about }) => about)).size).toBe(MERGES);
    const worked = runs.filter(({ outcome }) => outcome === 'answered');
    expect(new Set(worked.map(({ about }) => about))).toEqual(
      new Set(MATTER.map(i => `api#${i}: Change ${i}`)),
    );
    expect(worked).toHaveLength(MATTER.length);
    expect(runs.filter(({ outcome }) => outcome === 'no_action')).toHaveLength(MERGES - 3);
    // Each death can cost the calls that its worker was waiting for, and no stored answer.
    const asked = stack.model.requests.filter(({ body }) => isGate(body)).length;
    expect(asked).toBeGreaterThanOrEqual(MATTER.length);
    expect(asked).toBeLessThanOrEqual(MATTER.length + DEATHS.length);
    for (const body of await bodies()) expect(body.match(/No docs change needed/g)).toHaveLength(1);
    const { rows } = await stack.pool.query(
      'select count(*)::int as jobs, max(turns) as turns from jobs',
    );
    expect(rows).toEqual([{ jobs: 1, turns: expect.any(Number) as number }]);
    const { rows: messages } = await stack.pool.query('select message_id from instructions');
    expect(messages).toHaveLength(MATTER.length);
  }, 900_000);
});
