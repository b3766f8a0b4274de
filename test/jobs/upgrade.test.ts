import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDocent } from '../support/docent.ts';
import { blockedBy } from '../../jobs/blocked-job.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, EDIT, EDITOR, FINISH, held } from '../support/replies.ts';
import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { slowly } from '../support/slow.ts';

const ROOT = join(import.meta.dirname, '../..');
const VIEW: ScriptedReply = {
  toolUses: [{ name: EDITOR, input: { command: 'view', path: 'docs/guide.md' } }],
};
const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
/** What the model gives when it has edited: until it does, the job is at work. */
let looking: ScriptedReply | Promise<ScriptedReply> = VIEW;

/** Edits, looks, finishes: told by the job's own transcript. */
function turn(request: MessagesRequest): ScriptedReply | Promise<ScriptedReply> {
  const text = JSON.stringify(request.messages);
  if (text.includes('Just answer')) return { text: 'An answer.' };
  const finished = request.messages.findLastIndex(message =>
    JSON.stringify(message.content).includes('"name":"finish"'),
  );
  const answers = request.messages
    .slice(finished + 1)
    .filter(message => message.role === 'assistant').length;
  if (answers === 0) return text.includes('More') ? edit('second', 'third') : EDIT;
  return answers === 1 ? looking : FINISH;
}

describe('an upgrade under jobs', () => {
  let stack: JobStack;
  const folder = mkdtempSync(join(tmpdir(), 'docent-next-'));
  afterEach(() => stack.close());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const hold = () => {
    const look = held(VIEW);
    looking = look.reply;
    return look;
  };

  /** The workflows of another release: these, with a file changed. Nothing filters its signals. */
  async function otherRelease(name: string, change: (text: string) => string): Promise<string> {
    const root = mkdtempSync(join(folder, 'release-'));
    cpSync(join(ROOT, 'workflows'), join(root, 'workflows'), { recursive: true });
    for (const linked of ['shared', 'activities', 'node_modules', 'package.json'])
      symlinkSync(join(ROOT, linked), join(root, linked));
    const file = join(root, 'workflows', name);
    const before = readFileSync(file, 'utf8');
    const after = change(before);
    expect(after.length).toBeGreaterThan(before.length + 60);
    writeFileSync(file, after);
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(root, 'workflows/registry.ts'),
      logger: new DefaultLogger('ERROR'),
    });
    const path = join(root, 'bundle.js');
    writeFileSync(path, code);
    return path;
  }

  /** Of a next release: each turn begins with a wait, behind `patched()` or not. */
  const nextRelease = (guard: string) =>
    otherRelease('turn.ts', text =>
      text
        .replace(
          "} from '@temporalio/workflow';",
          ", patched, sleep } from '@temporalio/workflow';",
        )
        .replace(
          '    const spent = ',
          `    if (${guard}) await sleep(1, { summary: 'a pause of the next release' });\n    const spent = `,
        ),
    );

  /** As 0.1.0 had them: each signal that is ignored is listed by itself. */
  const firstRelease = () =>
    otherRelease('signals.ts', text =>
      text
        .replace(
          /,?\s*\} from '@temporalio\/workflow';/,
          ", setDefaultSignalHandler } from '@temporalio/workflow';",
        )
        .replace("if (!patched('list-ignored-together')) ", "if (!patched.name.startsWith('-')) ")
        .replace(
          '  setHandler(defineSignal<[Ignored]>(IGNORED)',
          '  setDefaultSignalHandler(name => ignore({ count: 1, newest: [`unknown signal "${name}"`] }));\n$&',
        ),
    );

  it('signals that a job of 0.1.0 ignored in one task do not block it', async () => {
    stack = await startJobStack({ files: FILES, script: turn, noWorker: true });
    const old = await firstRelease();
    const first = await stack.startWorker(old);
    const job = await stack.rest((await stack.create('Just answer')).id);
    await first.stop();
    const handle = stack.temporal.workflow.getHandle(job.id);
    for (const name of ['one', 'two', 'cancel', 'three', 'four']) await handle.signal(name);
    const second = await stack.startWorker(old);
    await until(
      'they are listed',
      async () => 'ignoredSignals' in ((await handle.describe()).memo ?? {}),
    );
    await second.stop();
    await stack.startWorker();
    await stack.message(job.id, 'Just answer again');
    expect(await stack.rest(job.id)).toMatchObject({ status: 'completed' });
    expect(await blockedBy(stack.temporal, job.id)).toBeUndefined();
  });

  it('jobs in flight, idle and queued go on under the next release’s workflows', async () => {
    stack = await startJobStack({
      files: FILES,
      script: turn,
      noWorker: true,
      env: { WORKER_SHUTDOWN_GRACE_SECONDS: '20' },
    });
    const next = await nextRelease("patched('pause')");
    const old = await stack.startWorker();
    const idle = await stack.rest((await stack.create('Say second')).id);
    const question = await stack.rest((await stack.create('Just answer')).id);
    const before = stack.model.requests.length;
    const look = hold();
    const flying = await stack.create('Say second');
    await until('the model looks', () => stack.model.requests.length === before + 2);
    const stopped = old.stop(); // drains: the model call that is under way ends first
    look.release();
    await stopped;
    expect(stack.model.requests.at(-1)?.hungUpAt).toBeNull();
    const queued = await stack.create('Say second');
    await stack.message(question.id, 'Just answer again');

    await stack.startWorker(next);
    const done: JobBody[] = [];
    for (const { id } of [flying, queued]) done.push(await stack.rest(id));
    expect(done).toEqual([
      expect.objectContaining({ status: 'completed', prLink: expect.any(String) }),
      expect.objectContaining({ status: 'completed', prLink: expect.any(String) }),
    ]);
    expect(await stack.rest(question.id)).toMatchObject({ status: 'completed', prLink: null });
    await stack.message(idle.id, 'More');
    const after = await stack.rest(idle.id);
    expect(after).toMatchObject({ status: 'completed', prLink: idle.prLink });
    expect(stack.git('show', `${after.source.ref}:docs/guide.md`)).toContain('The third line.');

    const timers = async (job: JobBody) =>
      ((await stack.temporal.workflow.getHandle(job.id).fetchHistory()).events ?? []).filter(
        ({ timerStartedEventAttributes: timer }) =>
          timer && Number(timer.startToFireTimeout?.seconds ?? 0) === 0,
      ).length;
    // The turn that was under way goes on as it began; what began later takes the new way.
    expect([await timers(flying), await timers(queued), await timers(idle)]).toEqual([0, 1, 1]);
    const { rows } = await stack.pool.query<{ calls: number }>(
      "select count(*) as calls from model_calls where job_id = $1 and outcome = 'ok'",
      [flying.id],
    );
    expect(rows[0]?.calls).toBe(3);
  }, 120_000);

  slowly(
    'a release that forgot `patched()` holds the job, and it goes on under one that fits',
    async () => {
      stack = await startJobStack({
        files: FILES,
        script: turn,
        noWorker: true,
        env: { WORKER_SHUTDOWN_GRACE_SECONDS: '20' },
      });
      const wrong = await nextRelease('true');
      const old = await stack.startWorker();
      const look = hold();
      const job = await stack.create('Say second');
      await until('the model looks', () => stack.model.requests.length === 2);
      const stopped = old.stop();
      look.release();
      await stopped;
      const misfit = await stack.startWorker(wrong);
      await until('the workflow task has failed', async () =>
        ((await stack.temporal.workflow.getHandle(job.id).fetchHistory()).events ?? []).some(
          event => event.workflowTaskFailedEventAttributes,
        ),
      );
      expect(await stack.job(job.id)).toMatchObject({ status: 'active' });
      await until(
        'the reason is known',
        async () => /Nondeterminism/.test((await blockedBy(stack.temporal, job.id)) ?? ''),
        60_000,
      );
      await misfit.stop();
      await stack.startWorker();
      expect(await stack.rest(job.id, 60_000)).toMatchObject({
        status: 'completed',
        prLink: expect.any(String),
      });
      expect(stack.model.requests).toHaveLength(3);
    },
    120_000,
  );

  it('`docent worker` drains on SIGTERM: its model call ends, is stored, and is not made again', async () => {
    stack = await startJobStack({ files: FILES, script: turn, noWorker: true });
    const {
      DATABASE_URL,
      TEMPORAL_ADDRESS,
      TASK_QUEUE,
      LOCAL_HOST_URL,
      LOCAL_HOST_TOKEN,
      ANTHROPIC_BASE_URL,
      ANTHROPIC_API_KEY,
    } = stack.config;
    const env = {
      DATABASE_URL,
      TEMPORAL_ADDRESS,
      TASK_QUEUE,
      LOCAL_HOST_URL,
      LOCAL_HOST_TOKEN,
      ANTHROPIC_BASE_URL,
      ANTHROPIC_API_KEY,
    } as Record<string, string>;
    const worker = startDocent(join(folder, 'worker'), ['worker'], env);
    const look = hold();
    const job = await stack.create('Say second');
    await until('the model looks', () => stack.model.requests.length === 2);
    worker.process.kill('SIGTERM');
    setTimeout(look.release, 1_000); // it says nothing when it begins to drain
    expect((await worker.ended).code).toBe(0);
    expect(stack.model.requests[1]).toMatchObject({
      hungUpAt: null,
      answeredAt: expect.any(Number),
    });
    await stack.startWorker();
    expect(await stack.rest(job.id)).toMatchObject({
      status: 'completed',
      prLink: expect.any(String),
    });
    expect(stack.model.requests).toHaveLength(3);
  }, 120_000);
});
