import { type Command, Option } from 'commander';
import { publicUrl } from '../../shared/config.ts';
import type { Role } from '../../shared/dashboard/people.ts';
import { invitationLink, resetLink, setupLink } from '../../shared/dashboard/links.ts';
import {
  createInvitation,
  createResetLink,
  createSetupLink,
} from '../../shared/db/people/invitations.ts';
import { transaction } from '../../shared/db/pool.ts';
import { deleteUser, findUserByEmail, listMembers } from '../../shared/db/people/users.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { organizationNamed, organizationToBeginWith } from '../project/lookup.ts';
import { type Env, withDatabase } from '../connect/settings.ts';
import { print, printTable } from '../output/terminal.ts';

/**
 * `docent user …`: who may sign in to the dashboard, straight in the database. Links are printed
 * once.
 */
export function registerUser(program: Command, env: Env): void {
  const user = program.command('user').description('who may sign in to the dashboard');
  const organization = new Option('--organization <slug>', 'needed where there are several');

  user
    .command('setup')
    .description('print the one-time link that makes the first owner')
    .addOption(organization)
    .action(async (options: { organization?: string }) => {
      await withDatabase(env, async (pool, config) => {
        const owner = await organizationToBeginWith(pool, options.organization);
        const made = await transaction(pool, tx => createSetupLink(tx, owner.id));
        if (!made)
          throw new CommandFailure(
            'Somebody can sign in already: "docent user invite" adds others, "docent user link" lets somebody back in.',
            EXIT.usage,
          );
        print(setupLink(publicUrl(config), made.token));
      });
    });

  user
    .command('list')
    .description('list the members of an organization')
    .addOption(organization)
    .action(async (options: { organization?: string }) => {
      await withDatabase(env, async pool => {
        const members = await listMembers(
          pool,
          (await organizationNamed(pool, options.organization)).id,
        );
        printTable(
          ['e-mail', 'name', 'role', 'last seen'],
          members.map(each => [
            each.email,
            each.name,
            each.role,
            each.lastSeenAt?.toISOString() ?? 'never',
          ]),
        );
      });
    });

  user
    .command('invite <email>')
    .description('print a link with which somebody joins; it is good for 7 days')
    .addOption(organization)
    .addOption(
      new Option('--role <role>', 'viewers read, members start jobs, owners manage')
        .choices(['viewer', 'member', 'owner'])
        .default('member'),
    )
    .action(async (email: string, options: { organization?: string; role: Role }) => {
      await withDatabase(env, async (pool, config) => {
        if (!/^[^\s@]+@[^\s@]+$/.test(email))
          throw new CommandFailure(`"${email}" is no e-mail address.`, EXIT.usage);
        const { id: organizationId } = await organizationNamed(pool, options.organization);
        const { token } = await transaction(pool, tx =>
          createInvitation(tx, { organizationId, email, role: options.role }),
        );
        print(invitationLink(publicUrl(config), token));
      });
    });

  user
    .command('link <email>')
    .description(
      'print a one-time link with which somebody sets a new password; it is good for an hour',
    )
    .action(async (email: string) => {
      await withDatabase(env, async (pool, config) => {
        const found = await findUserByEmail(pool, email);
        if (!found) throw new CommandFailure(`Nobody signs in as ${email}.`, EXIT.notFound);
        print(resetLink(publicUrl(config), (await createResetLink(pool, found.id)).token));
      });
    });

  user
    .command('remove <email>')
    .description('remove an account; its sessions end at once')
    .action(async (email: string) => {
      await withDatabase(env, async pool => {
        if (!(await deleteUser(pool, email)))
          throw new CommandFailure(`Nobody signs in as ${email}.`, EXIT.notFound);
        print(`${email} is removed.`);
      });
    });
}
