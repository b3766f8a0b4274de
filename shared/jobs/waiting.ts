import type { Config } from '../config.ts';
import type { Plan } from './waiting-schemas.ts';

/** What an idle job can wait for. */
export type WaitingFor = 'approval' | 'answer' | 'budget';

/** The decision of a person that a job waited for; it travels as an instruction does. */
export type Answer =
  | { verb: 'decline' }
  /** What the policy refused is allowed to the job, or to its project from now on. */
  | { verb: 'approve'; allow?: 'job' | 'project' }
  /** The new budget, in millionths of a US dollar. */
  | { verb: 'raise'; budgetMicroUsd: number };

/** What a conversation shows of it. */
export const ANSWER_WORDS: Record<Answer['verb'], string> = {
  approve: 'Approved.',
  decline: 'Declined.',
  raise: 'The budget was raised.',
};

/** Timers of a wait, by the workflow's clock (ms). */
export interface Wait {
  /** Null once it was reminded of. */
  remindAt: number | null;
  endAt: number;
}

/** For how long a job waits, from when it begins to. */
export interface WaitLength {
  remindAfterMs: number;
  endAfterMs: number;
}

const DAY_MS = 86_400_000;

export function waitLength({
  JOB_REMIND_AFTER_DAYS: remind,
  JOB_WAIT_DAYS: end,
}: Pick<Config, 'JOB_REMIND_AFTER_DAYS' | 'JOB_WAIT_DAYS'>): WaitLength {
  return { remindAfterMs: Math.min(remind, end) * DAY_MS, endAfterMs: end * DAY_MS };
}

export function planText({ summary, changes, questions }: Plan): string {
  return [
    summary,
    changes.map(({ path, change }) => `- \`${path}\`: ${change}`).join('\n'),
    questions.length > 0
      ? `Open questions:\n${questions.map(question => `- ${question}`).join('\n')}`
      : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}
