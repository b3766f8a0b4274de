import { type BaseLogger, type DestinationStream, type Logger, pino } from 'pino';
import { redact } from './secrets/redact.ts';
import { currentTracer } from './traces/tracing.ts';

export type { Logger } from 'pino';
/** What a module logs with that does not own the logger. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

/**
 * Members that contain credentials wherever they appear: request headers, Temporal's task tokens,
 * our own settings.
 */
const SECRET_MEMBERS = ['authorization', 'cookie', 'taskToken', 'apiKey', 'password', 'token'];

/**
 * A process's logger: one JSON object per line, on stdout unless `destination` says otherwise.
 * Credentials are masked in every line, also inside messages and stack traces.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: SECRET_MEMBERS.flatMap(name => [name, `*.${name}`, `*.*.${name}`]),
        censor: '…',
      },
      hooks: { streamWrite: redact },
      mixin: () => {
        const traceId = currentTracer()?.currentTraceId();
        return traceId === undefined ? {} : { traceId };
      },
    },
    destination ?? pino.destination(1),
  );
}
