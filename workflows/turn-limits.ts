import type { ModelReply, ToolUse } from '../shared/jobs/activity-types.ts';
import { cutSentence, isCut } from '../shared/jobs/cut-answers.ts';
import type { JobLimits } from '../shared/jobs/job.ts';

/** What a turn has used so far. */
export interface Spent {
  /** Workflow time (ms) at which the turn began. */
  startedAt: number;
  steps: number;
  tokens: number;
  /** How often each identical call came since the last edit. */
  repeats: Record<string, number>;
  emptyReplies: number;
  /** Answers in a row that were cut off, and what the last of them ended with. */
  cuts: number;
  lastReply?: Pick<ModelReply, 'stopReason' | 'stoppedBy'>;
  /** The model was asked whether it has finished; and it ended again without saying so. */
  wasAsked: boolean;
  unfinished: boolean;
  /** How often the model was sent back to repair what the checks found. */
  repairRounds: number;
}

export function nothingSpent(now: number): Spent {
  return {
    startedAt: now,
    steps: 0,
    tokens: 0,
    repeats: {},
    emptyReplies: 0,
    cuts: 0,
    wasAsked: false,
    unfinished: false,
    repairRounds: 0,
  };
}

const MAX_EMPTY_REPLIES = 2;
const MAX_CUTS = 3;
/** How often a turn is prepared again because its branch moved. */
export const MAX_PREPARATIONS = 3;

/**
 * The one place where a turn's limits are checked, before each model call. Null, or the sentence
 * for people.
 */
export function turnLimitReached(spent: Spent, limits: JobLimits, now: number): string | null {
  const minutes = limits.maxTurnMs / 60_000;
  if (spent.steps >= limits.maxSteps)
    return `The limit of ${limits.maxSteps} steps per turn is reached (JOB_MAX_STEPS).`;
  if (spent.tokens >= limits.maxTokens)
    return `The limit of ${limits.maxTokens} tokens per turn is reached (JOB_MAX_TOKENS).`;
  if (now - spent.startedAt >= limits.maxTurnMs)
    return `The limit of ${minutes} minutes per turn is reached (JOB_MAX_TURN_MINUTES).`;
  const { stopReason = '', stoppedBy } = spent.lastReply ?? {};
  if (spent.cuts >= MAX_CUTS && isCut(stopReason))
    return cutSentence(spent.cuts, stopReason, stoppedBy);
  if (spent.emptyReplies > MAX_EMPTY_REPLIES)
    return `The model gave ${spent.emptyReplies} empty answers in a row.`;
  if (Object.values(spent.repeats).some(count => count > limits.maxRepeats))
    return (
      `The model made the same call more than ${limits.maxRepeats} times without any change ` +
      '(JOB_MAX_REPEATS).'
    );
  return null;
}

export function repairRoundsLeft(spent: Spent, limits: JobLimits): number {
  return Math.max(0, limits.maxRepairRounds - spent.repairRounds);
}

export function countReply(spent: Spent, reply: ModelReply): void {
  spent.steps += 1;
  spent.tokens += reply.tokens;
  spent.cuts = isCut(reply.stopReason) ? spent.cuts + 1 : 0;
  spent.lastReply = {
    stopReason: reply.stopReason,
    ...(reply.stoppedBy !== undefined && { stoppedBy: reply.stoppedBy }),
  };
  spent.emptyReplies =
    reply.text === '' && reply.toolUses.length === 0 ? spent.emptyReplies + 1 : 0;
}

/** Counts a call; an edit makes every earlier call worth repeating. */
export function countCall(spent: Spent, call: ToolUse, edited: boolean): void {
  if (edited) spent.repeats = {};
  spent.repeats[call.key] = (spent.repeats[call.key] ?? 0) + 1;
}
