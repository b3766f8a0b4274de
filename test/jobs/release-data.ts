import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS_FOLDER } from '../../db/migrate.ts';
import { openPool, type Pool, transaction } from '../../db/pool.ts';
import { onServer, type TestDatabase } from '../support/services.ts';
import type { JobStack } from '../support/job-stack.ts';

const FOLDER = join(import.meta.dirname, 'releases');
/** Where the installation was: it is moved to the address of the stack that opens it. */
const ADDRESS = 'http://docent.test';

/** What an installation of a release left: its rows, its repository, and what it was asked. */
export interface ReleaseData {
  /** The migrations that it had, with their SHA-256: a released one never changes. */
  migrations: Record<string, string>;
  adminKey: string;
  /** Job ids, by what became of them. */
  jobs: Record<'published' | 'answered' | 'cancelled', string>;
  rows: Record<string, object[]>;
}

/** Writes the data of a stack that is at rest as that of a release. */
export async function recordRelease(
  release: string,
  stack: JobStack,
  jobs: ReleaseData['jobs'],
): Promise<void> {
  const { rows: tables } = await stack.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const rows: ReleaseData['rows'] = {};
  for (const { name } of tables) {
    const { rows: found } = await stack.pool.query<{ row: object }>(
      `select to_jsonb(t) as row from "${name}" t`,
    );
    if (found.length > 0) rows[name] = found.map(({ row }) => row);
  }
  const { adminKey } = stack;
  const migrations = Object.fromEntries(
    (rows['migrations'] as { name: string }[]).map(({ name }) => [name, digest(name)]),
  );
  const data: ReleaseData = { migrations, adminKey, jobs, rows };
  const text = JSON.stringify(data, null, 1).replaceAll(stack.baseUrl, ADDRESS);
  writeFileSync(join(FOLDER, `${release}.json`), `${text}\n`);
  stack.git('bundle', 'create', join(FOLDER, `${release}.bundle`), '--all');
}

export function releaseData(release: string, address = ADDRESS): ReleaseData {
  const text = readFileSync(join(FOLDER, `${release}.json`), 'utf8');
  return JSON.parse(text.replaceAll(ADDRESS, address)) as ReleaseData;
}

/** Of a migration, as it is now. */
export function digest(migration: string): string {
  return createHash('sha256')
    .update(readFileSync(join(MIGRATIONS_FOLDER, migration)))
    .digest('hex');
}

/** A database as the release left it; `migrate` has not seen it yet. */
export async function releaseDatabase(data: ReleaseData): Promise<TestDatabase> {
  const server = process.env['TEST_DATABASE_URL']!;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name} template template0`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const pool = openPool({ connectionString: url });
  for (const migration of Object.keys(data.migrations).sort())
    await pool.query(readFileSync(join(MIGRATIONS_FOLDER, migration), 'utf8'));
  await pool.query('create table migrations (name text primary key, applied_at timestamptz)');
  await insertRows(pool, data);
  return {
    url,
    pool,
    close: async () => {
      await pool.end();
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}

async function insertRows(pool: Pool, { rows }: ReleaseData): Promise<void> {
  await transaction(pool, async tx => {
    await tx.query('set local session_replication_role = replica'); // in any order
    for (const [table, found] of Object.entries(rows))
      await tx.query(
        `insert into "${table}" overriding system value
         select * from jsonb_populate_recordset(null::"${table}", $1)`,
        [JSON.stringify(found)],
      );
    const { rows: counted } = await tx.query<{ table: string; column: string }>(
      `select table_name as "table", column_name as "column" from information_schema.columns
        where table_schema = 'public' and is_identity = 'YES'`,
    );
    for (const { table, column } of counted)
      await tx.query(
        `select setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}), 1))
           from ${table}`,
      );
  });
}

/** The data folder as the release left it. */
export function releaseFolder(release: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-release-'));
  mkdirSync(join(folder, 'repositories'));
  const bundle = join(FOLDER, `${release}.bundle`);
  execFileSync('git', ['clone', '-q', '--mirror', bundle, join(folder, 'repositories/docs.git')]);
  return folder;
}
