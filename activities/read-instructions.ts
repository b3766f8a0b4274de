import type { JobEvent } from '../shared/jobs/job.ts';
import type { ActivityDeps } from './deps.ts';
import { once } from './once.ts';
import {
  storeWaiting,
  takeInstructions,
  waitingInstructions,
} from '../shared/db/jobs/instructions.ts';
import { appendEntry } from '../shared/db/jobs/transcript.ts';
import type { ReadInput, ReadOutcome, Stamp } from './types.ts';

/**
 * Brings instructions into the transcript, in the order in which they came, and marks them as
 * taken.
 */
export function createReadInstructions(deps: ActivityDeps) {
  return async function readInstructions(input: ReadInput): Promise<ReadOutcome> {
    return once<Omit<ReadOutcome, 'at'>>(deps, input, async (tx, row) => {
      await storeWaiting(tx, input.jobId, input.instructions);
      const instructions = await takeInstructions(
        tx,
        input.jobId,
        input.instructions.map(item => item.messageId),
        'taken',
        input.turn,
      );
      if (instructions.length === 0 && input.restsAs) {
        const rests =
          (await waitingInstructions(tx, input.jobId)).length > 0 ? 'active' : input.restsAs;
        return {
          result: {
            transcriptHead: input.transcriptHead,
            workspaceHead: input.workspaceHead,
            rests,
          },
          change: { state: rests },
        };
      }
      let head = input.transcriptHead;
      for (const instruction of instructions) {
        if (instruction.role === 'system') continue; // part of the turn's system prompt: see prepare
        const kind = instruction.role === 'assistant' ? 'assistant' : 'user';
        head = await appendEntry(tx, {
          jobId: input.jobId,
          parent: head,
          kind,
          turn: input.turn,
          step: input.step,
          content: [{ type: 'text', text: instruction.prompt }],
          meta: { messageId: instruction.messageId },
        });
      }
      const told: JobEvent[] = instructions.map(({ messageId, prompt }) => ({
        type: 'instruction',
        messageId,
        prompt,
        turn: input.turn,
      }));
      const resumed: JobEvent[] =
        row.state !== 'active' || (input.step === 0 && input.turn > 1)
          ? [{ type: 'status', status: 'active', turn: input.turn }]
          : [];
      return {
        result: { transcriptHead: head, workspaceHead: input.workspaceHead },
        change: {
          state: 'active',
          transcriptHead: head,
          turns: input.turn,
          finishedAt: null,
          archivedAt: null,
        },
        events: [...resumed, ...told],
      };
    });
  };
}

/** Stores what waits, so that only ids need to travel into the next run. */
export function createStoreInstructions(deps: ActivityDeps) {
  return async function storeInstructions(input: ReadInput): Promise<{ at: Stamp }> {
    return once(deps, input, async tx => {
      await storeWaiting(tx, input.jobId, input.instructions);
      return { result: {} };
    });
  };
}
