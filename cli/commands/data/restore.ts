import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Env, localConfig } from '../../connect/settings.ts';
import { print } from '../../output/terminal.ts';

/** `docent restore`: a data folder from a backup. */
export function registerRestore(program: Command, env: Env): void {
  program
    .command('restore <folder>')
    .description('fill an empty data folder from a backup')
    .action(async (folder: string) => {
      const { restore } = await import('../../backup/restore.ts');
      const config = localConfig(env);
      const { mark } = await restore(config, resolve(folder));
      print(`${config.DATA_DIR} is as of ${mark}.`);
      print('Next: "docent start", then "docent reconcile" in another terminal.');
    });
}
