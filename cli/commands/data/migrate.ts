import type { Command } from 'commander';
import { unknownSettings } from '../../../shared/unknown-settings.ts';
import { type Env, withDatabase } from '../../connect/settings.ts';
import { print } from '../../output/terminal.ts';

/** `docent migrate`: the database's tables. */
export function registerMigrate(program: Command, env: Env): void {
  program
    .command('migrate')
    .description('apply database migrations')
    .action(async () => {
      for (const sentence of unknownSettings(env)) console.error(sentence);
      const { migrate } = await import('../../../db/migrate.ts');
      const applied = await withDatabase(env, pool => migrate(pool));
      print(
        applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`,
      );
    });
}
