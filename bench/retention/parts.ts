import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Installation } from '../scale/installation.ts';
import { memoryOf } from '../scale/cpu.ts';

/** Bytes by part: tables with their indexes and TOAST, databases, folders; memory by process. */
export type Sizes = Record<string, number>;

const COLLECTION_MS = 1_000;
/** For the processes whose memory is measured, as `NODE_OPTIONS`. */
export const WITH_COLLECTIONS = `--expose-gc --import=${import.meta.resolve('./collect-garbage.mjs')}`;

function collectGarbage(pid: number): void {
  try {
    process.kill(pid, 'SIGUSR2');
  } catch {
    // It has ended meanwhile.
  }
}

const isOurs = (process: string) => /^(api|worker)-/.test(process);

/** What a part does not grow beyond. `grows`: with what was merged, by design. */
export interface Bound {
  name: string;
  /** Not judged by the curve. */
  grows?: boolean;
  /** A size that the part may grow to, in bytes. */
  upTo?: number;
}

const KEPT: Record<string, string> = {
  threads: 'THREAD_RETENTION_DAYS',
  thread_messages: 'THREAD_RETENTION_DAYS',
  questions: 'THREAD_RETENTION_DAYS',
  question_groups: 'THREAD_RETENTION_DAYS',
  idempotency_keys: 'IDEMPOTENCY_RETENTION_HOURS',
  audit_log: 'AUDIT_RETENTION_DAYS',
  model_calls: 'USAGE_RETENTION_DAYS',
  automation_runs: 'AUTOMATION_RUN_RETENTION_DAYS',
  uploads: 'JOB_RETENTION_DAYS and a day',
  limit_counts: 'a month',
};

export function boundOf(part: string): Bound {
  const [kind = '', name = ''] = part.split(' ');
  if (kind === 'memory') return { name: 'constant' };
  if (name === 'local_pull_requests') return { name: 'none: pull requests are kept', grows: true };
  if (part === 'repositories') return { name: 'none: what was merged, packed by gc', grows: true };
  if (part === 'write-ahead log') return { name: 'max_wal_size', upTo: 2 ** 30 };
  if (part === 'logs') return { name: 'rotation: 50 MB × 3 a process', grows: true };
  if (part === 'caches') return { name: 'GIT_CACHE_MB, and what an hour uses' };
  if (kind === 'temporal') return { name: 'JOB_RETENTION_DAYS, retention of the namespace' };
  if (name.startsWith('search_')) return { name: 'pages of the site' };
  return { name: KEPT[name] ?? 'JOB_RETENTION_DAYS' };
}

/** Measures all parts of an installation; opens what it needs once. */
export class Parts {
  readonly #installation: Installation;
  readonly docent: pg.Client;
  readonly #temporal: pg.Client;

  constructor(installation: Installation) {
    this.#installation = installation;
    const { databaseUrl } = installation.cluster;
    this.docent = new pg.Client({ connectionString: databaseUrl });
    const temporal = new URL(databaseUrl);
    temporal.pathname = '/temporal';
    this.#temporal = new pg.Client({ connectionString: temporal.href });
  }

  async open(): Promise<void> {
    await this.docent.connect();
    if (await this.#hasTemporal()) await this.#temporal.connect();
  }

  async close(): Promise<void> {
    await this.docent.end();
    await this.#temporal.end().catch(() => undefined);
  }

  async #hasTemporal(): Promise<boolean> {
    const { rowCount } = await this.docent.query(
      "select 1 from pg_database where datname = 'temporal'",
    );
    return rowCount === 1;
  }

  async disk(): Promise<Sizes> {
    const { folder } = this.#installation;
    return {
      ...(await this.#tables(this.docent, 'table')),
      ...((await this.#hasTemporal()) && (await this.#databases())),
      'write-ahead log': await this.#wal(),
      repositories: await diskOf(join(folder, 'api-1', 'repositories')),
      caches: await this.#inEach('cache'),
      logs: await diskOf(join(folder, 'logs')),
    };
  }

  /** Of our own processes without the garbage of their main threads. */
  async memory(): Promise<Sizes> {
    const { pids } = this.#installation.cluster;
    for (const [name, pid] of Object.entries(pids)) if (isOurs(name)) collectGarbage(pid);
    await delay(COLLECTION_MS);
    return Object.fromEntries(
      Object.entries(pids).map(([name, pid]) => [`memory ${name}`, memoryOf(pid) * 1e6]),
    );
  }

  /** Rows of each table that has some. */
  async rows(): Promise<Record<string, number>> {
    const names = Object.keys(await this.#tables(this.docent, 'table'));
    const counts: Record<string, number> = {};
    for (const name of names.map(part => part.slice('table '.length))) {
      const { rows } = await this.docent.query<{ n: string }>(`select count(*) as n from ${name}`);
      counts[name] = Number(rows[0]?.n ?? 0);
    }
    return counts;
  }

  async #tables(client: pg.Client, kind: string): Promise<Sizes> {
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `select relname as name, pg_total_relation_size(oid) as bytes
         from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    return Object.fromEntries(rows.map(({ name, bytes }) => [`${kind} ${name}`, Number(bytes)]));
  }

  /** The large tables of Temporal by name, and each of its databases as a whole. */
  async #databases(): Promise<Sizes> {
    const { rows } = await this.docent.query<{ name: string; bytes: string }>(
      `select datname as name, pg_database_size(oid) as bytes
         from pg_database where datname like 'temporal%'`,
    );
    const tables = await this.#tables(this.#temporal, 'temporal');
    return {
      ...Object.fromEntries(rows.map(({ name, bytes }) => [`temporal in ${name}`, Number(bytes)])),
      ...Object.fromEntries(Object.entries(tables).filter(([, bytes]) => bytes > 1e6)),
    };
  }

  async #wal(): Promise<number> {
    const { rows } = await this.docent.query<{ bytes: string }>(
      'select coalesce(sum(size), 0) as bytes from pg_ls_waldir()',
    );
    return Number(rows[0]?.bytes ?? 0);
  }

  async #inEach(name: string): Promise<number> {
    const { cluster, folder } = this.#installation;
    const own = Object.keys(cluster.pids).filter(isOurs);
    const sizes = await Promise.all(own.map(each => diskOf(join(folder, each, name))));
    return sizes.reduce((sum, size) => sum + size, 0);
  }
}

/** What a folder takes of the disk, in bytes: files by whole blocks. */
export async function diskOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    bytes += (found?.blocks ?? 0) * 512;
  }
  return bytes;
}
