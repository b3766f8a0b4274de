#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { checkFolder, type CheckOptions, withCheckOptions } from './check-folder.ts';

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'),
) as { version: string };

// A reader that has seen enough, such as `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const program = withCheckOptions(new Command('docent-check'))
  .version(version)
  .showHelpAfterError('(see --help for the options)')
  .exitOverride()
  .action(async (folder: string, options: CheckOptions) => {
    const failure = await checkFolder(folder, options);
    if (failure === undefined) return;
    if (failure !== '') console.error(failure);
    process.exitCode = 1;
  });

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
