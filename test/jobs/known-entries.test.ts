import { forgetEntries, newEntry, readTranscript } from '../../db/jobs/transcript.ts';
import { asStored, jsonText } from '../../db/json.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const NAMES = 'id a b ä zz é1 日 10 9 input Input _ 🎉 x-y'.split(' ');
const NUMBERS = [0, -0, 1.5, 1e21, 1e-7, 2 ** 63];
const LEAVES = ['', 'a\u0000b', '\ud83c', '🎉', ...NUMBERS, true, null];

/** The same for the same seed. */
function anyJson(random: () => number, depth = 0): unknown {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const several = () => Array.from({ length: Math.floor(random() * 6) });
  const kind = depth > 3 ? 1 : random();
  if (kind < 0.4)
    return Object.fromEntries(several().map(() => [pick(NAMES), anyJson(random, depth + 1)]));
  return kind < 0.6 ? several().map(() => anyJson(random, depth + 1)) : pick(LEAVES);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

it('orders members as Postgres does', async () => {
  const random = seeded(42);
  const texts = Array.from({ length: 500 }, () => jsonText(anyJson(random)));
  const { rows } = await database.pool.query<{ value: unknown }>(
    `select value::jsonb from unnest($1::text[]) with ordinality as t (value, n) order by n`,
    [texts],
  );
  const written = rows.map(({ value }) => JSON.stringify(value));
  expect(texts.map(text => JSON.stringify(asStored(JSON.parse(text))))).toEqual(written);
});

it('knows what it has written, and gives what a read would give', async () => {
  const { pool } = database;
  const step = { jobId: 'job_known', kind: 'assistant', turn: 1, step: 1 } as const;
  const input = { command: 'view', path: 'a.md', b: { zz: 1, y: '\u0000' } };
  const first = newEntry({
    ...step,
    parent: null,
    content: [{ type: 'tool_use', name: 'editor', id: 'toolu_1', input }],
    meta: { stopReason: 'tool_use', model: 'x' },
  });
  const second = newEntry({
    ...step,
    parent: first.id,
    content: [{ text: 'a', type: 'text' }],
  });
  // Without the job's row there is nothing to read: it is known.
  const [one, two] = await readTranscript(pool, second.id);
  const { rows } = await pool.query<{ content: unknown; meta: unknown }>(
    'select $1::jsonb as content, $2::jsonb as meta',
    [jsonText(one!.content), jsonText(one!.meta)],
  );
  expect(JSON.stringify([one!.content, one!.meta])).toBe(
    JSON.stringify([rows[0]!.content, rows[0]!.meta]),
  );
  expect(one).toMatchObject({ id: first.id, parent_id: null, depth: 0 });
  expect(two).toMatchObject({ id: second.id, parent_id: first.id, depth: 1 });
  forgetEntries();
  expect(await readTranscript(pool, second.id)).toEqual([]);
  expect(() => one!.content.push({ type: 'text', text: 'changed' })).toThrow(TypeError);
});

it('knows a chain whole or not at all', async () => {
  const step = { jobId: 'job_partial', kind: 'user', turn: 1, step: 1 } as const;
  const add = (parent: string | null, text: string) =>
    newEntry({ ...step, parent, content: [{ type: 'text', text }] }).id;
  const second = add(add(null, 'first'), 'second');
  // Each uses the second entry again, until the first has to go.
  for (let i = 0; i < 18; i++) add(second, 'x'.repeat(1_000_000));
  const third = add(second, 'third');
  // What is not known is read; without the job's row there is nothing.
  expect(await readTranscript(database.pool, third)).toEqual([]);
});
