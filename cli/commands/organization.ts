import type { Command } from 'commander';
import { NewOrganization, NewSlug } from '../../api/dashboard/contract/organizations.ts';
import { summarizeOrganizations } from '../../db/people/organizations.ts';
import { transaction } from '../../db/pool.ts';
import { type Env, withDatabase } from '../connect/settings.ts';
import { createRecordedOrganization } from '../operator-acts.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { print, printTable } from '../output/terminal.ts';
import { checkFlag } from './flags.ts';

/** `docent organization …`: the tenants of the installation, directly in the database. */
export function registerOrganization(program: Command, env: Env): void {
  const organization = program
    .command('organization')
    .description('create and list organizations: each has its own people, projects and keys');

  organization
    .command('create <slug>')
    .description('create an organization; the slug is in the addresses of its pages')
    .option('--name <name>', 'display name (default: the slug)')
    .action(async (slug: string, { name = slug }: { name?: string }) => {
      await withDatabase(env, async pool => {
        checkFlag('The slug', NewSlug, slug);
        checkFlag('--name', NewOrganization.properties.name, name);
        const made = await transaction(pool, tx =>
          createRecordedOrganization(tx, { slug, name: name.trim() }),
        ).catch((error: { code?: string }) => {
          if (error.code !== '23505') throw error;
          throw new CommandFailure(`The organization ${slug} exists already.`, EXIT.usage);
        });
        print(`${made.id}  ${slug}`);
        print(`Its first owner: npx docent user invite EMAIL --role owner --organization ${slug}`);
      });
    });

  organization
    .command('list')
    .description('list the organizations, oldest first')
    .action(async () => {
      await withDatabase(env, async pool => {
        printTable(
          ['id', 'slug', 'name', 'members', 'projects'],
          (await summarizeOrganizations(pool)).map(each => [
            each.id,
            each.slug,
            each.name,
            String(each.members),
            String(each.projects),
          ]),
        );
      });
    });
}
