import type { Carried, DurableState, JobInput, JobLimits } from '../../shared/jobs/job.ts';
import { carry, newState } from '../../workflows/job-state.ts';

const LIMITS = {} as JobLimits;
const next = (carried: JobInput['carried']) =>
  newState({ jobId: 'job_1', limits: LIMITS, ...(carried && { carried }) });

/** A job in mid-life: no field as a new job has it. */
const LIVED: DurableState = {
  status: 'failed',
  inbox: [{ messageId: 'm2' }],
  seen: ['m1', 'm2'],
  unnamed: 3,
  transcriptHead: 'ent_1',
  workspaceHead: 'rev_1',
  turn: 4,
  todos: [{ id: '1', content: 'Look', status: 'pending', priority: 'low' }],
  title: 'Edit the guide',
  branch: 'docent/edit-k3',
  ref: 'docent/edit-k3',
  prLink: 'http://host/pulls/1',
  prNumber: 1,
  model: 'model',
  haltReason: 'error',
  messageToUser: 'No.',
  waitingFor: 'approval',
  at: { epoch: 1, n: 9 },
  startFrom: 'published',
  archiveAt: 1_700_000_000_000,
  wait: { remindAt: null, endAt: 1_700_000_000_000 },
  cancelRequested: true,
  archiveRequested: false,
};

describe('the state that a job continues as new with', () => {
  it('is all of the durable state', () => {
    expect(next(carry({ durable: LIVED })).durable).toEqual(LIVED);
    const fresh = next(undefined).durable;
    for (const field of Object.keys(fresh) as (keyof DurableState)[])
      if (field !== 'archiveRequested') expect(LIVED[field]).not.toEqual(fresh[field]);
    const archived = { ...LIVED, inbox: [], archiveRequested: true };
    expect(next(carry({ durable: archived })).durable).toEqual(archived);
  });

  it('has every field that somebody adds', () => {
    const added = { ...LIVED, reviewers: ['ada'] };
    // The types: a field is carried because it is in the durable state, and for no other reason.
    const carried: Carried & { reviewers: string[] } = carry({ durable: added });
    const lost: Exclude<keyof DurableState, keyof Carried>[] = ['inbox'];
    expect(lost).toHaveLength(1);
    expect(next(JSON.parse(JSON.stringify(carried)) as Carried).durable).toEqual(added);
  });

  it('is flat on the wire, with the ids of what waits', () => {
    const { inbox: _, ...rest } = LIVED;
    expect(carry({ durable: LIVED })).toEqual({ ...rest, queue: ['m2'] });
  });

  it('forgets the oldest ids', () => {
    const seen = Array.from({ length: 300 }, (_, i) => `m${i}`);
    expect(carry({ durable: { ...LIVED, seen } }).seen).toEqual(seen.slice(100));
  });
});
