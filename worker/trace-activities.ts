import type { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { traced, traceIdOfTurn } from '../shared/traces/tracing.ts';

/** A span for each attempt of an activity, in the trace of its job's turn. */
export function traceActivities({ info }: Context): { inbound: ActivityInboundCallsInterceptor } {
  return {
    inbound: {
      async execute(input, next) {
        const job = positionOf(input.args[0]);
        return traced(
          {
            name: `activity ${info.activityType}`,
            kind: 'internal',
            attributes: {
              'temporal.activity_type': info.activityType,
              'docent.attempt': info.attempt,
              ...(job && {
                'gen_ai.conversation.id': job.jobId,
                'docent.turn': job.turn,
                'docent.step': job.step,
              }),
            },
            ...(job && { traceId: traceIdOfTurn(job.jobId, job.turn) }),
          },
          () => next(input),
        );
      },
    },
  };
}

/** Undefined for activities of no job, such as indexing. */
function positionOf(input: unknown): { jobId: string; turn: number; step: number } | undefined {
  const { jobId, turn, step } = (input ?? {}) as Record<string, unknown>;
  if (typeof jobId !== 'string' || typeof turn !== 'number' || typeof step !== 'number')
    return undefined;
  return { jobId, turn, step };
}
