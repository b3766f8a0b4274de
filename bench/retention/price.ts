import { Client, Connection } from '@temporalio/client';
import type { Installation } from '../scale/installation.ts';
import type { Load } from './load.ts';
import type { Parts, Sizes } from './parts.ts';

const JOBS = 24;
const AT_ONCE = 4;
const QUESTIONS = 100;

/** Of one job or one question. */
export interface Price {
  /** By table. */
  rows: Record<string, number>;
  /** By part of the disk. */
  bytes: Record<string, number>;
  /** Of the workflow. */
  historyEvents?: number;
  historyBytes?: number;
}

/** What jobs cost before anything is merged, archived or deleted. */
export async function priceOfJobs(
  { cluster, projects }: Installation,
  parts: Parts,
  load: Load,
  { followUp }: { followUp: boolean },
): Promise<Price> {
  const price = await difference(parts, JOBS, async () => {
    for (let done = 0; done < JOBS; done += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, () => load.job({ merge: false, followUp })),
      );
  });
  const { rows } = await parts.docent.query<{ id: string }>(
    'select id from jobs where project_id = $1 order by created_at desc limit 1',
    [projects[0]],
  );
  const connection = await Connection.connect({ address: cluster.temporalAddress });
  const description = await new Client({ connection }).workflow
    .getHandle(rows[0]?.id ?? '')
    .describe();
  await connection.close();
  return {
    ...price,
    historyEvents: description.historyLength,
    historyBytes: description.historySize ?? 0,
  };
}

export async function priceOfQuestions(parts: Parts, load: Load): Promise<Price> {
  return await difference(parts, QUESTIONS, async () => {
    for (let done = 0; done < QUESTIONS; done += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => load.question()));
  });
}

async function difference(
  parts: Parts,
  count: number,
  work: () => Promise<unknown>,
): Promise<Price> {
  const [rows, bytes] = [await parts.rows(), await parts.disk()];
  await work();
  return {
    rows: perOne(rows, await parts.rows(), count, 100),
    bytes: perOne(bytes, await parts.disk(), count, 1),
  };
}

/** What has grown, by one; rounded to `1 / digits`. */
function perOne(before: Sizes, after: Sizes, count: number, digits: number): Sizes {
  return Object.fromEntries(
    Object.entries(after)
      .map(([part, value]) => {
        const grown = (value - (before[part] ?? 0)) / count;
        return [part, Math.round(grown * digits) / digits] as const;
      })
      .filter(([, grown]) => grown > 0)
      .toSorted(([, a], [, b]) => b - a),
  );
}
