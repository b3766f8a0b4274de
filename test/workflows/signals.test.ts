import type { DurableState } from '../../shared/jobs/job.ts';
import { carry, newState, type JobState } from '../../workflows/job-state.ts';
import { receiveArchive, receiveCancel, receiveMessage } from '../../workflows/receive-signals.ts';

const LIMITS = {
  maxSteps: 1,
  maxTokens: 1,
  maxRepeats: 1,
  maxRepairRounds: 1,
  maxTurnMs: 1,
  maxQueue: 1,
  archiveAfterMs: 1,
  continueAsNewAfterTurns: 0,
  heartbeatSeconds: 1,
};
const POISON = [
  null,
  undefined,
  0,
  'text',
  [],
  [{ prompt: 'x' }],
  {},
  { prompt: '' },
  { prompt: '   ' },
  { prompt: 7 },
  { prompt: 'x'.repeat(100_001) },
  { prompt: '😀'.repeat(100_001) },
  { prompt: 'x', messageId: '😀'.repeat(256) },
  { prompt: 'x', messageId: 9 },
  { prompt: 'x', messageId: 'sig_approve_1_1' },
  { prompt: 'a\0b' },
  { prompt: 'x', messageId: 'a\0b' },
  { prompt: 'x', messageId: 'y'.repeat(300) },
  { prompt: 'x', messageId: '\ud800a' },
  { prompt: 'x', messageId: 'a\udc00' },
  { messageId: '\udc00\ud800', stored: true },
];

describe('signals', () => {
  it.each(POISON.map(raw => [JSON.stringify(raw)?.slice(0, 40) ?? 'undefined', raw]))(
    'takes no message from %s, and does not throw',
    (_, raw) => {
      const job = durableState();
      expect(receiveMessage(job, raw, 100)).toEqual(expect.any(String));
      expect(job.inbox).toEqual([]);
    },
  );

  it('knows an instruction without an id again when a reset repeats it, and takes no other for it', () => {
    const before = durableState();
    for (const prompt of ['More', 'More', 'Less']) receiveMessage(before, { prompt }, 100);
    expect(new Set(before.inbox.map(({ messageId }) => messageId)).size).toBe(3);
    const reset = durableState();
    for (const prompt of ['More', 'Other']) receiveMessage(reset, { prompt }, 100);
    expect(reset.inbox.map(({ messageId }) => before.seen.includes(messageId))).toEqual([
      true,
      false,
    ]);
    // In the next run of the same job it is a new one.
    const next = newState({
      jobId: 'job_1',
      limits: LIMITS,
      carried: { ...carry({ durable: before }), queue: [] },
    }).durable;
    receiveMessage(next, { prompt: 'More' }, 100);
    expect(next.inbox).toHaveLength(1);
  });

  it('counts characters, as HTTP does: an emoji is one', () => {
    const job = durableState();
    const prompt = '😀'.repeat(100_000);
    expect(receiveMessage(job, { prompt, messageId: '😀'.repeat(255) }, 100)).toBeNull();
    expect(job.inbox).toHaveLength(1);
  });

  it('takes ids of whole characters only, whatever the texts hold', () => {
    const job = durableState();
    const ids = ['\ud800a', '\ud801a', '\ufffda', '😀a'];
    expect(
      ids.map(
        messageId =>
          receiveMessage(job, { prompt: 'half of one: \ud83d', messageId }, 100) === null,
      ),
    ).toEqual([false, false, true, true]);
    expect(job.seen).toEqual(['\ufffda', '😀a']);
  });

  it('queues messages in order, each id once', () => {
    const job = durableState();
    for (const raw of [
      { prompt: 'a' },
      { prompt: 'b', messageId: 'm' },
      { prompt: 'again', messageId: 'm' },
      { prompt: 'c' },
    ])
      receiveMessage(job, raw, 100);
    expect(job.inbox).toEqual([
      { messageId: expect.stringMatching(/^sig_1_/), prompt: 'a' },
      { messageId: 'm', prompt: 'b' },
      { messageId: expect.stringMatching(/^sig_2_/), prompt: 'c' },
    ]);
  });

  it('refuses more than the queue holds, but never what is stored already', () => {
    const job = durableState();
    receiveMessage(job, { prompt: 'a' }, 1);
    expect(receiveMessage(job, { prompt: 'b' }, 1)).toContain('already waiting');
    expect(
      receiveMessage(job, { messageId: 'msg_1', stored: true, prompt: 'preview' }, 1),
    ).toBeNull();
    expect(job.inbox.at(-1)).toEqual({ messageId: 'msg_1' });
  });

  it('cancels an active job only, in its own epoch only, and not once a publish is planned', () => {
    expect(receiveCancel(state({ status: 'completed' }), {})).toContain('idle');
    // Woken for an instruction that was withdrawn: the flag would meet the next one.
    const rests = Object.assign(state(), { isWaiting: true });
    expect(receiveCancel(rests, undefined)).toContain('idle');
    expect(receiveCancel(state({ at: { epoch: 3, n: 0 } }), { epoch: 2 })).toContain(
      'another epoch',
    );
    expect(receiveCancel(Object.assign(state(), { publishing: true }), undefined)).toContain(
      'too late',
    );
    // The row may be an activity ahead of the workflow, also the first of an epoch; further ahead,
    // a reset repeats the signal.
    const seen = [
      [3, 5],
      [3, 6],
      [3, 7],
      [4, 0],
      [4, 1],
      [4, 2],
      [9, 1],
    ].map(([epoch, n]) => receiveCancel(state({ at: { epoch: 3, n: 5 } }), { epoch, n }));
    expect(seen.map(ignored => ignored === null)).toEqual([
      true,
      true,
      false,
      true,
      true,
      false,
      true,
    ]);
    const job = state();
    expect(receiveCancel(job, null)).toBeNull();
    expect(job.durable.cancelRequested).toBe(true);
  });

  it('archives an idle job only', () => {
    expect(receiveArchive(state(), {})).toContain('active');
    expect(
      receiveArchive(state({ status: 'completed', inbox: [{ messageId: 'm' }] }), {}),
    ).toContain('active');
    // The row of what the API saw at rest may be an activity ahead: the job is about to rest.
    const ending = () => state({ at: { epoch: 3, n: 5 } });
    expect([5, 6].map(n => receiveArchive(ending(), { epoch: 3, n }) === null)).toEqual([
      false,
      true,
    ]);
    expect(
      receiveArchive(state({ at: { epoch: 3, n: 5 }, inbox: [{ messageId: 'm' }] }), {
        epoch: 3,
        n: 6,
      }),
    ).toContain('active');
    const job = state({ status: 'failed' });
    expect(receiveArchive(job, 'whatever')).toBeNull();
    expect(job.durable.archiveRequested).toBe(true);
  });

  it('keeps a cancel and an archive that come just before the job continues as new', () => {
    const next = (before: JobState) =>
      newState({ jobId: 'job_1', limits: LIMITS, carried: carry(before) }).durable;
    const cancelled = state({ inbox: [{ messageId: 'm' }] });
    receiveCancel(cancelled, {});
    expect(next(cancelled)).toMatchObject({ cancelRequested: true, archiveRequested: false });
    const archived = state({ status: 'completed' });
    receiveArchive(archived, {});
    expect(next(archived)).toMatchObject({ cancelRequested: false, archiveRequested: true });
    receiveMessage(archived.durable, { prompt: 'More' }, 100); // goes first, as it does without a new run
    expect(next(archived)).toMatchObject({ archiveRequested: false });
  });
});

function durableState(change: Partial<DurableState> = {}): DurableState {
  return { ...newState({ jobId: 'job_1', limits: LIMITS }).durable, ...change };
}

function state(change: Partial<DurableState> = {}): JobState {
  return { ...newState({ jobId: 'job_1', limits: LIMITS }), durable: durableState(change) };
}
