import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { requestIndex } from '../../search/indexing/index-requests.ts';
import { until } from '../support/until.ts';
import type { Installation } from './installation.ts';

export const SETTLE_MS = 5 * 60_000;
const READY_MS = 3 * 60_000;

/** The site is indexed then: readers may ask. */
export async function untilReady({
  apis,
  pool,
  project,
  temporalAddress,
}: Installation): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (const { url, name } of apis) {
    while (!(await fetch(`${url}/readyz?for=jobs`).catch(() => undefined))?.ok) {
      if (Date.now() > deadline) throw new Error(`${name} did not become ready`);
      await delay(200);
    }
  }
  const connection = await Connection.connect({ address: temporalAddress });
  await requestIndex(new Client({ connection }), 'docent', project);
  await connection.close();
  await until(
    'the site is indexed',
    async () => {
      const { rowCount } = await pool.query('select from search_pages limit 1');
      return rowCount === 1;
    },
    READY_MS,
  );
}

/** Seconds until no job is active and no delivery is kept; null if that takes too long. */
export async function untilIdle({ pool }: Installation): Promise<number | null> {
  const began = Date.now();
  for (let calm = 0; Date.now() < began + SETTLE_MS; await delay(500)) {
    const { rows } = await pool.query<{ busy: number }>(
      `select count(*) + (select count(*) from github_deliveries where news is not null) as busy
         from jobs j
        where state in ('starting', 'active')
           or state <> 'given_up'
              and exists (select from instructions where job_id = j.id and state = 'waiting')`,
    );
    calm = rows[0]?.busy === 0 ? calm + 1 : 0;
    // A signal that nobody has read yet shows nowhere else.
    if (calm >= 10) return Math.round((Date.now() - began) / 1000);
  }
  return null;
}

/** For a person. */
export async function jobsThatWait({ pool }: Installation): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from jobs where waiting_for is not null and archived_at is null',
  );
  return rows.map(({ id }) => id);
}
