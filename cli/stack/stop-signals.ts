import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../shared/logger.ts';
import { endChildren } from '../embedded/child.ts';
import { CommandFailure } from '../output/failure.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-C reaches npm and us, and npm passes it on: within this time it is the same one. */
const SAME_SIGNAL_MS = 500;
const PATIENCE_MS = 10_000;
/** How long the sentence about a stop waits for what it says. */
const LOOK_MS = 500;

export type Stopped = Promise<NodeJS.Signals>;

/**
 * From now on a signal to stop is ours: resolves with the first one. A second one ends the process
 * as soon as its children have ended, without waiting for anything else. To be called before
 * anything is started: as the first process of a container, we would not even notice a signal.
 */
export async function untilStopped(say: (sentence: string) => void = print): Stopped {
  return await new Promise(resolve => {
    let first = 0;
    for (const signal of SIGNALS)
      process.on(signal, () => {
        if (first === 0) {
          first = Date.now();
          resolve(signal);
        } else if (Date.now() - first > SAME_SIGNAL_MS) {
          say('Stopping at once.');
          void endChildren().finally(() => process.exit(1));
        }
      });
  });
}

/**
 * What `work` returns, unless a signal comes before: then ends the children that it has started,
 * and the process after `leave`.
 */
export async function unlessStopped<T>(
  stopped: Stopped,
  work: Promise<T>,
  leave: () => Promise<unknown> = endStart,
): Promise<T> {
  let isOver = false;
  const left = stopped.then(async signal => {
    if (isOver) return await new Promise<never>(() => undefined);
    isOver = true;
    print('Stopping …');
    await leave();
    process.exit(128 + constants.signals[signal]);
  });
  try {
    return await Promise.race([work, left]);
  } catch (error) {
    if (isOver) await left; // it has failed because we end it
    throw error;
  } finally {
    isOver = true;
  }
}

/** Ends what has started, in order, before everything has. */
export async function endStart(): Promise<void> {
  await endChildren(PATIENCE_MS);
}

/** Says at once what a stop waits for, and what becomes of jobs. */
export async function sayWhatStops(activeJobs: () => Promise<number>): Promise<void> {
  const jobs = await Promise.race([activeJobs(), delay(LOOK_MS, 0)]).catch(() => 0);
  const count = jobs === 1 ? '1 job continues' : `${jobs} jobs continue`;
  const what = jobs === 0 ? ' …' : `: ${count} at the next start.`;
  print(`Stopping${what} Ctrl-C again stops at once.`);
}

export interface Server {
  /** Settles when it ends by itself. */
  failed?: Promise<Error>;
  stop(): Promise<void>;
  logger: Pick<Logger, 'info'>;
  /** What a stop waits for: ends the sentence "Stopping: …". */
  waitsFor: string;
}

/** Runs the API or a worker until a signal, or until it fails: then throws `CommandFailure`. */
export async function runUntilStopped(start: () => Promise<Server>): Promise<void> {
  let server: Server | undefined;
  const say = (sentence: string) => (server ? server.logger.info(sentence) : print(sentence));
  const stopped = untilStopped(say);
  server = await unlessStopped(stopped, start());
  const signalled = stopped.then(() => undefined);
  const reason = await Promise.race([signalled, server.failed ?? signalled]);
  if (!reason) say(`Stopping: ${server.waitsFor}. A second signal stops at once.`);
  await server.stop();
  if (reason) throw new CommandFailure(reason.message);
}

/** On a line of its own: the terminal shows ^C. */
function print(sentence: string): void {
  console.error(`\n${sentence}`);
}
