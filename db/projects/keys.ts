import { Problem } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { type KeyKind, mintKey } from '../../shared/secrets/api-keys.ts';
import type { Queryable, Transaction } from '../pool.ts';

export interface ApiKey {
  id: string;
  organizationId: string;
  /**
   * The one project of an assistant key; null for admin keys, which serve their whole organization.
   */
  projectId: string | null;
  kind: KeyKind;
  start: string;
  name: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /**
   * Origins that may use the key, such as `https://docs.example.com` or `https://*.example.com`;
   * empty: any.
   */
  allowedOrigins: string[];
  /** Addresses or ranges that may use the key; empty: any. */
  allowedAddresses: string[];
  /** Uses per calendar month, if it differs from the installation's. */
  monthlyLimit: number | null;
}

export interface NewKey {
  organizationId: string;
  kind: KeyKind;
  name: string;
  /** Required for assistant keys. */
  projectId?: string;
  createdBy?: string;
  expiresAt?: Date;
  allowedOrigins?: string[];
  allowedAddresses?: string[];
  monthlyLimit?: number;
  rotatedFrom?: string;
}

export const KEY_COLUMNS = `id, organization_id as "organizationId", project_id as "projectId",
  kind, start, name, created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt",
  allowed_origins as "allowedOrigins", allowed_addresses::text[] as "allowedAddresses",
  monthly_limit as "monthlyLimit"`;

/**
 * Creates a key. The token is in the answer and nowhere else: the caller must show it now. Throws
 * `invalid_request` for an address that is not a network.
 */
export async function createKey(
  db: Queryable,
  key: NewKey,
): Promise<{ token: string; key: ApiKey }> {
  const minted = mintKey(key.kind);
  const { rows } = await db
    .query<ApiKey>(
      `insert into api_keys (id, organization_id, project_id, kind, hash, start, name, created_by,
                             expires_at, allowed_origins, allowed_addresses, monthly_limit,
                             rotated_from)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::cidr[], $12, $13)
       returning ${KEY_COLUMNS}`,
      [
        newId('key'),
        key.organizationId,
        key.projectId ?? null,
        key.kind,
        minted.hash,
        minted.start,
        key.name,
        key.createdBy ?? null,
        key.expiresAt ?? null,
        key.allowedOrigins ?? [],
        key.allowedAddresses ?? [],
        key.monthlyLimit ?? null,
        key.rotatedFrom ?? null,
      ],
    )
    .catch((error: { code?: string }) => {
      if (error.code !== '22P02') throw error; // what Postgres takes for no network
      const message =
        'takes addresses or networks such as 192.0.2.7 or 10.0.0.0/8, ' +
        'without bits to the right of the mask';
      throw new Problem('invalid_request', `The list of allowed addresses ${message}.`, {
        errors: [{ path: 'allowedAddresses', message }],
      });
    });
  return { token: minted.token, key: rows[0]! };
}

/** An organization's keys, newest first, revoked and expired ones included. */
export async function listKeys(db: Queryable, organizationId: string): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKey>(
    `select ${KEY_COLUMNS} from api_keys where organization_id = $1 and not playground
      order by created_at desc, id desc`,
    [organizationId],
  );
  return rows;
}

/**
 * Ends a key at once, for every process. False if the organization has no such key; a second
 * time changes nothing.
 */
export async function revokeKey(
  db: Queryable,
  organizationId: string,
  keyId: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update api_keys set revoked_at = coalesce(revoked_at, now())
      where id = $1 and organization_id = $2`,
    [keyId, organizationId],
  );
  return rowCount === 1;
}

/**
 * Makes a successor with the same rights and lets the old key run out after `graceHours`, so that
 * both work while callers swap. Undefined if the organization has no such live key.
 */
export async function rotateKey(
  tx: Transaction,
  organizationId: string,
  keyId: string,
  graceHours: number,
): Promise<{ token: string; key: ApiKey } | undefined> {
  const {
    rows: [old],
  } = await tx.query<ApiKey>(
    `select ${KEY_COLUMNS} from api_keys
      where id = $1 and organization_id = $2 and revoked_at is null
        and (expires_at is null or expires_at > now())
        for update`,
    [keyId, organizationId],
  );
  if (!old) return undefined;
  await tx.query(
    `update api_keys set expires_at = least(expires_at, now() + make_interval(secs => $2 * 3600))
      where id = $1`,
    [keyId, graceHours],
  );
  return createKey(tx, {
    organizationId,
    kind: old.kind,
    name: old.name,
    allowedOrigins: old.allowedOrigins,
    allowedAddresses: old.allowedAddresses,
    rotatedFrom: old.id,
    ...(old.projectId !== null && { projectId: old.projectId }),
    ...(old.expiresAt !== null && { expiresAt: old.expiresAt }),
    ...(old.monthlyLimit !== null && { monthlyLimit: old.monthlyLimit }),
  });
}

export interface PresentedKey extends ApiKey {
  expired: boolean;
  addressAllowed: boolean;
}

/**
 * The key with this hash, and whether it has expired (by the database's clock) and may be used from
 * `address`.
 */
export async function findKey(
  db: Queryable,
  hash: Buffer,
  address: string,
): Promise<PresentedKey | undefined> {
  const { rows } = await db.query<PresentedKey>({
    name: 'find-key',
    text: `select ${KEY_COLUMNS},
                  coalesce(expires_at <= now(), false) as expired,
                  cardinality(allowed_addresses) = 0
                     or $2::inet <<= any(allowed_addresses) as "addressAllowed"
             from api_keys where hash = $1`,
    values: [hash, address],
  });
  return rows[0];
}

/**
 * Whether a key is neither revoked nor expired, and the project that it reads not deleted. It does
 * not count as used by that.
 */
export async function mayKeyStillRead(
  db: Queryable,
  keyId: string,
  projectId: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'key-still-reads',
    text: `select 1 from api_keys
            where id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
              and exists (select from projects where id = $2 and deleted_at is null)`,
    values: [keyId, projectId],
  });
  return rowCount === 1;
}

/** Notes that a key was used; writes at most once a minute a key. */
export async function touchKey(db: Queryable, keyId: string): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = now()
      where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [keyId],
  );
}
