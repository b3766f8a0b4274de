import { resolve } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../../shared/text/counted.ts';
import { VERSION } from '../../../shared/version.ts';
import { type Env, localConfig } from '../../connect/settings.ts';
import { print } from '../../output/terminal.ts';

/** `docent backup`: all that `docent start` keeps, while jobs run. */
export function registerBackup(program: Command, env: Env): void {
  program
    .command('backup <folder>')
    .description('copy everything that "docent start" keeps into a new folder, while jobs run')
    .action(async (folder: string) => {
      const { backUp } = await import('../../backup/back-up.ts');
      const { manifest, stoodStillMs, damaged } = await backUp(
        localConfig(env),
        resolve(folder),
        VERSION,
      );
      print(
        `${counted(manifest.files, 'file')} in ${folder}. ` +
          `What was acknowledged before ${manifest.mark} is in it.`,
      );
      if (stoodStillMs > 0) print(`Temporal stood still for ${stoodStillMs} ms.`);
      for (const name of damaged)
        print(`Warning: the repository ${name} lacks objects, here and in the backup: git fsck.`);
      print('It contains password hashes, prompts and pages: keep it as safe as the data folder.');
    });
}
