import { resolve } from 'node:path';
import type { Command } from 'commander';
import { VERSION } from '../../shared/version.ts';
import { checkFolder } from '../../sites/command/check-folder.ts';
import { type CheckOptions, withCheckOptions } from '../../sites/command/check-options.ts';
import { proseFindings } from '../check/prose.ts';
import type { Env } from '../connect/settings.ts';
import { CommandFailure } from '../output/failure.ts';

/** `docent check`: what is broken on a docs site, with no server, database or key. */
export function registerCheck(program: Command, env: Env): void {
  withCheckOptions(program.command('check'), 'docent check')
    .option('--no-prose', 'leave out the rules of .vale.ini')
    .action(async (folder: string, options: CheckOptions & { prose: boolean }) => {
      const { exitCode, message } = await checkFolder(folder, options, {
        version: VERSION,
        findMore: async (source, site) =>
          options.prose ? proseFindings(resolve(folder), source, site, env['VALE_PATH']) : [],
      });
      if (exitCode !== 0) throw new CommandFailure(message, exitCode);
      if (message !== '') process.stderr.write(`${message}\n`);
    });
}
