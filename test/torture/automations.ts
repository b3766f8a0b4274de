import { setTimeout as delay } from 'node:timers/promises';
import { parseDefinition } from '../../automations/definition.ts';
import { automationPath } from '../../automations/read-files.ts';
import { listAutomations, storeAutomations } from '../../db/automations/automations.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import type { Project } from '../../db/projects/projects.ts';
import type { Dice } from '../jobs/random/dice.ts';
import { instruction } from './model.ts';

export const AUTOMATION_FILE = automationPath('docs', 'log');
export const AUTOMATION = `---\nname: Log\non: manual\ndraft: false\n---\n\n${instruction('m0x')}.\n`;
const ATTEMPT_MS = 15_000;
const DONE_MS = 3 * 60_000;

/** The automation of the file, without waiting for an index. */
export async function addAutomation(pool: Pool, { id }: Project): Promise<string> {
  const definition = parseDefinition(AUTOMATION, []);
  const { name } = definition;
  await transaction(pool, tx =>
    storeAutomations(tx, id, [{ path: AUTOMATION_FILE, name, definition, problem: null }]),
  );
  return (await listAutomations(pool, id))[0]!.id;
}

/** What runs are started on. */
interface Started {
  apis: readonly { url: string }[];
  project: { id: string };
  adminKey: string;
  automationId: string;
  pool: Pool;
}

/** Starts runs now and then until `end`; the ids of those that were acknowledged. */
export async function startRuns(
  { apis, project, adminKey, automationId }: Started,
  luck: Dice,
  end: number,
): Promise<string[]> {
  const acknowledged: string[] = [];
  while (Date.now() < end) {
    const { url } = apis[luck.below(apis.length)]!;
    const run = await fetch(`${url}/v1/workflow/${project.id}/${automationId}/trigger`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}` },
      signal: AbortSignal.timeout(ATTEMPT_MS),
    })
      .then(async answer => (answer.ok ? ((await answer.json()) as { instanceId: string }) : null))
      .catch(() => null);
    if (run) acknowledged.push(run.instanceId);
    await delay(3_000 + luck.below(10_000));
  }
  return acknowledged;
}

/** Each run ends, as one turn of the one job, whatever was killed meanwhile. */
export async function judgeRuns(
  { pool, automationId }: Pick<Started, 'pool' | 'automationId'>,
  acknowledged: readonly string[],
): Promise<string[]> {
  const read = async () =>
    (
      await pool.query<{ id: string; state: string; job: string | null; taken: number }>(
        `select r.id, r.state, r.job_id as job,
                (select count(*)::int from instructions i
                  where i.job_id = r.job_id and i.message_id = r.message_id
                    and i.state = 'taken') as taken
           from automation_runs r where r.automation_id = $1`,
        [automationId],
      )
    ).rows;
  let runs = await read();
  for (const until = Date.now() + DONE_MS; Date.now() < until; await delay(1_000)) {
    if (runs.every(({ state }) => state === 'done')) break;
    runs = await read();
  }
  const known = new Set(runs.map(({ id }) => id));
  const jobs = new Set(runs.flatMap(({ job }) => job ?? []));
  return [
    ...acknowledged.filter(id => !known.has(id)).map(id => `${id} was acknowledged and is gone`),
    ...runs.filter(({ state }) => state !== 'done').map(({ id, state }) => `${id} is ${state}`),
    ...runs.filter(({ taken }) => taken !== 1).map(({ id, taken }) => `${id}: ${taken} turns`),
    ...(jobs.size > 1 ? [`the automation has ${jobs.size} jobs`] : []),
  ];
}
