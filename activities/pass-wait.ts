import type { ActivityDeps } from '../agent/deps.ts';
import { waitingInstructions } from '../db/jobs/instructions.ts';
import type { WaitInput, WaitOutcome } from '../shared/jobs/activity-types.ts';
import type { WaitingFor } from '../shared/jobs/waiting.ts';
import { once } from './once.ts';

const NOBODY: Record<WaitingFor, string> = {
  approval: 'Nobody approved this in time, so it was not carried out.',
  answer: 'Nobody answered in time.',
  budget: 'Nobody raised the budget in time.',
};

/**
 * Reminds of an idle job that waits for a person, or ends its wait, unless a person has answered
 * meanwhile: the row is locked, as it is for them.
 */
export function createPassWait(deps: ActivityDeps) {
  return async function passWait(input: WaitInput): Promise<WaitOutcome> {
    const { jobId, waitingFor, ends, turn } = input;
    return once<Omit<WaitOutcome, 'at'>>(deps, input, async (tx, row) => {
      if ((await waitingInstructions(tx, jobId)).length > 0) return { result: { isOver: false } };
      if (!ends)
        return {
          result: { isOver: false },
          events: [{ type: 'waiting', waitingFor, state: 'reminded', turn }],
        };
      const messageToUser = [
        row.messageToUser,
        `${NOBODY[waitingFor]} A further instruction continues from here.`,
      ]
        .filter(Boolean)
        .join('\n\n');
      return {
        result: { isOver: true, messageToUser },
        change: { waitingFor: null, messageToUser },
        events: [{ type: 'waiting', waitingFor, state: 'ended', turn }],
      };
    });
  };
}
