import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type pg from 'pg';
import { maintainRepositories } from '../../hosts/local/maintain-repositories.ts';
import { trimCache } from '../../hosts/git/cache-trim.ts';
import { openPool } from '../../db/pool.ts';
import { INDEX_WORKFLOW } from '../../shared/index-site.ts';
import type { Installation } from '../scale/installation.ts';

/** What has settings of whole days or hours: such rows become this much older. */
const SHIFT = "interval '500 days'";
const AGED = [
  ['threads', 'updated_at'],
  ['questions', 'created_at'],
  ['question_groups', 'created_at'],
  ['uploads', 'created_at'],
  ['idempotency_keys', 'created_at'],
  ['model_calls', 'started_at'],
  ['audit_log', 'at'],
] as const;
/** The longest that a cache keeps what is used, and what it is aged by. */
const HOUR_MS = 3_600_000;

export interface Clock {
  /** One simulated hour, in milliseconds. */
  hourMs: number;
  /** Simulated hours after which everything is deleted. */
  retentionHours: number;
  cacheBytes: number;
}

/**
 * Does once in a simulated hour what settings cannot make faster: rows that are older than the
 * retention become older than the settings say, and what happens hourly, or by Temporal's own
 * timers, happens now.
 */
export class FastClock {
  readonly #installation: Installation;
  readonly #db: pg.Client;
  readonly #clock: Clock;

  constructor(installation: Installation, db: pg.Client, clock: Clock) {
    this.#installation = installation;
    this.#db = db;
    this.#clock = clock;
  }

  async tick(): Promise<void> {
    await this.#ageRows();
    await this.#forgetIndexing();
    await this.#trimCaches();
    await this.#tidyRepositories();
  }

  async #ageRows(): Promise<void> {
    const { hourMs, retentionHours } = this.#clock;
    const age = `interval '${hourMs * retentionHours} milliseconds'`;
    await this.#db.query('begin');
    // The trigger of the audit log forbids changes.
    await this.#db.query('set local session_replication_role = replica');
    for (const [table, column] of AGED)
      await this.#db.query(
        `update ${table} set ${column} = ${column} - ${SHIFT}
          where ${column} < now() - ${age} and ${column} > now() - ${SHIFT}`,
      );
    await this.#db.query('commit');
  }

  /** As the retention of the namespace does. */
  async #forgetIndexing(): Promise<void> {
    const { hourMs, retentionHours } = this.#clock;
    const connection = await Connection.connect({
      address: this.#installation.cluster.temporalAddress,
    });
    const { workflow, workflowService } = new Client({ connection });
    const until = new Date(Date.now() - hourMs * retentionHours).toISOString();
    const query =
      `WorkflowType = "${INDEX_WORKFLOW}" AND ExecutionStatus != "Running" ` +
      `AND CloseTime < "${until}"`;
    for await (const { workflowId, runId } of workflow.list({ query }))
      await workflowService
        .deleteWorkflowExecution({ namespace: 'default', workflowExecution: { workflowId, runId } })
        .catch(() => undefined); // deleted already, and still listed
    await connection.close();
  }

  /** As workers do each hour: what nobody has used for a simulated hour may go. */
  async #trimCaches(): Promise<void> {
    const { folder, cluster } = this.#installation;
    const then = new Date(Date.now() - 2 * HOUR_MS);
    for (const name of Object.keys(cluster.pids)) {
      const cache = join(folder, name, 'cache', 'git');
      const entries = await readdir(cache, { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      for (const entry of entries.filter(each => each.isFile())) {
        const path = join(entry.parentPath, entry.name);
        const found = await stat(path).catch(() => undefined);
        if (found && found.mtimeMs < Date.now() - this.#clock.hourMs)
          await utimes(path, then, then).catch(() => undefined);
      }
      await trimCache(cache, this.#clock.cacheBytes);
    }
  }

  async #tidyRepositories(): Promise<void> {
    const { folder, cluster } = this.#installation;
    const pool = openPool({ connectionString: cluster.databaseUrl, max: 1 });
    const at = { pool, dataDir: join(folder, 'api-1'), publicUrl: cluster.url };
    await maintainRepositories(at, new AbortController().signal, (repository, error) => {
      throw new Error(`${repository} was not tidied`, { cause: error });
    });
    await pool.end();
  }
}
