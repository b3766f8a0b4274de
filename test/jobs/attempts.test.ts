import { bundleWorkflowCode } from '@temporalio/worker';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH, held } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
/** More than a worker may crash. */
const MANY = 25;

describe('attempts of a tool, in quick succession', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-attempts-'));
  let stack: JobStack;
  beforeAll(async () => {
    stack = await startJobStack({
      files: FILES,
      script: (_request, index) => (index % 2 === 0 ? EDIT : FINISH),
      noWorker: true,
    });
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(import.meta.dirname, '../../workflows/registry.ts'),
      workflowInterceptorModules: [join(import.meta.dirname, 'quick-retries.ts')],
    });
    const bundlePath = join(folder, 'quick.js');
    writeFileSync(bundlePath, code);
    await stack.startWorker(bundlePath);
  }, 60_000);
  afterAll(async () => {
    await stack.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Until the first tool has been tried `attempts` times, or has given up. */
  const tried = (id: string, attempts: number) =>
    until(
      `${attempts} attempts`,
      async () => {
        const { raw } = await stack.temporal.workflow.getHandle(id).describe();
        return (raw.pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) >= attempts);
      },
      60_000,
    );
  const refuse = (code: string) =>
    stack.pool.query(
      `create function refuse() returns trigger language plpgsql as
         $$ begin raise exception 'refused' using errcode = '${code}'; end $$;
       create trigger refuse before insert on transcript_entries
          for each row when (new.kind = 'tool_results') execute function refuse()`,
    );

  it('an outage counts for none of them: the turn continues when it is over', async () => {
    await refuse('53100');
    const { id } = await stack.create('Say second');
    await tried(id, MANY);
    await stack.pool.query('drop function refuse cascade');
    expect(await stack.rest(id, 60_000)).toMatchObject({ status: 'completed' });
  }, 90_000);

  it('a defect counts: after twenty attempts the turn ends', async () => {
    await refuse('42P01');
    const { id } = await stack.create('Say second');
    try {
      expect(await stack.rest(id, 60_000)).toMatchObject({ status: 'failed' });
    } finally {
      await stack.pool.query('drop function refuse cascade');
    }
  }, 90_000);
});

describe('slots', () => {
  let stack: JobStack;
  const slow = held(FINISH);
  const replies: (ScriptedReply | Promise<ScriptedReply>)[] = [slow.reply, EDIT, FINISH];
  beforeAll(async () => {
    stack = await startJobStack({
      files: FILES,
      env: { WORKER_MAX_ACTIVITIES: '1', WORKER_MAX_MODEL_CALLS: '2' },
      script: () => replies.shift() ?? { text: 'Nothing to do.' },
    });
  });
  afterAll(() => stack.close());

  it('a model that takes its time leaves the slot of tools to others', async () => {
    const first = await stack.create('Say second');
    await until('the model is asked', () => stack.model.requests.length === 1);
    const second = await stack.create('Say second, too');
    expect(await stack.rest(second.id, 30_000)).toMatchObject({ status: 'completed' });
    expect(await stack.job(first.id)).toMatchObject({ status: 'active' });
    slow.release();
    await stack.rest(first.id);
  }, 60_000);
});
