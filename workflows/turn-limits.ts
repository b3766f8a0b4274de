import type { LimitAhead, ModelReply, ToolUse } from '../shared/jobs/activity-types.ts';
import { cutSentence, isCut } from '../shared/jobs/cut-answers.ts';
import type { JobLimits } from '../shared/jobs/job.ts';

/** What a turn has used so far. */
export interface Spent {
  /** Workflow time (ms) at which the turn began. */
  startedAt: number;
  steps: number;
  tokens: number;
  /** How often each identical call came since the workspace was last as it had not been before. */
  repeats: Record<string, number>;
  /** How often the edits became each state, by the digest of them. */
  states: Record<string, number>;
  /** Limits that the model knows of. */
  told: LimitAhead['kind'][];
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
    states: {},
    told: [],
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
  if (Object.values(spent.states).some(count => count > limits.maxRepeats))
    return (
      `The model made the same edits and took them back more than ${limits.maxRepeats} times ` +
      '(JOB_MAX_REPEATS).'
    );
  return null;
}

const STEPS_AHEAD = 5;
/** Of tokens and minutes. */
const SHARE_AHEAD = 0.1;

/**
 * What the model has to know with the results of these calls, so that it can come to an end: limits
 * that are near, each once, and that it goes round in circles.
 */
export function limitsAhead(
  spent: Spent,
  limits: JobLimits,
  calls: readonly ToolUse[],
  now: number,
): LimitAhead[] {
  const { maxSteps, maxTokens, maxTurnMs, maxRepeats } = limits;
  const steps = maxSteps - spent.steps;
  const tokens = maxTokens - spent.tokens;
  const time = maxTurnMs - (now - spent.startedAt);
  const near: [kind: 'steps' | 'tokens' | 'minutes', left: number, isNear: boolean][] = [
    ['steps', steps, steps <= Math.min(STEPS_AHEAD, maxSteps / 2)],
    ['tokens', tokens, tokens <= maxTokens * SHARE_AHEAD],
    ['minutes', Math.ceil(time / 60_000), time <= maxTurnMs * SHARE_AHEAD],
  ];
  const ahead: LimitAhead[] = near
    .filter(([kind, left, isNear]) => isNear && left > 0 && !spent.told.includes(kind))
    .map(([kind, left]) => ({ kind, left }));
  const isLastTime = (count = 0) => count > 1 && count >= maxRepeats;
  const repeats =
    calls.some(({ key }) => isLastTime((spent.repeats[key] ?? 0) + 1)) ||
    (!spent.told.includes('repeats') && Object.values(spent.states).some(isLastTime));
  if (repeats) ahead.push({ kind: 'repeats' });
  spent.told.push(...ahead.map(({ kind }) => kind));
  return ahead;
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

/**
 * Counts a call. An edit makes every earlier call worth repeating, unless it only brings back what
 * was there before: edits and undos in turn.
 */
export function countCall(
  spent: Spent,
  { key }: ToolUse,
  { edited, edits }: { edited: boolean; edits?: string | undefined },
): void {
  const isNew = edits === undefined || spent.states[edits] === undefined;
  if (edited && isNew) spent.repeats = {};
  if (edited && edits !== undefined) spent.states[edits] = (spent.states[edits] ?? 0) + 1;
  spent.repeats[key] = (spent.repeats[key] ?? 0) + 1;
}
