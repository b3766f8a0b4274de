import { newState, type JobState } from '../../workflows/job-state.ts';
import { receiveArchive, receiveCancel, receiveMessage } from '../../workflows/signals.ts';

const POISON = [null, undefined, 0, 'text', [], [{ prompt: 'x' }], {}, { prompt: '' }, { prompt: '   ' }, { prompt: 7 }, { prompt: 'x'.repeat(100_001) }, { prompt: '😀'.repeat(100_001) }, { prompt: 'x', messageId: '😀'.repeat(256) }, { prompt: 'x', messageId: 9 }, { prompt: 'a\0b' }, { prompt: 'x', messageId: 'a\0b' }, { prompt: 'x', messageId: 'y'.repeat(300) }];

describe('signals', () => {
  it.each(POISON.map(raw => [JSON.stringify(raw)?.slice(0, 40) ?? 'undefined', raw]))('takes no message from %s, and does not throw', (_, raw) => {
    const job = state();
    expect(receiveMessage(job, raw, 100, () => 'id')).toMatch(/^message: /);
    expect(job.inbox).toEqual([]);
  });

  it('counts characters, as HTTP does: an emoji is one', () => {
    const job = state();
    const prompt = '😀'.repeat(100_000);
    expect(receiveMessage(job, { prompt, messageId: '😀'.repeat(255) }, 100, () => 'id')).toBeNull();
    expect(job.inbox).toHaveLength(1);
  });

  it('queues messages in order, each id once', () => {
    const job = state();
    let next = 0;
    for (const raw of [{ prompt: 'a' }, { prompt: 'b', messageId: 'm' }, { prompt: 'again', messageId: 'm' }, { prompt: 'c' }]) receiveMessage(job, raw, 100, () => `id${next++}`);
    expect(job.inbox).toEqual([{ messageId: 'id0', prompt: 'a' }, { messageId: 'm', prompt: 'b' }, { messageId: 'id1', prompt: 'c' }]);
  });

  it('refuses more than the queue holds, but never what is stored already', () => {
    const job = state();
    receiveMessage(job, { prompt: 'a' }, 1, () => 'x');
    expect(receiveMessage(job, { prompt: 'b' }, 1, () => 'y')).toContain('waiting already');
    expect(receiveMessage(job, { messageId: 'msg_1', stored: true, prompt: 'preview' }, 1, () => 'z')).toBeNull();
    expect(job.inbox.at(-1)).toEqual({ messageId: 'msg_1' });
  });

  it('cancels an active job only, in its own epoch only, and not once a publish is planned', () => {
    expect(receiveCancel(state({ status: 'completed' }), {})).toContain('at rest');
    expect(receiveCancel(state({ at: { epoch: 3, n: 0 } }), { epoch: 2 })).toContain('earlier epoch');
    expect(receiveCancel(state({ publishing: true }), undefined)).toContain('too late');
    const job = state();
    expect(receiveCancel(job, null)).toBeNull();
    expect(job.cancelRequested).toBe(true);
  });

  it('archives a job at rest only', () => {
    expect(receiveArchive(state(), {})).toContain('active');
    expect(receiveArchive(state({ status: 'completed', inbox: [{ messageId: 'm' }] }), {})).toContain('active');
    const job = state({ status: 'failed' });
    expect(receiveArchive(job, 'whatever')).toBeNull();
    expect(job.archiveRequested).toBe(true);
  });
});

function state(change: Partial<JobState> = {}): JobState {
  const limits = { maxSteps: 1, maxTokens: 1, maxRepeats: 1, maxMendRounds: 1, maxTurnMs: 1, maxQueue: 1, archiveAfterMs: 1, continueAsNewAfterTurns: 0, heartbeatSeconds: 1 };
  return Object.assign(newState({ jobId: 'job_1', limits }), change);
}
