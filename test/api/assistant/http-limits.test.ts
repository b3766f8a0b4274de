import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { SLOW } from '../../support/slow.ts';
import { testProgram } from '../../support/services.ts';
import { createSite, question, SITE, startAssistant, type TestAssistant } from './harness.ts';

/** In the slow lane 300 of 2,000, by each limit. One statement counts all three. */
const LIMIT = SLOW ? 300 : 80;
const ATTEMPTS = SLOW ? 2_000 : 400;
const MORE_ATTEMPTS = SLOW ? 2_000 : 200;
const PROCESSES = 5;

let assistant: TestAssistant;
let processes: { child: ChildProcess; url: string }[];
beforeAll(async () => {
  assistant = await startAssistant(() => ({ text: 'ok' }));
  const argument = JSON.stringify({
    DATABASE_URL: assistant.databaseUrl,
    ANTHROPIC_BASE_URL: assistant.model.url,
    ANTHROPIC_API_KEY: 'test',
    DATABASE_POOL_SIZE: '8',
    ASSISTANT_KEY_MONTHLY_LIMIT: String(LIMIT),
    ASSISTANT_ORGANIZATION_HOURLY_LIMIT: String(2 * LIMIT),
    ASSISTANT_ADDRESS_DAILY_LIMIT: String(4 * LIMIT),
  });
  processes = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const child: ChildProcess = fork(testProgram('assistant'), [argument]);
      const [url] = (await once(child, 'message')) as [string];
      return { child, url };
    }),
  );
}, 60_000);
afterAll(async () => {
  for (const { child } of processes) child.kill();
  await assistant.close();
});

const BODY = JSON.stringify({ fp: 'anonymous', messages: [question('How do I install it?')] });

/** The status of an answer, which must have an end; 0 where the connection broke. */
async function attempt(url: string, domain: string, key: string): Promise<number> {
  const response = await fetch(`${url}/discovery/v2/assistant/${domain}/message`, {
    method: 'POST',
    body: BODY,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  }).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  if (!response || text === undefined) return 0;
  if (response.status === 200 && !text.includes('"type":"finish"'))
    throw new Error(`an answer without an end: ${text}`);
  return response.status;
}

it('passes no more than the limit, and no fewer, when a process is killed meanwhile', async () => {
  const site = await createSite(assistant.pool, SITE, 'site-of-the-kill');
  const { token } = await assistant.createKey({
    organizationId: site.organizationId,
    projectId: site.project.id,
  });
  let answered = 0;
  const statuses = await Promise.all(
    Array.from({ length: ATTEMPTS }, async (_, i) => {
      const status = await attempt(processes[i % PROCESSES]!.url, 'site-of-the-kill', token);
      if (++answered === 30) processes[0]!.child.kill('SIGKILL');
      return status;
    }),
  );
  expect(statuses.filter(status => status === 0).length).toBeGreaterThan(0);
  const { rows } = await assistant.pool.query(`select n from limit_counts where scope = 'key'`);
  expect(rows).toEqual([{ n: LIMIT }]);
  const passed = statuses.filter(status => status === 200).length;
  // What the dead process had counted and not answered is used up; nothing was granted twice.
  expect(passed).toBeLessThanOrEqual(LIMIT);
  expect(statuses.filter(status => status === 429).length).toBeGreaterThan(0);
}, 120_000);

it('passes exactly as many of many at once as the limit on the key, on the organization and on the address allows', async () => {
  const plenty = { monthlyLimit: 1_000_000 };
  const neighbour = await createSite(assistant.pool, SITE, 'neighbour');
  const ofNeighbour = { organizationId: neighbour.organizationId, projectId: neighbour.project.id };
  const rounds: [string, string, number][] = [
    ['acme', assistant.key, ATTEMPTS],
    ['acme', (await assistant.createKey(plenty)).token, MORE_ATTEMPTS],
    ['neighbour', (await assistant.createKey({ ...plenty, ...ofNeighbour })).token, MORE_ATTEMPTS],
  ];
  const alive = processes.slice(1);
  for (const [domain, key, attempts] of rounds) {
    const statuses = await Promise.all(
      Array.from({ length: attempts }, (_, i) =>
        attempt(alive[i % alive.length]!.url, domain, key),
      ),
    );
    expect({
      passed: statuses.filter(status => status === 200).length,
      refused: statuses.filter(status => status === 429).length,
    }).toEqual({ passed: LIMIT, refused: attempts - LIMIT });
  }
  const { rows } = await assistant.pool.query<{ scope: string; n: number }>(
    'select scope, n from limit_counts order by scope, n',
  );
  expect(rows.map(row => [row.scope, row.n])).toEqual([
    ['address', 4 * LIMIT],
    ['key', LIMIT],
    ['key', LIMIT],
    ['key', LIMIT],
    ['key', LIMIT],
    ['organization', LIMIT],
    ['organization', LIMIT],
    ['organization', 2 * LIMIT],
  ]);
}, 180_000);
