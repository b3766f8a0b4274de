import { type Command, Option } from 'commander';
import { NewKey } from '../../api/dashboard/contract/projects/projects.ts';
import { OPERATOR, recordAudit } from '../../db/audit/audit-log.ts';
import { transaction } from '../../db/pool.ts';
import { listKeys, revokeKey } from '../../db/projects/keys.ts';
import type { KeyKind } from '../../shared/secrets/api-keys.ts';
import { type Env, withDatabase } from '../connect/settings.ts';
import { createRecordedKey } from '../operator-acts.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { print, printTable } from '../output/terminal.ts';
import { findProjectByName, organizationNamed } from '../project/lookup.ts';
import { checkFlag, type ForOrganization, ORGANIZATION } from './flags.ts';

interface NewKeyOptions extends ForOrganization {
  kind: KeyKind;
  project?: string;
  name?: string;
  expiresInDays?: string;
  origin?: string[];
  address?: string[];
}

const DAY_MS = 86_400_000;

/** `docent key …`: API keys, directly in the database. */
export function registerKey(program: Command, env: Env): void {
  const key = program.command('key').description('create, list and revoke API keys');
  registerCreate(key, env);

  key
    .command('list')
    .description('list keys, newest first')
    .addOption(ORGANIZATION)
    .action(async (options: ForOrganization) => {
      await withDatabase(env, async pool => {
        const keys = await listKeys(pool, (await organizationNamed(pool, options.organization)).id);
        printTable(
          ['id', 'kind', 'key', 'name', 'state', 'last used'],
          keys.map(each => [
            each.id,
            each.kind,
            each.start,
            each.name,
            stateOf(each),
            each.lastUsedAt?.toISOString() ?? 'never',
          ]),
        );
      });
    });

  key
    .command('revoke <id>')
    .description('revoke a key immediately')
    .addOption(ORGANIZATION)
    .action(async (id: string, options: ForOrganization) => {
      await withDatabase(env, async pool => {
        const owner = await organizationNamed(pool, options.organization);
        await transaction(pool, async tx => {
          if (!(await revokeKey(tx, owner.id, id)))
            throw new CommandFailure(`There is no key ${id}.`, EXIT.notFound);
          await recordAudit(tx, owner.id, {
            action: 'key.revoked',
            actor: OPERATOR,
            subject: { kind: 'key', id },
          });
        });
        print(`${id} is revoked.`);
      });
    });
}

function registerCreate(key: Command, env: Env): void {
  key
    .command('create')
    .description('create a key and print it once')
    .addOption(ORGANIZATION)
    .addOption(
      new Option(
        '--kind <kind>',
        'admin: secret, for agent endpoints; assistant: public, for one site',
      )
        .choices(['admin', 'assistant'])
        .makeOptionMandatory(),
    )
    .option('--project <project>', 'the site of an assistant key, by id or domain')
    .option('--name <name>', 'display name')
    .option('--expires-in-days <days>', 'default: never expires')
    .option('--origin <origin...>', 'allow only pages of these origins')
    .option('--address <range...>', 'allow only these IP addresses or ranges')
    .action(async (options: NewKeyOptions) => await create(options, env));
}

async function create(options: NewKeyOptions, env: Env): Promise<void> {
  await withDatabase(env, async pool => {
    const days = options.expiresInDays === undefined ? undefined : Number(options.expiresInDays);
    checkNewKey(options, days);
    const owner = await organizationNamed(pool, options.organization);
    const project = options.project
      ? await findProjectByName(pool, owner.id, options.project)
      : undefined;
    const wanted = {
      organizationId: owner.id,
      kind: options.kind,
      name: options.name ?? options.kind,
      createdBy: 'docent key',
      allowedOrigins: options.origin ?? [],
      allowedAddresses: options.address ?? [],
      ...(options.kind === 'assistant' && project && { projectId: project.id }),
      ...(days !== undefined && { expiresAt: new Date(Date.now() + days * DAY_MS) }),
    };
    const made = await transaction(pool, tx => createRecordedKey(tx, wanted));
    console.error(`${made.key.id}: save the key now, it is not shown again.`);
    print(made.token);
  });
}

function checkNewKey(
  { kind, project, name, origin, address }: NewKeyOptions,
  days: number | undefined,
): void {
  if (kind === 'assistant' && !project)
    throw new CommandFailure(
      'An assistant key belongs to a site: name it with --project.',
      EXIT.usage,
    );
  if (kind === 'admin' && origin)
    throw new CommandFailure(
      'An admin key is for servers, which send no origin: restrict it with --address.',
      EXIT.usage,
    );
  const fields = NewKey.properties;
  checkFlag('--name', fields.name, name);
  checkFlag('--expires-in-days', fields.expiresInDays, days);
  checkFlag('--origin', fields.allowedOrigins, origin);
  checkFlag('--address', fields.allowedAddresses, address);
}

function stateOf(key: { revokedAt: Date | null; expiresAt: Date | null }): string {
  if (key.revokedAt) return 'revoked';
  if (!key.expiresAt) return 'valid';
  return key.expiresAt.getTime() <= Date.now()
    ? 'expired'
    : `until ${key.expiresAt.toISOString().slice(0, 10)}`;
}
