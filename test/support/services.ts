import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { openPool, type Pool } from '../../db/pool.ts';
import type { Program } from './bundle-programs.ts';

export interface TestDatabase {
  url: string;
  pool: Pool;
  /** Ends the pool and drops the database. */
  close(): Promise<void>;
}

/** A fresh, migrated database on the run's Postgres. */
export async function testDatabase(): Promise<TestDatabase> {
  return await newDatabase('template docent_template strategy file_copy');
}

/** The same without a table, for `docent migrate`. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return await newDatabase('');
}

async function newDatabase(from: string): Promise<TestDatabase> {
  const server = setting('TEST_DATABASE_URL');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name} ${from}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = openPool({ connectionString: url.href });
  return {
    url: url.href,
    pool,
    close: async () => {
      await pool.end();
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}

/** The run's Temporal server, namespace `default`, and the CLI that goes with it. */
export function testTemporal(): { address: string; cliPath: string } {
  return { address: setting('TEST_TEMPORAL_ADDRESS'), cliPath: testTemporalCli() };
}

/** The Temporal CLI, for a docent that starts its own server. */
export function testTemporalCli(): string {
  return setting('TEST_TEMPORAL_CLI');
}

/** A program that tests start as a process, bundled. */
export function testProgram(name: Program): string {
  return join(setting('TEST_PROGRAMS'), `${name}.mjs`);
}

/** The path of the workflows' bundle, built once for the run. */
export function testWorkflows(): string {
  return setting('TEST_WORKFLOWS');
}

/** Every row of every table, as text: to look for what must be in none. */
export async function dumpOf(pool: Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const rows = await Promise.all(
    tables.map(
      async ({ name }) => (await pool.query<{ t: string }>(`select t::text from "${name}" t`)).rows,
    ),
  );
  return rows
    .flat()
    .map(({ t }) => t)
    .join('\n');
}

/** Runs a statement on the server, outside of any test's database. */
export async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(
      `${name} is not set: run tests through jest, whose global setup starts the services.`,
    );
  return value;
}
