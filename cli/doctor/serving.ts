import { Client, Connection } from '@temporalio/client';
import type { Config } from '../../shared/config.ts';
import { clientConverter } from '../../shared/secrets/payload-codec.ts';
import { littleSpace } from '../../shared/free-space.ts';
import { openPool } from '../../db/pool.ts';
import { databaseShortcoming } from '../../db/schema-version.ts';
import { blockedBy, UNBLOCK } from '../../jobs/blocked-job.ts';
import { SEARCH_ATTRIBUTES } from '../../shared/jobs/attribute-names.ts';
import { JOB_WORKFLOW } from '../../shared/jobs/job.ts';
import { isPolled } from '../../shared/jobs/pollers.ts';
import { temporalConnection } from '../connect/temporal.ts';
import { findRunning } from '../stack/running.ts';
import { checkFairness } from './fairness.ts';
import type { Finding } from './finding.ts';

/** What a system that is set up or running lacks: the same questions as the API's /readyz. */
export async function checkServing(config: Config): Promise<Finding[]> {
  const stack = findRunning(config.DATA_DIR);
  const database = config.DATABASE_URL ?? stack?.databaseUrl;
  const address = config.TEMPORAL_ADDRESS ?? stack?.temporalAddress;
  return (
    await Promise.all([
      disk(config),
      database === undefined ? [] : schema(database),
      address === undefined ? [] : temporal({ ...config, TEMPORAL_ADDRESS: address }),
    ])
  ).flat();
}

async function disk({ DATA_DIR }: Config): Promise<Finding[]> {
  const says = await littleSpace(DATA_DIR);
  return says === undefined ? [] : [{ name: 'disk', state: 'missing', says }];
}

async function schema(url: string): Promise<Finding[]> {
  const pool = openPool({ connectionString: url, max: 1 });
  try {
    const shortcoming = await databaseShortcoming(pool);
    return [
      {
        name: 'database',
        state: shortcoming === undefined ? 'ok' : 'missing',
        says: shortcoming ?? 'has the tables of this release and accepts writes',
      },
    ];
  } catch {
    return []; // that it cannot be reached is a line of its own
  } finally {
    await pool.end();
  }
}

async function temporal(config: Config): Promise<Finding[]> {
  const connection = await Connection.connect({
    ...temporalConnection(config),
    connectTimeout: '3s',
  }).catch(() => undefined);
  if (!connection) return []; // as above
  try {
    const client = new Client({
      ...{ connection, namespace: config.TEMPORAL_NAMESPACE },
      dataConverter: clientConverter(config),
    });
    const fairness = await checkFairness(client);
    return [
      await worker(client, config),
      ...(fairness ? [fairness] : []),
      ...(await blockedJobs(client)),
    ];
  } finally {
    await connection.close();
  }
}

async function worker(
  client: Client,
  { TASK_QUEUE: taskQueue, DATA_DIR: dataDir }: Config,
): Promise<Finding> {
  const polls = await isPolled(client, taskQueue, Date.now() + 3_000).catch(() => undefined);
  if (polls === undefined)
    return {
      name: 'worker',
      state: 'note',
      says: `whether one polls the task queue ${taskQueue} is not known: Temporal does not say`,
    };
  if (polls) return { name: 'worker', state: 'ok', says: `one polls the task queue ${taskQueue}` };
  const remedy = findRunning(dataDir)
    ? `"docent start" starts its worker again, and ${dataDir}/logs/worker.log says why it ended`
    : 'jobs wait until "docent worker" runs';
  return {
    name: 'worker',
    state: 'note',
    says: `none polls the task queue ${taskQueue}: ${remedy}`,
  };
}

/** How many active jobs are looked at. */
const MAX_LOOKED_AT = 100;

async function blockedJobs(client: Client): Promise<Finding[]> {
  const findings: Finding[] = [];
  let looked = 0;
  const query = `WorkflowType = "${JOB_WORKFLOW}" AND ExecutionStatus = "Running" AND ${SEARCH_ATTRIBUTES.status} = "active"`;
  try {
    for await (const { workflowId } of client.workflow.list({ query })) {
      const reason = await blockedBy(client, workflowId);
      if (reason !== undefined)
        findings.push({
          name: 'job',
          state: 'note',
          says: `${workflowId} is blocked (${reason}): ${UNBLOCK}`,
        });
      if (++looked === MAX_LOOKED_AT) {
        const says = `${looked} active jobs were looked at, and there may be more`;
        return [...findings, { name: 'jobs', state: 'note', says }];
      }
    }
    return findings;
  } catch {
    const says = 'whether jobs are blocked is not known: Temporal’s list of them cannot be read';
    return [...findings, { name: 'jobs', state: 'note', says }];
  }
}
