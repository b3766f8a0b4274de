import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { JobView } from '../../shared/jobs/job.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { held } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { testTemporal } from '../support/services.ts';
import { until } from '../support/until.ts';

const DONE: ScriptedReply = { text: 'Done.' };

describe('an update of a job', () => {
  let stack: JobStack;
  let script: (ScriptedReply | Promise<ScriptedReply>)[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script.shift() ?? DONE,
      env: { JOB_MAX_QUEUE: '3', JOB_CONTINUE_AS_NEW_AFTER_TURNS: '2' },
    });
  });
  afterAll(() => stack.close());

  const workflow = (id: string) => stack.temporal.workflow.getHandle(id);
  /** "taken", or why not. */
  const tell = async (id: string, name: string, input?: unknown, updateId?: string) => {
    const args = input === undefined ? [] : [input];
    try {
      return await workflow(id).executeUpdate(name, {
        args,
        ...(updateId && { updateId }),
      } as never);
    } catch (error) {
      if (!(error instanceof WorkflowUpdateFailedError)) throw error;
      return error.cause?.message;
    }
  };
  const prompts = async (id: string) => {
    const { rows } = await stack.pool.query<{ prompt: string; state: string }>(
      'select prompt, state from instructions where job_id = $1 order by seq offset 1',
      [id],
    );
    return rows.map(({ prompt, state }) => `${prompt} ${state}`);
  };
  const taken = (id: string, ...wanted: string[]) =>
    until('they are read', async () => {
      const all = await prompts(id);
      return wanted.every(one => all.includes(`${one} taken`));
    });
  const atRest = async () => {
    const { id } = await stack.create('Say second');
    await stack.rest(id);
    const isWaiting = async () => (await workflow(id).query<JobView>('job')).isWaiting;
    await until('its workflow rests', isWaiting);
    return id;
  };
  const atWork = async () => {
    const before = stack.model.requests.length;
    const { reply, release } = held(DONE);
    script = [reply];
    const { id } = await stack.create('Say second');
    await until('the model is asked', () => stack.model.requests.length > before);
    return { id, release };
  };

  it('says at once whether a message was taken, at rest and at work', async () => {
    const resting = await atRest();
    expect(await tell(resting, 'message', { prompt: 'More' })).toBe('taken');
    await taken(resting, 'More');
    await stack.rest(resting);

    const { id, release } = await atWork();
    const answers = [];
    for (const prompt of ['One', ' ', 'Two', 'Three', 'Four'])
      answers.push(await tell(id, 'message', { prompt }));
    expect(answers).toEqual([
      'taken',
      'Not taken: prompt must be 1 to 100000 characters.',
      'taken',
      'taken',
      'Not taken: 3 instructions are already waiting.',
    ]);
    expect(await tell(id, 'archive')).toBe('Not taken: the job is active.');
    release();
    await stack.rest(id);
    expect(await prompts(id)).toEqual(['One taken', 'Two taken', 'Three taken']);
  });

  it('has one effect if it is sent again: the same update, the same message, in a later run too', async () => {
    const id = await atRest();
    const { runId } = await workflow(id).describe();
    for (const send of [
      () => tell(id, 'message', { prompt: 'By its update' }, 'mine'),
      () => tell(id, 'message', { prompt: 'By its id', messageId: 'its-id' }),
    ])
      expect(await Promise.all([send(), send()])).toEqual(['taken', 'taken']);
    await taken(id, 'By its update', 'By its id');
    await tell(id, 'message', { prompt: 'Last' });
    await taken(id, 'Last');
    await until('another run', async () => (await workflow(id).describe()).runId !== runId);
    expect(await tell(id, 'message', { prompt: 'By its update' }, 'mine')).toBe('taken');
    await workflow(id).signal('message', { prompt: 'By its id', messageId: 'its-id' });
    await tell(id, 'message', { prompt: 'The end' });
    await taken(id, 'The end');
    await stack.rest(id);
    expect((await prompts(id)).filter(one => one.startsWith('By'))).toHaveLength(2);
  });

  it('that a reset repeats has no second effect', async () => {
    const { id, release } = await atWork();
    const { events } = await workflow(id).fetchHistory();
    const point = events?.findLast(event => event.workflowTaskCompletedEventAttributes)?.eventId;
    await tell(id, 'message', { prompt: 'Whisper' });
    release();
    await taken(id, 'Whisper');
    await stack.rest(id);
    const { runId } = await stack.temporal.workflowService.resetWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: id },
      workflowTaskFinishEventId: point!,
      reason: 'test',
      requestId: 'reset',
    });
    await until('the new run rests', async () => {
      const view = await workflow(id).query<JobView>('job');
      return view.runId === runId && view.isWaiting && view.queue === 0;
    });
    expect(await prompts(id)).toEqual(['Whisper taken']);
  });

  it('is refused with the reason by the command of Temporal, and cancels, archives and approves', async () => {
    const { id } = await atWork();
    // The worker is in this process: it must not wait.
    const command = async (name: string, ...input: string[]) => {
      const { address, cliPath } = testTemporal();
      const job = ['--address', address, '--workflow-id', id, '--name', name];
      return promisify(execFile)(cliPath, ['workflow', 'update', 'execute', ...job, ...input]).then(
        ({ stdout }) => stdout,
        ({ stderr }: { stderr: string }) => stderr,
      );
    };
    expect(await command('approve')).toContain('Not taken: nothing waits for approval.');
    expect(await command('message', '--input', '{"prompt":5}')).toContain(
      'Not taken: prompt must be',
    );
    expect(await command('nonsense')).toContain('nonsense');
    expect(await command('cancel')).toContain('taken');
    expect(await stack.rest(id)).toMatchObject({ status: 'failed' });
    expect(await command('cancel')).toContain('Not taken: the job is idle.');
    expect(await command('budget', '--input', '{"usd":5}')).toContain('taken');
    await until('it is stored', async () => {
      const { rows } = await stack.pool.query<{ usd: string }>(
        'select budget_microusd as usd from jobs where id = $1',
        [id],
      );
      return Number(rows[0]?.usd) === 5e6;
    });
    await until('it rests', async () => (await workflow(id).query<JobView>('job')).isWaiting);
    expect(await command('archive')).toContain('taken');
    const isArchived = async () => (await stack.job(id)).archivedAt !== null;
    await until('it is archived', isArchived);
    expect(await command('message', '--input', '{"prompt":"Late"}')).toContain('already completed');
  });
});
