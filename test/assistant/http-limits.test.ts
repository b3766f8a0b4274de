import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { testProgram } from '../support/services.ts';
import { createSite, question, SITE, startAssistant, type TestAssistant } from './harness.ts';

const LIMIT = 300;
const ATTEMPTS = 2_000;
/**
 * By the limits on the organization and on the address: one statement counts all three.
 * REQUESTS=all sends as many as by the limit on the key.
 */
const MORE_ATTEMPTS = process.env['REQUESTS'] === 'all' ? ATTEMPTS : 600;
/** API processes of their own over the test's database and model. */
async function startProcesses(
  assistant: TestAssistant,
  count: number,
  settings: Record<string, string>,
) {
  const argument = JSON.stringify({
    DATABASE_URL: assistant.databaseUrl,
    ANTHROPIC_BASE_URL: assistant.model.url,
    ANTHROPIC_API_KEY: 'test',
    DATABASE_POOL_SIZE: '8',
    ...settings,
  });
  return Promise.all(
    Array.from({ length: count }, async () => {
      const child: ChildProcess = fork(testProgram('assistant'), [argument]);
      const [url] = (await once(child, 'message')) as [string];
      return { child, url };
    }),
  );
}

it('passes exactly 300 of 2,000 concurrent requests to four processes, by the limit on the key, on the organization and on the address', async () => {
  const assistant = await startAssistant(() => ({ text: 'ok' }));
  const processes = await startProcesses(assistant, 4, {
    ASSISTANT_KEY_MONTHLY_LIMIT: String(LIMIT),
    ASSISTANT_ORGANIZATION_HOURLY_LIMIT: String(2 * LIMIT),
    ASSISTANT_ADDRESS_DAILY_LIMIT: String(3 * LIMIT),
  });
  const body = JSON.stringify({ fp: 'anonymous', messages: [question('How do I install it?')] });
  const attempt = async (domain: string, key: string, i: number): Promise<number> => {
    const response = await fetch(
      `${processes[i % 4]!.url}/discovery/v2/assistant/${domain}/message`,
      {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      },
    );
    const text = await response.text();
    if (response.status === 200 && !text.includes('"type":"finish"'))
      throw new Error(`an answer without an end: ${text}`);
    return response.status;
  };
  try {
    const plenty = { monthlyLimit: 1_000_000 };
    const neighbour = await createSite(assistant.pool, SITE, 'neighbour');
    const rounds: [string, string, number][] = [
      ['acme', assistant.key, ATTEMPTS],
      ['acme', (await assistant.createKey(plenty)).token, MORE_ATTEMPTS],
      [
        'neighbour',
        (
          await assistant.createKey({
            ...plenty,
            organizationId: neighbour.organizationId,
            projectId: neighbour.project.id,
          })
        ).token,
        MORE_ATTEMPTS,
      ],
    ];
    for (const [domain, key, attempts] of rounds) {
      const statuses = await Promise.all(
        Array.from({ length: attempts }, async (_, i) => attempt(domain, key, i)),
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
      ['address', 3 * LIMIT],
      ['key', LIMIT],
      ['key', LIMIT],
      ['key', LIMIT],
      ['organization', LIMIT],
      ['organization', 2 * LIMIT],
    ]);
  } finally {
    for (const { child } of processes) child.kill();
    await assistant.close();
  }
}, 180_000);

it('passes no more than the limit, and no fewer, when a process is killed meanwhile', async () => {
  const assistant = await startAssistant(() => ({ text: 'ok' }));
  const processes = await startProcesses(assistant, 4, {
    ASSISTANT_KEY_MONTHLY_LIMIT: String(LIMIT),
  });
  try {
    const body = JSON.stringify({ fp: 'anonymous', messages: [question('How do I install it?')] });
    let answered = 0;
    const statuses = await Promise.all(
      Array.from({ length: 1_000 }, async (_, i) => {
        const status = await fetch(`${processes[i % 4]!.url}/discovery/v2/assistant/acme/message`, {
          method: 'POST',
          body,
          headers: { authorization: `Bearer ${assistant.key}`, 'content-type': 'application/json' },
        })
          .then(async response => {
            await response.text();
            return response.status;
          })
          .catch(() => 0);
        if (++answered === 50) processes[0]!.child.kill('SIGKILL');
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
  } finally {
    for (const { child } of processes) child.kill();
    await assistant.close();
  }
}, 120_000);
