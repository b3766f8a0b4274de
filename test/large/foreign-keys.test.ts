import { testDatabase, type TestDatabase } from '../support/services.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Tables of few rows, or what refers to organizations, of which none is deleted. */
const SMALL = [
  'api_keys.rotated_from',
  'github_proofs.organization_id',
  'github_ways.organization_id',
  'idempotency_keys.organization_id',
  'invitations.created_by',
  'reset_links.user_id',
];

it('each foreign key has an index, so that a row can go without a look at all rows', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select c.conrelid::regclass || '.' || string_agg(a.attname, ', ' order by k.n) as name
       from pg_constraint c
       cross join lateral unnest(c.conkey) with ordinality as k (column_number, n)
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.column_number
      where c.contype = 'f' and not exists (
        -- One that begins with its columns, or has the first of them and few rows for each.
        select from pg_index i where i.indrelid = c.conrelid
           and (i.indkey::smallint[])[0] = c.conkey[1])
      group by c.oid, c.conrelid order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(SMALL);
});
