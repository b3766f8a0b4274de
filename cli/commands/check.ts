import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  checkFolder,
  type CheckOptions,
  withCheckOptions,
} from '../../sites/command/check-folder.ts';
import { proseFindings } from '../check/prose.ts';
import type { Env } from '../connect/settings.ts';
import { CommandFailure } from '../output/failure.ts';

/** `docent check`: what is broken on a docs site, with no server, database or key. */
export function registerCheck(program: Command, env: Env): void {
  withCheckOptions(program.command('check'))
    .option('--no-prose', 'leave out the rules of .vale.ini')
    .action(async (folder: string, options: CheckOptions & { prose: boolean }) => {
      const failure = await checkFolder(folder, options, async (source, site) =>
        options.prose ? proseFindings(resolve(folder), source, site, env['VALE_PATH']) : [],
      );
      if (failure !== undefined) throw new CommandFailure(failure);
    });
}
