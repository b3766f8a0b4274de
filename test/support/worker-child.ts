// A worker in a process of its own that kills itself (SIGKILL) once, at the point that KILL_AT names: "<activity type>:<moment>".
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { existsSync, writeFileSync } from 'node:fs';
import { createJobActivities } from '../../activities/index.ts';
import type { RepositoryHost } from '../../activities/hosts/host.ts';
import { type Config, readConfig } from '../../shared/config.ts';
import { createLogger } from '../../shared/logger.ts';
import { openDeps } from '../../worker/deps.ts';
import { createWorker } from '../../worker/worker.ts';

/** `before`: nothing done yet; `effect`: the remote host has it, our rows do not; `after`: all done, Temporal does not know. */
export type Moment = 'before' | 'effect' | 'after';

const [type = '', moment = ''] = (process.env.KILL_AT ?? '').split(':');
const marker = process.env.KILL_MARKER ?? '';
const config = readConfig(process.env) as Config & { DATABASE_URL: string };

Runtime.install({ logger: new DefaultLogger('ERROR') });

const die = (): void => {
  if (existsSync(marker)) return;
  writeFileSync(marker, 'killed');
  process.kill(process.pid, 'SIGKILL');
};

const { deps, connection } = await openDeps({ config, temporal: { address: process.env.TEMPORAL_ADDRESS ?? '' }, logger: createLogger('silent') });
const EFFECTS: Record<string, keyof RepositoryHost> = { push: 'push', openPullRequest: 'openPullRequest' };
const { hostFor } = deps;
deps.hostFor = address => new Proxy(hostFor(address), {
  get(host, name) {
    const member = Reflect.get(host, name) as unknown;
    if (typeof member !== 'function') return member;
    return async (...args: unknown[]): Promise<unknown> => {
      const result: unknown = await Reflect.apply(member, host, args);
      if (moment === 'effect' && EFFECTS[type] === name) die();
      return result;
    };
  },
});
const activities = Object.fromEntries(Object.entries(createJobActivities(deps)).map(([name, run]) => [name, async (input: never) => {
  if (name === type && moment === 'before') die();
  const result: unknown = await run(input);
  if (name === type && moment === 'after') die();
  return result;
}]));
const worker = await createWorker({ config, connection, bundlePath: process.env.BUNDLE_PATH ?? '', activities });
process.send?.('ready');
await worker.run();
