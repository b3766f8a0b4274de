#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { checkFolder } from './check-folder.ts';
import { type CheckOptions, withCheckOptions } from './check-options.ts';
import { shown } from './formats/shown.ts';

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'),
) as { version: string };

// A reader that has seen enough, such as `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const program = withCheckOptions(new Command('docent-check'), 'docent-check')
  .version(version)
  .showHelpAfterError('(see --help for the options)')
  .exitOverride()
  .action(async (folder: string, options: CheckOptions) => {
    const { exitCode, message } = await checkFolder(folder, options, { version });
    if (message !== '') console.error(message);
    process.exitCode = exitCode;
  });

try {
  await program.parseAsync();
} catch (error) {
  const isUsage = error instanceof CommanderError;
  // 1 would say that the docs have errors.
  process.exitCode = isUsage && error.exitCode === 0 ? 0 : 2;
  if (!isUsage) console.error(shown(`The check failed: ${String(error)}`));
}
