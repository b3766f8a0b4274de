import type { Command } from 'commander';
import { counted } from '../../shared/text/counted.ts';
import { type Env, withDatabase } from '../connect/settings.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { print } from '../output/terminal.ts';
import { indexNow } from '../project/indexing.ts';
import { findProjectByName, organizationNamed } from '../project/lookup.ts';
import { type ForOrganization, ORGANIZATION } from './flags.ts';

/** `docent index`: a site's search index, through a worker. */
export function registerIndex(program: Command, env: Env): void {
  program
    .command('index <project>')
    .description("index a site's newest commit for search, and wait until it is done")
    .addOption(ORGANIZATION)
    .action(async (name: string, options: ForOrganization) => {
      await withDatabase(env, async (pool, config) => {
        const owner = await organizationNamed(pool, options.organization);
        const report = await indexNow(pool, config, await findProjectByName(pool, owner.id, name));
        if (!report)
          throw new CommandFailure(`${name} was removed in the meantime.`, EXIT.notFound);
        print(
          `${counted(report.pages, 'page')} at ${report.commit.slice(0, 7)}, ` +
            `${report.built} of them new or changed.`,
        );
      });
    });
}
