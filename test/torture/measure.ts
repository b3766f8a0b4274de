import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from './installation.ts';
import type { Role } from './role.ts';

/** What an installation holds at one moment. */
export type Measured = Record<string, number>;
type Held = Pick<Installation, 'apis' | 'workers' | 'pool' | 'folder'>;

/** By the name of what is shown: a metric of each process, and how much of it is one. */
const METRICS: Record<string, { metric: RegExp; unit?: number }> = {
  'memory, MB': { metric: /^process_resident_memory_bytes (\S+)/m, unit: 1e6 },
  'heap used, MB': { metric: /^nodejs_heap_size_used_bytes (\S+)/m, unit: 1e6 },
  'open descriptors': { metric: /^process_open_fds (\S+)/m },
  timers: { metric: /^nodejs_active_resources\{type="Timeout"\} (\S+)/m },
  'connections in use': { metric: /^docent_database_connections\{state="used"\} (\S+)/m },
  'active handles': { metric: /^nodejs_active_handles_total (\S+)/m },
};
/** Nothing of it is left when nobody asks. */
const GAUGES: Record<string, RegExp> = {
  'answers streamed': /^docent_assistant_streams_open (\S+)/m,
  'watches of jobs': /^docent_job_watches_open (\S+)/m,
  'queries that wait for a share': /^docent_database_waiting (\S+)/m,
  'queries that wait for a connection': /^docent_database_connections\{state="waited_for"\} (\S+)/m,
};

/** What was held at some moments, side by side. */
export class Moments {
  readonly #installation: Held;
  readonly #seen: Record<string, Measured> = {};

  constructor(installation: Held) {
    this.#installation = installation;
  }

  async look(moment: string): Promise<void> {
    this.#seen[moment] = await measure(this.#installation).catch(() => ({})); // a power cut
  }

  /** By what was held, then by moment. */
  get table(): Record<string, Measured> {
    const names = new Set(Object.values(this.#seen).flatMap(Object.keys));
    return Object.fromEntries(
      [...names].map(name => [
        name,
        Object.fromEntries(
          Object.entries(this.#seen).map(([moment, held]) => [moment, held[name] ?? NaN]),
        ),
      ]),
    );
  }
}

/** Sums over the processes of a kind; one that is just gone does not count. */
async function measure({ apis, workers, pool, folder }: Held): Promise<Measured> {
  const measured: Measured = {};
  for (const [kind, roles] of Object.entries({ api: apis, worker: workers })) {
    const texts = await Promise.all(roles.map(metricsOf));
    for (const [name, { metric, unit = 1 }] of Object.entries(METRICS))
      measured[`${kind}: ${name}`] = summed(texts, metric, unit);
    for (const [name, metric] of Object.entries(GAUGES))
      measured[`${kind}: ${name}`] = summed(texts, metric, 1);
  }
  const { rows } = await pool.query<{ count: number }>(
    "select count(*) from pg_stat_activity where application_name = 'docent' and pid <> pg_backend_pid()",
  );
  measured['connections of Postgres'] = rows[0]?.count ?? 0;
  for (const name of ['data', ...workers.map(worker => worker.name)]) {
    const files = filesOf(join(folder, name));
    measured[`${name}: files`] = files.length;
    measured[`${name}: MB of files`] = inUnits(
      files.reduce((sum, size) => sum + size, 0),
      1e6,
    );
  }
  return { ...measured, ...(await rowsOf(pool)) };
}

/** The gauges that are not zero, when everybody has left. */
export async function openGauges(roles: readonly Role[]): Promise<string[]> {
  const said: string[] = [];
  for (const role of roles) {
    const text = await metricsOf(role);
    for (const [name, metric] of Object.entries(GAUGES)) {
      const value = summed([text], metric, 1);
      if (value !== 0) said.push(`${role.name}: ${value} ${name}`);
    }
  }
  return said;
}

async function metricsOf({ metricsUrl }: Role): Promise<string> {
  return fetch(metricsUrl)
    .then(response => response.text())
    .catch(() => '');
}

function summed(texts: string[], metric: RegExp, unit: number): number {
  const values = texts.map(text => Number(metric.exec(text)?.[1] ?? 0));
  return inUnits(
    values.reduce((sum, value) => sum + value, 0),
    unit,
  );
}

function inUnits(value: number, unit: number): number {
  return Number((value / unit).toFixed(unit === 1 ? 0 : 1));
}

/** Their sizes. */
function filesOf(folder: string): number[] {
  let names: string[] = [];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    // It changed meanwhile, or there is none yet.
  }
  return names.flatMap(name => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return found?.isFile() ? [found.size] : [];
  });
}

async function rowsOf(pool: Held['pool']): Promise<Measured> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1",
  );
  const counted: Measured = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ count: number }>(`select count(*) from ${name}`);
    counted[`rows of ${name}`] = rows[0]?.count ?? 0;
  }
  return counted;
}
