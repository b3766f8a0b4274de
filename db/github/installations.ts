import type { HostKind } from '../../shared/host-kind.ts';
import { hashSecretToken, newSecretToken } from '../../shared/secrets/secret-token.ts';
import type { Queryable, Transaction } from '../pool.ts';
import { GITHUB_CONNECT_MINUTES } from '../people/session-and-link-lifetimes.ts';

export interface GitHubInstallation {
  id: number;
  organizationId: string;
  account: string;
  createdAt: Date;
}

/** Gives an installation to an organization. False if another one has it. */
export async function claimInstallation(
  db: Queryable,
  installation: Pick<GitHubInstallation, 'id' | 'organizationId' | 'account'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into github_installations (id, organization_id, account) values ($1, $2, $3)
     on conflict (id) do update set account = excluded.account
      where github_installations.organization_id = excluded.organization_id`,
    [installation.id, installation.organizationId, installation.account],
  );
  return rowCount === 1;
}

/** The account it is on; undefined if the organization has no such installation. */
export async function releaseInstallation(
  db: Queryable,
  organizationId: string,
  id: number,
): Promise<string | undefined> {
  const { rows } = await db.query<{ account: string }>(
    'delete from github_installations where id = $1 and organization_id = $2 returning account',
    [id, organizationId],
  );
  return rows[0]?.account;
}

/** Takes all of them, of every organization: they are of an App that is no more. */
export async function releaseAllInstallations(tx: Transaction): Promise<GitHubInstallation[]> {
  await tx.query('delete from github_proofs');
  const { rows } = await tx.query<GitHubInstallation>(
    `delete from github_installations
     returning id, organization_id as "organizationId", account, created_at as "createdAt"`,
  );
  return rows;
}

export async function listInstallations(
  db: Queryable,
  organizationId: string,
): Promise<GitHubInstallation[]> {
  const { rows } = await db.query<GitHubInstallation>(
    `select id, organization_id as "organizationId", account, created_at as "createdAt"
       from github_installations where organization_id = $1 order by id`,
    [organizationId],
  );
  return rows;
}

/**
 * Whom an installation belongs to (null: nobody), and which organizations' projects name the
 * repository.
 */
export async function installationUse(
  db: Queryable,
  kind: HostKind,
  installationId: number,
  repository: string,
): Promise<{ owner: string | null; users: string[] }> {
  const { rows } = await db.query<{ owner: string | null; users: string[] }>(
    `select (select organization_id from github_installations where id = $1) as owner,
            array(select distinct organization_id from projects
                   where deleted_at is null
                     and (host = $3 and lower(repository) = lower($2)
                          or exists (
                            select from jsonb_array_elements(settings -> 'contextRepositories') c
                             where c ->> 'host' = $3
                               and lower(c ->> 'repository') = lower($2)))) as users`,
    [installationId, repository, kind],
  );
  return rows[0]!;
}

/** Of every organization. */
export async function countProjectsOnHost(db: Queryable, kind: HostKind): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*) from projects where deleted_at is null and host = $1',
    [kind],
  );
  return rows[0]!.count;
}

export interface GitHubWay {
  sessionId: string;
  organizationId: string;
  purpose: 'install' | 'authorize' | 'create_app';
  /** The installation that was made on the way. */
  installationId?: number | undefined;
}

/**
 * Notes that a user leaves for GitHub, and forgets those who did not come back. Returns the secret
 * that GitHub hands back.
 */
export async function beginWay(
  db: Queryable,
  { sessionId, organizationId, purpose, installationId }: GitHubWay,
): Promise<string> {
  const { token, hash } = newSecretToken();
  await db.query('delete from github_ways where expires_at < now()');
  await db.query(
    `insert into github_ways (hash, session_id, organization_id, purpose, installation_id,
                              expires_at)
     values ($1, $2, $3, $4, $5, now() + interval '${GITHUB_CONNECT_MINUTES} minutes')`,
    [hash, sessionId, organizationId, purpose, installationId ?? null],
  );
  return token;
}

/**
 * Takes the way that this session began for this organization; undefined if there is none (any
 * more).
 */
export async function takeWay(
  db: Queryable,
  token: string,
  from: Pick<GitHubWay, 'sessionId' | 'organizationId'>,
): Promise<GitHubWay | undefined> {
  const { rows } = await db.query<{ purpose: GitHubWay['purpose']; installationId: number | null }>(
    `delete from github_ways
      where hash = $1 and session_id = $2 and organization_id = $3 and expires_at > now()
     returning purpose, installation_id as "installationId"`,
    [hashSecretToken(token), from.sessionId, from.organizationId],
  );
  const [way] = rows;
  return way && { ...from, purpose: way.purpose, installationId: way.installationId ?? undefined };
}

/**
 * An installation that GitHub showed to a user, who may connect it unless there is a refusal: a
 * sentence that says why not.
 */
export interface ProvenInstallation {
  id: number;
  account: string;
  refusal: string | null;
}

/**
 * Keeps what GitHub showed just now to the user of a session, in place of what it showed before.
 */
export async function keepProofs(
  tx: Transaction,
  { sessionId, organizationId }: Pick<GitHubWay, 'sessionId' | 'organizationId'>,
  proofs: readonly ProvenInstallation[],
): Promise<void> {
  await tx.query(
    `delete from github_proofs
      where (session_id = $1 and organization_id = $2) or expires_at < now()`,
    [sessionId, organizationId],
  );
  await tx.query(
    `insert into github_proofs (session_id, organization_id, installation_id, account, refusal,
                                expires_at)
     select $1, $2, each.id, each.account, each.refusal,
            now() + interval '${GITHUB_CONNECT_MINUTES} minutes'
       from jsonb_to_recordset($3) as each (id bigint, account text, refusal text)`,
    [sessionId, organizationId, JSON.stringify(proofs)],
  );
}

/** What GitHub showed to the user of a session a moment ago, by account. */
export async function listProofs(
  db: Queryable,
  { sessionId, organizationId }: Pick<GitHubWay, 'sessionId' | 'organizationId'>,
): Promise<ProvenInstallation[]> {
  const { rows } = await db.query<ProvenInstallation>(
    `select installation_id as id, account, refusal from github_proofs
      where session_id = $1 and organization_id = $2 and expires_at > now()
      order by lower(account), installation_id`,
    [sessionId, organizationId],
  );
  return rows;
}

export async function countOrganizations(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*) from organizations');
  return rows[0]!.count;
}
