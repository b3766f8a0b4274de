import { createHash } from 'node:crypto';
import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { uploadType } from '../../shared/images/image-type.ts';
import { createLogger } from '../../shared/logger.ts';
import { startDashboard, type TestDashboard } from '../dashboard/api/harness.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const MIB = 1024 * 1024;
const large = (bytes: number, mark: string) =>
  Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length, mark)]);

let api: TestDashboard;
beforeAll(async () => {
  api = await startDashboard();
});
afterAll(() => api.close());

const upload = (bytes: Buffer, name = 'a.png') =>
  api.call('POST', `${api.base}/upload`, { body: { name, data: bytes.toString('base64') } });
const idOf = async (bytes: Buffer) => (await upload(bytes)).json<{ id: string }>().id;

it('an image is known by its bytes, and the same bytes are one upload', async () => {
  const first = await upload(PNG, 'login.gif');
  expect(first.statusCode).toBe(201);
  expect(first.json()).toEqual({
    id: expect.stringMatching(/^upl_/),
    name: 'login.gif',
    mediaType: 'image/png',
    size: PNG.length,
    createdAt: expect.any(String),
  });
  const again = await upload(PNG, 'login.png');
  expect(again.json()).toMatchObject({ id: first.json<{ id: string }>().id, name: 'login.png' });
});

it.each<[string, string, number, string]>([
  ['text', Buffer.from('# A page').toString('base64'), 400, 'not a PNG'],
  ['HTML that has an SVG in it', Buffer.from('<p><svg>').toString('base64'), 400, 'not a PNG'],
  ['an icon', Buffer.from('\0\0\x01\0\0\0').toString('base64'), 400, 'not a PNG'],
  ['no base64', 'data:image/png;', 400, 'must be base64'],
  ['too much', large(MIB + 1, 'x').toString('base64'), 413, 'larger than 1 MiB'],
])('%s is refused', async (_, data, code, words) => {
  const { statusCode, body } = await api.call('POST', `${api.base}/upload`, {
    body: { name: 'a.png', data },
  });
  expect([statusCode, body]).toEqual([code, expect.stringContaining(words)]);
});

it.each(['a/b.png', '..\\b', 'a\u0000', ''])('a name %j is refused', async name => {
  const data = PNG.toString('base64');
  expect((await api.call('POST', `${api.base}/upload`, { body: { name, data } })).statusCode).toBe(
    400,
  );
});

it.each<[string, string | undefined]>([
  ['<?xml version="1.0"?>\n<!-- a -->\n<svg viewBox="0 0 1 1"/>', 'image/svg+xml'],
  ['\ufeff<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg>', 'image/svg+xml'],
  ['<!DOCTYPE svg [<!ENTITY x "y">]><svg>', undefined],
  [`${'<!-- a -->'.repeat(3_000)}<svg>`, undefined],
  ['<svgx>', undefined],
])('%j is %s', (text, type) => {
  const begun = Date.now();
  expect(uploadType(Buffer.from(text))).toBe(type);
  expect(Date.now() - begun).toBeLessThan(50);
});

it('an instruction has those of its project, five at most and 3 MiB together, once per key', async () => {
  const create = (uploads: string[], headers = {}) =>
    api.call('POST', `${api.base}/job`, { body: { prompt: 'Look', uploads }, headers });
  const id = await idOf(PNG);
  const unknown = await create([id, 'upl_none']);
  expect([unknown.statusCode, unknown.body]).toEqual([
    400,
    expect.stringContaining('There is no upload upl_none in this project.'),
  ]);
  expect((await create([id, id])).statusCode).toBe(400);
  const many = await Promise.all('123456'.split('').map(mark => idOf(large(200, mark))));
  expect((await create(many)).statusCode).toBe(400);
  const heavy = await Promise.all('abcd'.split('').map(mark => idOf(large(MIB, mark))));
  expect((await create(heavy)).body).toContain('3 MiB together');
  expect((await api.pool.query('select 1 from jobs')).rowCount).toBe(0);

  const key = { 'idempotency-key': 'once' };
  const made = await create([many[0]!, id], key);
  expect(made.statusCode).toBe(201);
  const repeated = await create([many[0]!, id], key);
  expect(repeated.json()).toMatchObject({ id: made.json<{ id: string }>().id });
  expect((await create([id], key)).statusCode).toBe(422);
  const { rows } = await api.pool.query(
    'select upload_id from instruction_uploads order by position',
  );
  expect(rows).toEqual([{ upload_id: many[0] }, { upload_id: id }]);

  // Another project of the same organization does not have it.
  await api.pool.query(
    `insert into projects (id, organization_id, name, domain, host, repository, repository_url,
                           base_ref, docs_folder)
     select 'prj_other', organization_id, 'Other', 'other', host, repository, repository_url,
            base_ref, docs_folder from projects where id = $1`,
    [api.tenant.project.id],
  );
  const foreign = await api.call('POST', '/v2/agent/prj_other/job', {
    body: { prompt: 'Look', uploads: [id] },
  });
  expect([foreign.statusCode, foreign.body]).toEqual([
    400,
    expect.stringContaining(`There is no upload ${id} in this project.`),
  ]);
});

it('unused ones are deleted after a day, used ones with their job; and there are not too many', async () => {
  const left = await idOf(large(100, 'left'));
  const young = await idOf(large(100, 'young'));
  await api.pool.query(
    "update uploads set created_at = now() - interval '25 hours' where id <> $1",
    [young],
  );
  const sweep = () => sweepJobs({ ...api, log: createLogger('silent') });
  await sweep();
  const ids = async () =>
    (await api.pool.query<{ id: string }>('select id from uploads')).rows.map(({ id }) => id);
  expect(await ids()).not.toContain(left);
  expect(await ids()).toHaveLength(3);
  await api.pool.query('delete from jobs');
  await api.pool.query(
    "update uploads set created_at = now() - interval '25 hours' where id <> $1",
    [young],
  );
  await sweep();
  expect(await ids()).toEqual([young]);
  for (let n = 0; n < 199; n++) {
    const hash = createHash('sha256').update(String(n)).digest();
    await api.pool.query(
      `insert into uploads (id, project_id, sha256, name, media_type, bytes)
       values ($1, $2, $3, 'x', 'image/png', '')`,
      [`upl_${n}`, api.tenant.project.id, hash],
    );
  }
  const full = await upload(large(100, 'more'));
  expect([full.statusCode, full.headers['retry-after']]).toEqual([429, '600']);
});

it('people who may start jobs may upload; viewers may not', async () => {
  await api.pool.query('delete from uploads');
  const path = `/projects/${api.tenant.project.id}/uploads`;
  const body = { name: 'a.png', data: PNG.toString('base64') };
  const member = await api.signIn('bea@acme.test', 'member');
  expect(await member.json('POST', path, body)).toMatchObject({ mediaType: 'image/png' });
  const viewer = await api.signIn('vic@acme.test', 'viewer');
  expect((await viewer.call('POST', path, { body })).statusCode).toBe(403);
});
