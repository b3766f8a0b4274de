import { type Command, Option } from 'commander';
import { publicUrl } from '../../shared/config.ts';
import type { Role } from '../../api/dashboard/contract/people.ts';
import { invitationLink, resetLink, setupLink } from '../../shared/links.ts';
import { OPERATOR, recordAudit, recordAuditOfUser } from '../../db/audit/audit-log.ts';
import { createInvitation, createResetLink } from '../../db/people/invitations.ts';
import { deleteUser, findUserByEmail, listMembers } from '../../db/people/users.ts';
import { transaction } from '../../db/pool.ts';
import { type Env, withDatabase } from '../connect/settings.ts';
import { createRecordedSetupLink } from '../operator-acts.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { print, printTable } from '../output/terminal.ts';
import { organizationNamed, organizationToBeginWith } from '../project/lookup.ts';
import { type ForOrganization, ORGANIZATION } from './flags.ts';

/**
 * `docent user …`: who can sign in to the dashboard, directly in the database. Links are printed
 * once.
 */
export function registerUser(program: Command, env: Env): void {
  const user = program.command('user').description('manage who can sign in to the dashboard');
  registerSetup(user, env);
  registerList(user, env);
  registerInvite(user, env);

  user
    .command('link <email>')
    .description('print a single-use link to set a new password, valid for an hour')
    .action(async (email: string) => {
      await withDatabase(env, async (pool, config) => {
        const found = await findUserByEmail(pool, email);
        if (!found) throw unknownUser(email);
        const { token } = await transaction(pool, async tx => {
          await recordAuditOfUser(tx, found.id, {
            action: 'user.link_created',
            actor: OPERATOR,
            subject: { kind: 'user', id: found.id, name: found.email },
          });
          return createResetLink(tx, found.id);
        });
        print(resetLink(publicUrl(config), token));
      });
    });

  user
    .command('remove <email>')
    .description('remove an account and end its sessions')
    .action(async (email: string) => {
      await withDatabase(env, async pool => {
        await transaction(pool, async tx => {
          const found = await findUserByEmail(tx, email);
          if (!found) throw unknownUser(email);
          // First: it is for the organizations that they belong to now.
          await recordAuditOfUser(tx, found.id, {
            action: 'user.removed',
            actor: OPERATOR,
            subject: { kind: 'user', id: found.id, name: found.email },
          });
          await deleteUser(tx, email);
        });
        print(`${email} is removed.`);
      });
    });
}

function registerSetup(user: Command, env: Env): void {
  user
    .command('setup')
    .description('print the single-use link that creates the first owner')
    .addOption(ORGANIZATION)
    .action(async (options: ForOrganization) => {
      await withDatabase(env, async (pool, config) => {
        const owner = await organizationToBeginWith(pool, options.organization);
        const token = await transaction(pool, tx => createRecordedSetupLink(tx, owner.id));
        if (token === undefined)
          throw new CommandFailure(
            'An account already exists: use "docent user invite" to add people, ' +
              'or "docent user link" to reset a password.',
            EXIT.usage,
          );
        print(setupLink(publicUrl(config), token));
      });
    });
}

function registerList(user: Command, env: Env): void {
  user
    .command('list')
    .description('list the members of an organization')
    .addOption(ORGANIZATION)
    .action(async (options: ForOrganization) => {
      await withDatabase(env, async pool => {
        const owner = await organizationNamed(pool, options.organization);
        printTable(
          ['e-mail', 'name', 'role', 'last seen'],
          (await listMembers(pool, owner.id)).map(each => [
            each.email,
            each.name,
            each.role,
            each.lastSeenAt?.toISOString() ?? 'never',
          ]),
        );
      });
    });
}

function registerInvite(user: Command, env: Env): void {
  user
    .command('invite <email>')
    .description('print an invitation link, valid for 7 days')
    .addOption(ORGANIZATION)
    .addOption(
      new Option('--role <role>', 'viewers read, members start jobs, owners manage')
        .choices(['viewer', 'member', 'owner'])
        .default('member'),
    )
    .action(async (email: string, options: ForOrganization & { role: Role }) => {
      await withDatabase(env, async (pool, config) => {
        if (!/^[^\s@]+@[^\s@]+$/.test(email))
          throw new CommandFailure(`"${email}" is not an e-mail address.`, EXIT.usage);
        const { id: organizationId } = await organizationNamed(pool, options.organization);
        const { token } = await transaction(pool, async tx => {
          const made = await createInvitation(tx, { organizationId, email, role: options.role });
          await recordAudit(tx, organizationId, {
            action: 'invitation.created',
            actor: OPERATOR,
            subject: { kind: 'invitation', id: made.invitation.id, name: email },
            details: { role: options.role },
          });
          return made;
        });
        print(invitationLink(publicUrl(config), token));
      });
    });
}

function unknownUser(email: string): CommandFailure {
  return new CommandFailure(`No account has the e-mail address ${email}.`, EXIT.notFound);
}
