import { type Command, InvalidArgumentError } from 'commander';
import { OPERATOR, recordAudit } from '../../db/audit/audit-log.ts';
import {
  claimInstallation,
  listInstallations,
  releaseInstallation,
} from '../../db/github/installations.ts';
import { type Transaction, transaction } from '../../db/pool.ts';
import { appOf } from '../../hosts/github/open.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { organizationNamed, organizationToBeginWith } from '../project/lookup.ts';
import { type Env, withDatabase } from '../connect/settings.ts';
import { print, printTable } from '../output/terminal.ts';
import { type ForOrganization, ORGANIZATION } from './flags.ts';

/**
 * `docent github …`: which installation of the GitHub App belongs to which organization, directly
 * in the database. Access to the database is proof enough.
 */
export function registerGitHub(program: Command, env: Env): void {
  const github = program
    .command('github')
    .description('connect installations of the GitHub App to organizations');

  github
    .command('connect')
    .argument('<installation>', "its number, the end of its address in GitHub's settings", integer)
    .description('give an installation to an organization')
    .addOption(ORGANIZATION)
    .action((id: number, options: ForOrganization) => connect(env, id, options.organization));

  github
    .command('list')
    .description("list an organization's installations")
    .addOption(ORGANIZATION)
    .action((options: ForOrganization) => list(env, options.organization));

  github
    .command('disconnect')
    .argument('<installation>', 'its number', integer)
    .description('remove an installation from an organization; jobs that need it fail from then on')
    .addOption(ORGANIZATION)
    .action(async (id: number, options: ForOrganization) => {
      await withDatabase(env, async pool => {
        const owner = await organizationNamed(pool, options.organization);
        await transaction(pool, async tx => {
          const account = await releaseInstallation(tx, owner.id, id);
          if (account === undefined)
            throw new CommandFailure(`${owner.slug} has no installation ${id}.`, EXIT.notFound);
          await recordInstallation(tx, owner.id, 'host.disconnected', { id, account });
        });
        print(`Installation ${id} is disconnected from ${owner.slug}.`);
      });
    });
}

async function connect(env: Env, id: number, organization: string | undefined): Promise<void> {
  await withDatabase(env, async (pool, config) => {
    const app = appOf(config, pool);
    if (!app)
      throw new CommandFailure(
        'Set GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY first; ' +
          'a GITHUB_TOKEN needs no connecting.',
        EXIT.usage,
      );
    const owner = await organizationToBeginWith(pool, organization);
    const found = await app.findInstallation(id);
    if (!found)
      throw new CommandFailure(
        `The App has no installation ${id}: ` +
          "its number is the end of its address in GitHub's settings.",
      );
    const { account } = found;
    await transaction(pool, async tx => {
      if (!(await claimInstallation(tx, { id, organizationId: owner.id, account })))
        throw new CommandFailure(
          `Installation ${id} belongs to another organization: disconnect it there first.`,
        );
      await recordInstallation(tx, owner.id, 'host.connected', { id, account });
    });
    print(`Installation ${id} (${account}) belongs to ${owner.slug}.`);
  });
}

async function recordInstallation(
  tx: Transaction,
  organizationId: string,
  action: 'host.connected' | 'host.disconnected',
  { id, account }: { id: number; account: string },
): Promise<void> {
  const subject = { kind: 'installation', id: String(id), name: account };
  const details = { host: 'github' };
  await recordAudit(tx, organizationId, { action, actor: OPERATOR, subject, details });
}

async function list(env: Env, organization: string | undefined): Promise<void> {
  await withDatabase(env, async pool => {
    const { id } = await organizationNamed(pool, organization);
    const found = await listInstallations(pool, id);
    printTable(
      ['installation', 'account', 'connected'],
      found.map(each => [String(each.id), each.account, each.createdAt.toISOString().slice(0, 10)]),
    );
  });
}

function integer(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}
