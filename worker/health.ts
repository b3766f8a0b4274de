import { createServer, type ServerResponse } from 'node:http';
import type { NativeConnection } from '@temporalio/worker';
import type { Pool } from '../db/pool.ts';
import { databaseShortcoming } from '../db/schema-version.ts';
import type { JobWorker } from './worker.ts';

const DEADLINE_MS = 2_000;

/** What a worker consists of, as soon as it is there. */
export interface WorkerParts {
  pool?: Pool;
  connection?: NativeConnection;
  worker?: JobWorker;
}

/**
 * `/healthz`: the process runs. `/readyz`: it polls, and reaches Postgres and Temporal; otherwise
 * 503 with a sentence. For supervisors on the same network: there is nothing else to see.
 */
export async function serveHealth(
  { host, port }: { host: string; port: number },
  parts: WorkerParts,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return answer(response, 200, 'ok');
    if (path !== '/readyz') return answer(response, 404, 'not found');
    void shortcomings(parts).then(said =>
      said === '' ? answer(response, 200, 'ok') : answer(response, 503, said),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

async function shortcomings({ pool, connection, worker }: WorkerParts): Promise<string> {
  const polls = worker?.getState() === 'RUNNING';
  const said = await Promise.all([
    pool && databaseShortcoming(pool).catch(() => 'Postgres cannot be reached.'),
    connection && reach(connection),
  ]);
  if (!polls) said.push('The worker does not poll yet, or no longer.');
  return said.filter(Boolean).join(' ');
}

async function reach(connection: NativeConnection): Promise<string | undefined> {
  try {
    await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
      connection.workflowService.getSystemInfo({}),
    );
    return undefined;
  } catch {
    return 'Temporal cannot be reached.';
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
