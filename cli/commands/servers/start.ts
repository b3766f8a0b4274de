import type { Command } from 'commander';
import { unknownSettings } from '../../../shared/unknown-settings.ts';
import { EXIT } from '../../output/failure.ts';
import { printBanner } from '../../output/banner.ts';
import { lockDataFolder } from '../../stack/running.ts';
import { endStart, sayWhatStops, unlessStopped, untilStopped } from '../../stack/stop-signals.ts';
import { type Env, localConfig } from '../../connect/settings.ts';

/** `docent start`: everything on one machine. */
export function registerStart(program: Command, env: Env): void {
  program
    .command('start')
    .description('run everything on this machine: Postgres, Temporal, API and worker')
    .action(async () => {
      const began = Date.now();
      const stopped = untilStopped();
      const config = localConfig(env);
      for (const sentence of unknownSettings(env)) console.error(sentence);
      const lock = await lockDataFolder(config.DATA_DIR);
      const { startStack } = await import('../../stack/start-stack.ts'); // slow to load
      const stack = await unlessStopped(
        stopped,
        startStack(config, lock, env, sentence => console.error(sentence)),
        () => endStart().finally(lock.release),
      );
      printBanner(stack, Date.now() - began);
      await stopped;
      await sayWhatStops(stack.activeJobs);
      await stack.stop();
      // A connection that met the death of Temporal would keep the process for another minute.
      process.exit(EXIT.ok);
    });
}
