import { historyToJSON, JSONToPayload, payloadToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testWorkflows } from '../support/services.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { runWorkflowId, scheduleId, watchWorkflowId } from '../../shared/jobs/automation.ts';
import type { JobView } from '../../shared/jobs/job.ts';
import {
  encryptionCodec,
  type EncryptionCodec,
  workerConverter,
} from '../../shared/secrets/payload-codec.ts';
import { SEALED } from '../../shared/secrets/sealed-payload.ts';
import { addCodeRepository } from '../automations/code-repository.ts';
import { file, stageOf } from '../automations/stage.ts';

const FOLDER = join(import.meta.dirname, 'histories');
const EDITOR = 'str_replace_based_edit_tool';
const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };

/**
 * Jobs stay open for weeks: the workflow of today must replay the histories of earlier releases. A
 * change that cannot is put behind `patched()`. Histories are added, never replaced:
 * RECORD_HISTORIES=<name of the release> records a set.
 */
describe('histories of earlier releases', () => {
  const files = readdirSync(FOLDER).filter(name => name.endsWith('.json'));

  it.each(files)('%s replays', async name => {
    const codePath = testWorkflows();
    const history = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as object;
    await expect(
      Worker.runReplayHistory({ workflowBundle: { codePath } }, history, name),
    ).resolves.toBeUndefined();
  });

  it.each(files)('%s replays with what it stores encrypted', async name => {
    const history = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as object;
    const settings = {
      TEMPORAL_ENCRYPTION: 'true',
      ENCRYPTION_KEY: 'k',
      ENCRYPTION_KEYS_BEFORE: '',
    };
    const codec = encryptionCodec(settings, 'refused')!;
    const stored = await encrypted(history, codec);
    expect(JSON.stringify(stored)).toContain(SEALED);
    await expect(
      Worker.runReplayHistory(
        {
          workflowBundle: { codePath: testWorkflows() },
          dataConverter: workerConverter(settings),
        },
        stored,
        name,
      ),
    ).resolves.toBeUndefined();
  });

  it('has one of each shape', () => {
    for (const shape of SHAPES)
      expect(files.filter(name => name.endsWith(`-${shape}.json`))).not.toHaveLength(0);
  });

  it('does not replay against another workflow', async () => {
    const codePath = testWorkflows();
    const [name = ''] = files;
    const history = JSON.parse(
      readFileSync(join(FOLDER, name), 'utf8').replaceAll('"prepare"', '"somethingElse"'),
    ) as object;
    await expect(
      Worker.runReplayHistory({ workflowBundle: { codePath } }, history, name),
    ).rejects.toThrow(/nondeterminism|TMPRL1100/i);
  });
});

/** Search attributes, and what the SDK notes for itself. */
const PLAIN = ['indexedFields', 'markerRecordedEventAttributes'];

/** A history as JSON, each payload of it encrypted. */
async function encrypted<T>(value: T, codec: EncryptionCodec): Promise<T> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return (await Promise.all(value.map(each => encrypted(each, codec)))) as T;
  if ('metadata' in value && typeof value.metadata === 'object') {
    const payload = JSONToPayload(value as Parameters<typeof JSONToPayload>[0]);
    const [sealed] = await codec.encode([payload]);
    return payloadToJSON(sealed!) as T;
  }
  const entries = Object.entries(value).map(async ([name, each]) => [
    name,
    PLAIN.includes(name) ? each : await encrypted(each, codec),
  ]);
  return Object.fromEntries(await Promise.all(entries)) as T;
}

const SHAPES = [
  'plain',
  'tool-error',
  'mend',
  'cancel',
  'follow-up',
  'continue-as-new',
  'rewound',
  'archive',
  'approved',
  'answered',
  'budget',
  'nobody-came',
  'run-by-schedule',
  'run-held-back',
  'watch',
  'updated',
] as const;
const release = process.env.RECORD_HISTORIES;

(release ? describe : describe.skip)('recording', () => {
  const edit = (from: string, to: string): ScriptedReply => ({
    toolUses: [
      {
        name: EDITOR,
        input: { command: 'str_replace', path: 'docs/guide.md', old_str: from, new_str: to },
      },
    ],
  });
  const finish: ScriptedReply = {
    text: 'Done.',
    toolUses: [
      { name: 'finish', input: { title: 'Edit the guide', body: 'As asked.', message: 'Done.' } },
    ],
  };
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  let played = 0;
  const start = async (env: Record<string, string> = {}) => {
    stack = await startJobStack({
      files: FILES,
      script: () => script[played++] ?? { text: 'Nothing.' },
      env,
    });
  };
  const run = async (...replies: ScriptedReply[]) => {
    script = replies;
    played = 0;
    const { id } = await stack.create('Edit the guide');
    return stack.rest(id);
  };
  const save = async (shape: (typeof SHAPES)[number], jobId: string, runId?: string) => {
    const handle = stack.temporal.workflow.getHandle(jobId, runId);
    // The row is at rest a moment earlier.
    await until('its workflow task is in the history', async () => {
      return !(await handle.describe()).raw.pendingWorkflowTask;
    });
    const history = await handle.fetchHistory();
    writeFileSync(join(FOLDER, `${release}-${shape}.json`), historyToJSON(history));
  };

  it('writes one history of each way of waiting', async () => {
    const plan = { summary: 'Say it.', changes: [{ path: 'docs/guide.md', change: 'Say it.' }] };
    const waits = async (more: object, ...replies: ScriptedReply[]) => {
      script = replies;
      played = 0;
      const { id } = await stack.create('Edit the guide', { ...more });
      await stack.rest(id);
      return { id, path: `/v2/agent/${stack.project.id}/job/${id}` };
    };
    const propose: ScriptedReply = { toolUses: [{ name: 'propose_plan', input: plan }] };
    const day = { JOB_REMIND_AFTER_DAYS: '0.00001', JOB_WAIT_DAYS: '0.0003' };
    await start(day);
    const approved = await waits(
      { requirePlanApproval: true },
      propose,
      edit('first', 'second'),
      finish,
    );
    await stack.call('POST', `${approved.path}/approve`);
    await stack.rest(approved.id);
    await save('approved', approved.id);
    const ask: ScriptedReply = { toolUses: [{ name: 'ask', input: { question: 'Which?' } }] };
    const answered = await waits({}, ask, edit('first', 'third'), finish);
    await stack.message(answered.id, 'The first');
    await stack.rest(answered.id);
    await save('answered', answered.id);
    const dear = { ...edit('first', 'fourth'), usage: { output: 100_000 } };
    const budget = await waits({ budget: 0.01 }, dear, finish);
    await stack.call('PATCH', budget.path, { budget: 1000 });
    await stack.rest(budget.id);
    await save('budget', budget.id);
    expect((await stack.job(budget.id)).status).toBe('completed');
    const declined = await waits({ requirePlanApproval: true }, propose, propose);
    await stack.call('POST', `${declined.path}/decline`);
    await stack.rest(declined.id);
    await stack.message(declined.id, 'Then another way');
    await until('nobody came', async () => {
      await stack.rest(declined.id);
      return !('waitingFor' in (await stack.job(declined.id)));
    });
    await save('nobody-came', declined.id);
    await stack.close();
  }, 180_000);

  it('writes histories of automations', async () => {
    const follow = file('name: Follow\non:\n  merge: { repo: api, branch: main }');
    const weekly = file('name: Weekly\non: { cron: "0 3 1 1 *" }');
    stack = await startJobStack({
      files: {
        ...FILES,
        '.docent/workflows/follow.md': follow,
        '.docent/workflows/weekly.md': weekly,
      },
      script: () => script[played++] ?? { text: 'Nothing.' },
      env: { AUTOMATION_MAX_CHECKS_PER_HOUR: '1' },
    });
    const stage = stageOf(stack);
    const code = await addCodeRepository(stack, 'api');
    await stage.index();
    const merge = async (path: string) =>
      code.merge(await code.propose({ path, text: 'a();\n', title: path }));
    const judge = (needed: boolean): ScriptedReply => ({
      toolUses: [{ name: 'judge', input: { needed, reason: 'So.', pages: [] } }],
    });
    script = [judge(false), judge(true), edit('first', 'second'), finish];
    played = 0;
    const { id } = await stage.named('Follow');
    await merge('src/a.ts');
    await stage.done(id, 1);
    // The next one is held back for some seconds.
    await stack.pool.query(
      "update automation_runs set checked_at = now() - interval '1 hour' + interval '8 seconds'",
    );
    await merge('src/b.ts');
    const [held] = await stage.done(id, 2);
    await save('run-held-back', runWorkflowId(held!.id));
    await save('watch', watchWorkflowId(id));
    const { id: scheduled } = await stage.named('Weekly');
    await stack.temporal.schedule.getHandle(scheduleId(scheduled)).trigger();
    await stage.done(scheduled, 1);
    const query = `WorkflowId STARTS_WITH "${scheduleId(scheduled)}-"`;
    let workflowId: string | undefined;
    await until('its workflow is listed', async () => {
      for await (const found of stack.temporal.workflow.list({ query }))
        if (found.status.name === 'COMPLETED') ({ workflowId } = found);
      return workflowId !== undefined;
    });
    await save('run-by-schedule', workflowId!);
    await stack.close();
    expect(readdirSync(FOLDER)).toEqual(
      expect.arrayContaining(SHAPES.slice(-3).map(shape => `${release}-${shape}.json`)),
    );
  }, 180_000);

  it('writes a history of updates', async () => {
    await start();
    const { id } = await run(edit('first', 'second'), finish);
    const job = stack.temporal.workflow.getHandle(id);
    const rests = async () => (await job.query<JobView>('job')).isWaiting;
    const update = (name: string, ...args: object[]) => job.executeUpdate(name, { args } as never);
    await until('it rests', rests);
    script = [{ ...edit('second', 'third'), delayMs: 2_000 }, finish];
    played = 0;
    await update('message', { prompt: 'And once more' });
    await until('the model is asked', () => played > 0);
    await update('budget', { usd: 50 });
    await expect(update('archive')).rejects.toThrow();
    await until('it is published', async () => played > 1 && (await rests()));
    await update('archive');
    await job.result();
    await save('updated', id);
    await stack.close();
  }, 60_000);

  it('writes one history of each shape', async () => {
    await start();
    await save('plain', (await run(edit('first', 'second'), finish)).id);
    await save(
      'tool-error',
      (
        await run(
          edit('nowhere', 'x'),
          { toolUses: [{ name: 'no_such_tool', input: {} }] },
          edit('first', 'second'),
          finish,
        )
      ).id,
    );
    await save(
      'mend',
      (
        await run(
          edit('The first line.', '[x](gone.md)'),
          finish,
          edit('gone.md', 'guide.md'),
          finish,
        )
      ).id,
    );
    script = [edit('first', 'second'), { text: 'Hm…', silentMs: 30_000 }];
    played = 0;
    const cancelled = await stack.create('Edit the guide');
    const calls = () => played;
    while (calls() < 2) await new Promise(resolve => setTimeout(resolve, 50));
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${cancelled.id}/cancel`);
    await stack.rest(cancelled.id);
    await save('cancel', cancelled.id);
    const job = await run(edit('first', 'second'), finish);
    script = [edit('second', 'third'), finish];
    played = 0;
    await stack.message(job.id, 'And once more');
    await stack.rest(job.id);
    await save('follow-up', job.id);
    script = [edit('second', 'fourth'), finish];
    played = 0;
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/rewind`, { step: 1 });
    await stack.rest(job.id);
    await save('rewound', job.id);
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/archive`);
    await stack.temporal.workflow.getHandle(job.id).result();
    await save('archive', job.id);
    await stack.close();
    await start({ JOB_CONTINUE_AS_NEW_AFTER_TURNS: '1' });
    const { id } = await run(edit('first', 'second'), finish);
    const query = `WorkflowId = "${id}" AND ExecutionStatus = "ContinuedAsNew"`;
    let continued: string | undefined;
    await until('the run before is listed', async () => {
      for await (const { runId } of stack.temporal.workflow.list({ query })) continued = runId;
      return continued !== undefined;
    });
    await save('continue-as-new', id, continued);
    await stack.close();
    expect(readdirSync(FOLDER)).toEqual(
      expect.arrayContaining(SHAPES.slice(0, 8).map(shape => `${release}-${shape}.json`)),
    );
  }, 180_000);
});
