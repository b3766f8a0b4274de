import { ApplicationFailure } from '@temporalio/workflow';
import type { ModelReply, Settled } from '../shared/jobs/activity-types.ts';
import type { WaitingFor } from '../shared/jobs/waiting.ts';
import { COMPLETED, type Ending, errorEnding, waitingEnding } from './endings.ts';
import { readWaiting } from './follow-up-queue.ts';
import { move, position, type Turn } from './job-state.ts';
import {
  countCall,
  countReply,
  limitsAhead,
  turnLimitReached,
  repairRoundsLeft,
} from './turn-limits.ts';
import { show } from './web-ui.ts';

/**
 * Repeats one model call and its tools. Null: there is something to publish; otherwise how the turn
 * ends without it.
 */
export async function stepUntilDone(turn: Turn): Promise<Ending | null> {
  const { job, activities, limits, spent } = turn;
  for (;;) {
    const reason = turnLimitReached(spent, limits, Date.now());
    if (reason)
      return errorEnding(
        'limit_reached',
        `${reason} The edits are kept: a follow-up continues from here.`,
      );
    await readWaiting(job, activities);
    job.step += 1;
    const reply = await activities.model.callModel.executeWithOptions(
      { summary: `step ${job.durable.turn}.${job.step}` },
      [position(job)],
    );
    move(job, reply);
    job.durable.model = reply.model;
    countReply(spent, reply);
    if (reply.stopReason === 'refusal')
      return errorEnding(
        'model_declined',
        `The model declined to carry this out. ${reply.text}`.trim(),
      );
    const next =
      reply.toolUses.length > 0 ? await useTools(turn, reply) : await settle(turn, reply);
    show(job);
    // Instructions that arrived meanwhile belong to this turn: it publishes only on an empty queue.
    if (next === 'again' || job.durable.inbox.length > 0) continue;
    if (next === 'publish') return null;
    return next === 'rest' ? COMPLETED : waitingEnding(next);
  }
}

async function useTools(
  { job, activities, limits, spent }: Turn,
  reply: ModelReply,
): Promise<Settled['next'] | WaitingFor> {
  let finished = false;
  let waitsFor: WaitingFor | undefined;
  const ahead = limitsAhead(spent, limits, reply.toolUses, Date.now());
  for (const [index, toolUse] of reply.toolUses.entries()) {
    const isLast = index === reply.toolUses.length - 1;
    const before = job.durable.workspaceHead;
    const tool = activities.tools[toolUse.type];
    if (!tool) throw ApplicationFailure.nonRetryable(`no activity for ${toolUse.type}`, 'internal');
    const outcome = await tool.executeWithOptions({ summary: toolUse.summary }, [
      {
        ...position(job),
        toolUse,
        repairRoundsLeft: repairRoundsLeft(spent, limits),
        ...(isLast && ahead.length > 0 && { limitsAhead: ahead }),
      },
    ]);
    move(job, outcome);
    if (outcome.todos) job.durable.todos = outcome.todos;
    // A refused `finish` has a limit of its own.
    const edited = job.durable.workspaceHead !== before;
    if (toolUse.type !== 'finish') countCall(spent, toolUse, { edited, edits: outcome.edits });
    else if (outcome.isError) spent.repairRounds += 1;
    finished ||= outcome.finished;
    if (outcome.asked) waitsFor = 'answer';
    if (outcome.planned) waitsFor = 'approval';
  }
  if (finished) spent.unfinished = false;
  return finished ? 'publish' : (waitsFor ?? 'again');
}

/**
 * The model stopped without `finish` and `ask`: an answer, a part of one, or edits that it may
 * consider done.
 */
async function settle(
  { job, activities, limits, spent }: Turn,
  { stopReason, stoppedBy }: ModelReply,
): Promise<Settled['next']> {
  const settled = await activities.store.settleTurn.executeWithOptions({ summary: stopReason }, [
    {
      ...position(job),
      stopReason,
      ...(stoppedBy !== undefined && { stoppedBy }),
      wasAsked: spent.wasAsked,
      repairRoundsLeft: repairRoundsLeft(spent, limits),
    },
  ]);
  move(job, settled);
  spent.wasAsked ||= settled.asked === true;
  spent.unfinished = settled.unfinished === true;
  if (settled.next === 'again' && stopReason === 'end_turn' && !settled.asked)
    spent.repairRounds += 1;
  return settled.next;
}
