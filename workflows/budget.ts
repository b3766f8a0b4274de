import type { ModelReply, ToolUse } from '../activities/types.ts';
import type { JobLimits } from '../shared/jobs/job.ts';

/** What a turn has used so far. */
export interface Spent {
  /** Workflow time (ms) at which the turn began. */
  startedAt: number;
  steps: number;
  tokens: number;
  /** How often each identical call came with the workspace as it still is. */
  repeats: Record<string, number>;
  emptyReplies: number;
  mendRounds: number;
}

export function nothingSpent(now: number): Spent {
  return { startedAt: now, steps: 0, tokens: 0, repeats: {}, emptyReplies: 0, mendRounds: 0 };
}

const MAX_EMPTY_REPLIES = 2;

/**
 * The one place where a turn's limits are checked, before each model call. Null, or the sentence
 * that people are told.
 */
export function limitReached(spent: Spent, limits: JobLimits, now: number): string | null {
  if (spent.steps >= limits.maxSteps)
    return `The limit of ${limits.maxSteps} steps a turn is reached (JOB_MAX_STEPS).`;
  if (spent.tokens >= limits.maxTokens)
    return `The limit of ${limits.maxTokens} tokens a turn is reached (JOB_MAX_TOKENS).`;
  if (now - spent.startedAt >= limits.maxTurnMs)
    return `The limit of ${limits.maxTurnMs / 60_000} minutes a turn is reached (JOB_MAX_TURN_MINUTES).`;
  if (spent.emptyReplies > MAX_EMPTY_REPLIES)
    return `The model gave ${spent.emptyReplies} empty answers in a row.`;
  if (Object.values(spent.repeats).some(count => count > limits.maxRepeats)) {
    return `The model made the same call more than ${limits.maxRepeats} times without any change (JOB_MAX_REPEATS).`;
  }
  return null;
}

export function countReply(spent: Spent, reply: ModelReply): void {
  spent.steps += 1;
  spent.tokens += reply.tokens;
  spent.emptyReplies =
    reply.text === '' && reply.toolUses.length === 0 ? spent.emptyReplies + 1 : 0;
}

/** Counts a call; an edit makes every earlier call worth repeating. */
export function countCall(spent: Spent, call: ToolUse, edited: boolean): void {
  if (edited) spent.repeats = {};
  spent.repeats[call.key] = (spent.repeats[call.key] ?? 0) + 1;
}
