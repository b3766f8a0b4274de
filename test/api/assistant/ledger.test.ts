import { HOLDER } from '../../../db/holder.ts';
import { closeLostCalls, keyCostThisMonth } from '../../../db/models/model-calls.ts';
import { createLogger } from '../../../shared/logger.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { until } from '../../support/until.ts';
import { question, startAssistant, type TestAssistant } from './harness.ts';

const PATH = '/discovery/v2/assistant/acme/message';
const ASK = { fp: 'anonymous', messages: [question('How do I install it?')] };
const UNABLE = '53100'; // a full disk

let assistant: TestAssistant;
let reply: ScriptedReply = { text: 'ok' };
beforeAll(async () => {
  assistant = await startAssistant(
    () => reply,
    { MODEL_PRICES: '{"claude-sonnet-5-5":{"input":1,"output":1}}' },
    undefined,
    createLogger('silent'),
  );
});
afterAll(() => assistant.close());
beforeEach(async () => {
  reply = { text: 'ok' };
  await assistant.pool.query('truncate model_calls, model_costs');
});

async function rows() {
  const { rows: found } = await assistant.pool.query<Record<string, unknown>>(
    `select outcome, request_id as "requestId", cost_microusd as cost, holder,
            settled_at is not null as settled from model_calls order by started_at`,
  );
  return found;
}

/** From here on Postgres cannot write such a row, as on a full disk. */
async function failing(event: 'insert' | 'update', work: () => Promise<void>): Promise<void> {
  await assistant.pool.query(
    `create or replace function refuse() returns trigger language plpgsql as
       $$ begin raise exception 'No space left on device' using errcode = '${UNABLE}'; end $$;
     create trigger refuse before ${event} on model_calls execute function refuse()`,
  );
  try {
    await work();
  } finally {
    await assistant.pool.query('drop trigger refuse on model_calls');
  }
}

it('a call is in the ledger while it is made, with the server’s request id and its process', async () => {
  reply = { text: 'late', silentMs: 30_000 };
  const left = new AbortController();
  const asked = assistant
    .post(PATH, ASK, { signal: left.signal })
    .then(response => response.text());
  await until(
    'the server has answered',
    async () => typeof (await rows())[0]?.['requestId'] === 'string',
  );
  expect(await rows()).toMatchObject([
    { outcome: 'started', settled: false, holder: HOLDER, requestId: expect.any(String) },
  ]);
  // Its process lives: nobody else closes it.
  await assistant.pool.query(`update model_calls set started_at = now() - interval '2 days'`);
  expect(await closeLostCalls(assistant.pool, 10)).toBe(0);
  left.abort();
  await expect(asked).rejects.toThrow();
  await until('it is settled', async () => (await rows())[0]?.['settled'] === true);
});

it('where the call cannot be entered it is not made: 503, and a use that works afterwards', async () => {
  const before = assistant.model.requests.length;
  await failing('insert', async () => {
    const response = await assistant.post(PATH, ASK);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).not.toBeNull();
  });
  expect(assistant.model.requests).toHaveLength(before);
  expect((await assistant.ask()).status).toBe(200);
  expect(await rows()).toMatchObject([{ outcome: 'ok', settled: true }]);
});

it('a settlement that fails is repeated until it is stored, once; the reader does not wait', async () => {
  await failing('update', async () => {
    expect((await assistant.ask()).text).toBe('ok');
    expect(await rows()).toMatchObject([{ outcome: 'started', settled: false }]);
  });
  await until('it is settled', async () => (await rows())[0]?.['settled'] === true, 20_000);
  const [row] = await rows();
  expect(row).toMatchObject({ outcome: 'ok', cost: expect.any(Number) });
  expect(await keyCostThisMonth(assistant.pool, assistant.keyId)).toBe(row?.['cost']);
}, 30_000);

it('what a killed process left is closed by the sweep, and corrected by whoever settles it after all', async () => {
  await failing('update', async () => {
    await assistant.ask();
    await assistant.pool.query('alter table model_calls disable trigger refuse');
    await assistant.pool.query(
      `update model_calls set holder = $1, started_at = now() - interval '20 seconds'`,
      [HOLDER === 1 ? 2 : HOLDER - 1],
    );
    expect(await closeLostCalls(assistant.pool, 10)).toBe(1);
    expect(await rows()).toMatchObject([{ outcome: 'lost', settled: true, cost: null }]);
    expect(await closeLostCalls(assistant.pool, 10)).toBe(0);
  });
  await until('it is settled', async () => (await rows())[0]?.['outcome'] === 'ok', 20_000);
}, 30_000);

it('an answer that makes no call leaves no entry', async () => {
  await assistant.pool.query('alter table search_pages rename to search_pages_away');
  try {
    await assistant.ask();
  } finally {
    await assistant.pool.query('alter table search_pages_away rename to search_pages');
  }
  expect(await rows()).toEqual([]);
});
