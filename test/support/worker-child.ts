// A worker in a process of its own that kills itself (SIGKILL) once at each point that KILL_AT
// names: "<activity type>:<moment>", comma-separated. KILL_MARKER is a folder with a file for each
// point that was reached. LOSE_AT: activity types whose first success fails on its way to Temporal,
// which is what a death after it comes to, without the wait for a time-out. STANDBY: waits for a word
// of its parent before it takes work. ASK_AT: an activity type that waits for the parent's word
// before each attempt.
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAutomationActivities } from '../../activities/automation-run.ts';
import { standingJob, startRunTurn } from '../../jobs/automations/start-turn.ts';
import { createJobActivities } from '../../activities/index.ts';
import type { RepositoryHost } from '../../hosts/host.ts';
import { type Config, readConfig } from '../../shared/config.ts';
import { createLogger } from '../../shared/logger.ts';
import { openDeps } from '../../worker/deps.ts';
import { createWorker } from '../../worker/worker.ts';

/**
 * `before`: nothing done yet; `effect`: the remote host has it, our rows do not; `after`: all done,
 * Temporal does not know.
 */
export type Moment = 'before' | 'effect' | 'after';

const points = new Set((process.env.KILL_AT ?? '').split(','));
const losing = new Set((process.env.LOSE_AT ?? '').split(','));
const marker = process.env.KILL_MARKER ?? '';
const config = readConfig(process.env) as Config & { DATABASE_URL: string };

Runtime.install({ logger: new DefaultLogger('ERROR') });

/** Whether it is the first time, in any of the processes. */
const isFirst = (point: string): boolean => {
  if (existsSync(join(marker, point))) return false;
  mkdirSync(marker, { recursive: true });
  writeFileSync(join(marker, point), '');
  return true;
};

const dieAt = (type: string, moment: Moment): void => {
  const point = `${type}:${moment}`;
  if (points.has(point) && isFirst(point)) process.kill(process.pid, 'SIGKILL');
};

/** Of our table, so that it is not logged. */
const answerLost = () => ApplicationFailure.retryable('The answer was lost.', 'internal');

const { deps, connection, client } = await openDeps({
  config,
  temporal: { address: process.env.TEMPORAL_ADDRESS ?? '' },
  logger: createLogger('silent'),
});
const EFFECTS: readonly (keyof RepositoryHost)[] = ['push', 'openPullRequest'];
const { hostFor } = deps;
deps.hostFor = address =>
  new Proxy(hostFor(address), {
    get(host, name) {
      const member = Reflect.get(host, name) as unknown;
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]): Promise<unknown> => {
        const result: unknown = await Reflect.apply(member, host, args);
        if (EFFECTS.includes(name as keyof RepositoryHost)) dieAt(String(name), 'effect');
        return result;
      };
    },
  });
const activities = Object.fromEntries(
  Object.entries(registered()).map(([name, run]) => [
    name,
    async (input: never) => {
      if (name === process.env.ASK_AT) await ask(name);
      dieAt(name, 'before');
      const result: unknown = await (run as (input: never) => Promise<unknown>)(input);
      dieAt(name, 'after');
      if (losing.has(name) && isFirst(`${name}:lost`)) throw answerLost();
      return result;
    },
  ]),
);
/** AUTOMATIONS: those of automations, too. */
function registered(): object {
  const jobs = createJobActivities(deps);
  if (!process.env.AUTOMATIONS) return jobs;
  const automations = { config, pool: deps.pool, temporal: client };
  return {
    ...jobs,
    ...createAutomationActivities({
      ...deps,
      startRunTurn: turn => startRunTurn(automations, turn),
      standingJob: id => standingJob(deps.pool, id),
    }),
  };
}

const worker = await createWorker({
  config,
  connection,
  bundlePath: process.env.BUNDLE_PATH ?? '',
  activities,
});
process.send?.(Object.keys(activities));
if (process.env.STANDBY) await once(process, 'message');
await worker.run();

async function ask(question: string): Promise<void> {
  process.send?.(question);
  await once(process, 'message');
}
