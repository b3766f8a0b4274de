import { Context } from '@temporalio/activity';
import type { ActivityDeps } from '../agent/deps.ts';
import { addConvention } from '../agent/conventions/add-convention.ts';
import { withoutSecrets } from '../agent/model/without-secrets.ts';
import { readTranscript } from '../db/jobs/transcript.ts';
import type { ModelReply, Position } from '../shared/jobs/activity-types.ts';
import { refuseOverMonthlyCost } from './monthly-cost.ts';
import { openActivity } from './open-activity.ts';
import { paidCall } from './paid-call.ts';
import { recordReply } from './record-reply.ts';
import { storedAgain } from './stored-again.ts';

/**
 * One model call: the transcript goes out, the answer comes back as a new entry. A finished call is
 * never made again: a retry finds its entry.
 */
export function createCallModel(deps: ActivityDeps) {
  return async function callModel(input: Position): Promise<ModelReply> {
    const signal = Context.current().cancellationSignal;
    const [opened, transcript] = await Promise.all([
      openActivity<ModelReply>(deps, input),
      readTranscript(deps.pool, input.transcriptHead),
    ]);
    if (opened.stored) return opened.stored;
    const { project } = opened;
    // What a person approved word by word needs no model.
    if (project.convention !== null && input.turn === 1 && input.step === 1)
      return recordReply(deps, input, await addConvention(deps, project, input, signal));
    await refuseOverMonthlyCost(deps, project);
    const reply = await paidCall(deps, input, { project, transcript });
    return storedAgain(async () => {
      const content = await withoutSecrets(deps, project, input, reply.content, signal);
      return recordReply(deps, input, { ...reply, content });
    });
  };
}
