import type { Context } from '@temporalio/activity';
import { setMaxListeners } from 'node:events';
import type {
  ActivityExecuteInput,
  ActivityInboundCallsInterceptor,
  Next,
} from '@temporalio/worker';
import { toFailure } from '../activities/failures.ts';
import { beatAgain } from '../activities/progress.ts';

/**
 * Around every activity: beats at an interval (a model that thinks emits nothing for minutes, and
 * cancellation arrives with a beat's answer), and turns what is thrown into a failure of our table.
 * The full error goes to the log.
 */
export function activityInterceptor(context: Context): {
  inbound: ActivityInboundCallsInterceptor;
} {
  return {
    inbound: {
      async execute(
        input: ActivityExecuteInput,
        next: Next<ActivityInboundCallsInterceptor, 'execute'>,
      ): Promise<unknown> {
        const timeout = context.info.heartbeatTimeoutMs ?? 0;
        // Everything that an activity waits for listens to its one signal; a dozen at once is not
        // a leak.
        setMaxListeners(0, context.cancellationSignal);
        const beat =
          timeout > 0
            ? setInterval(() => beatAgain(context), Math.max(250, timeout / 3))
            : undefined;
        try {
          return await next(input);
        } catch (error) {
          const failure = toFailure(error);
          if (failure !== error) context.log.error('activity failed', { error });
          failure.stack = ''; // it would be in the history, with the paths of this machine
          throw failure;
        } finally {
          clearInterval(beat);
        }
      },
    },
  };
}
