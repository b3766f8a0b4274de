import { Context } from '@temporalio/activity';
import type { ActivityDeps } from '../agent/deps.ts';
import { once } from './once.ts';
import { instructionsToBegin } from '../db/jobs/instructions.ts';
import type { Begun } from '../shared/jobs/activity-types.ts';

/**
 * The job's first activity: turns a row that waits for its workflow into a live one, or reports
 * that it was given up.
 */
export function createBeginJob(deps: ActivityDeps) {
  return async function beginJob(input: { jobId: string; key?: string }): Promise<Begun> {
    return once<Omit<Begun, 'at'>>(
      deps,
      {
        ...input,
        turn: 1,
        step: 0,
        transcriptHead: null,
        workspaceHead: null,
        continuedFrom: null,
      },
      async (tx, row) => {
        if (row.state === 'given_up') {
          Context.current().log.warn('the row was given up before the workflow began', {
            jobId: input.jobId,
          });
          return { result: { proceed: false, queue: [], branch: row.branch } };
        }
        const queue = (await instructionsToBegin(tx, input.jobId)).map(messageId => ({
          messageId,
        }));
        return {
          result: { proceed: true, queue, branch: row.branch },
          change: { state: 'active', requestedModel: row.requestedModel ?? row.model },
          events: [{ type: 'status', status: 'active', turn: 1 }],
        };
      },
    );
  };
}
