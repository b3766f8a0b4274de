import { newId } from '../../shared/ids.ts';
import { mintKey } from '../../shared/secrets/api-keys.ts';
import { type ApiKey, KEY_COLUMNS } from './keys.ts';
import type { Queryable } from '../pool.ts';

export interface ProjectKey extends ApiKey {
  state: 'valid' | 'expired' | 'revoked';
  /** Admin keys: jobs this UTC month. */
  jobsThisMonth: number;
}

/**
 * The keys that open a project: its assistant's, and its organization's admin keys. Newest first;
 * of one id if it is given.
 */
export async function listProjectKeys(
  db: Queryable,
  project: { id: string; organizationId: string },
  keyId?: string,
): Promise<ProjectKey[]> {
  const { rows } = await db.query<ProjectKey>(
    `select ${KEY_COLUMNS},
            case when revoked_at is not null then 'revoked'
                 when expires_at <= now() then 'expired'
                 else 'valid' end as state,
            (select count(*) from jobs j
              where j.organization_id = k.organization_id and j.api_key_id = k.id
                and j.created_at >= date_trunc('month', now(), 'UTC')) as "jobsThisMonth"
       from api_keys k
      where organization_id = $1 and (kind = 'admin' or project_id = $2) and not playground
        and ($3::text is null or id = $3)
      order by created_at desc, id desc`,
    [project.organizationId, project.id, keyId ?? null],
  );
  return rows;
}

/**
 * A key under which questions from pages of ours are counted. Its token is thrown away: nobody can
 * present it.
 */
export async function keyOfOurs(
  db: Queryable,
  project: { id: string; organizationId: string },
  name: 'Playground' | 'Public docs',
): Promise<ApiKey> {
  const find = async () =>
    (
      await db.query<ApiKey>(
        `select ${KEY_COLUMNS} from api_keys where project_id = $1 and playground and name = $2`,
        [project.id, name],
      )
    ).rows[0];
  const found = await find();
  if (found) return found;
  const { hash, start } = mintKey('assistant');
  await db.query(
    `insert into api_keys (id, organization_id, project_id, kind, hash, start, name, created_by,
                           playground)
     values ($1, $2, $3, 'assistant', $4, $5, $6, 'dashboard', true)
     on conflict do nothing`,
    [newId('key'), project.organizationId, project.id, hash, start, name],
  );
  return (await find())!;
}
