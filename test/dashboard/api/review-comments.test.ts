import type { ReviewComment, ReviewCommentList } from '../../../api/dashboard/contract/review.ts';
import { deleteJob } from '../../../db/jobs/removal.ts';
import { type Browser, startDashboard, type TestDashboard } from './harness.ts';

let dashboard: TestDashboard;
let people: Record<'owner' | 'ada' | 'bob' | 'viewer', Browser>;
let jobId: string;
let path: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  people = {
    owner: await dashboard.signIn('owner@acme.test', 'owner'),
    ada: await dashboard.signIn('ada@acme.test', 'member'),
    bob: await dashboard.signIn('bob@acme.test', 'member'),
    viewer: await dashboard.signIn('viewer@acme.test', 'viewer'),
  };
  jobId = (await dashboard.createJob()).id;
  await dashboard.restJob(jobId);
  path = `/projects/${dashboard.tenant.project.id}/jobs/${jobId}/comments`;
});
afterAll(() => dashboard?.close());

const comment = (text: string, line: number | null = 3) => ({
  file: 'docs/index.md',
  line,
  quote: 'A passage',
  text,
});
const add = (by: Browser, text: string) => by.json<ReviewComment>('POST', path, comment(text));
const listed = async (by: Browser) => (await by.json<ReviewCommentList>('GET', path)).comments;
const status = async (...request: Parameters<Browser['call']>) =>
  (await people.ada.call(...request)).statusCode;

it('keeps what members write for everyone who may read the job', async () => {
  const { ada, bob, viewer } = people;
  const mine = await add(ada, 'Shorter, please.');
  expect(mine).toMatchObject({ ...comment('Shorter, please.'), author: 'ada', deletable: true });
  await add(bob, 'Which version?');
  expect(await listed(viewer)).toMatchObject([
    { id: mine.id, text: 'Shorter, please.', author: 'ada', deletable: false, state: 'open' },
    { text: 'Which version?', author: 'bob', deletable: false, state: 'open' },
  ]);
  expect((await viewer.call('POST', path, { body: comment('x') })).statusCode).toBe(403);
  expect(await status('POST', path, { body: { ...comment('x'), line: 0 } })).toBe(400);
  expect(await status('POST', path, { body: comment(' ') })).toBe(400);
});

it('lets any member resolve a comment, and its author or an owner delete it', async () => {
  const { ada, bob, owner } = people;
  const { id } = await add(ada, 'Passing thought.');
  expect(
    (await bob.json<ReviewCommentList>('PATCH', `${path}/${id}`, { resolved: true })).comments.find(
      each => each.id === id,
    )?.state,
  ).toBe('resolved');
  expect((await bob.call('DELETE', `${path}/${id}`)).statusCode).toBe(403);
  expect((await owner.call('DELETE', `${path}/${id}`)).statusCode).toBe(200);
  expect((await ada.call('DELETE', `${path}/${id}`)).statusCode).toBe(404);
  expect((await listed(ada)).length).toBe(2);
});

it('sends what is open as one follow-up, once, and opens it again if nobody read it', async () => {
  const { ada, bob, viewer } = people;
  const instructions = async () =>
    (
      await dashboard.pool.query<{ prompt: string; state: string }>(
        `select prompt, state from instructions where job_id = $1 and source = 'dashboard'
          order by seq`,
        [jobId],
      )
    ).rows;
  expect((await viewer.call('POST', `${path}/send`)).statusCode).toBe(403);
  const answers = await Promise.all([ada, bob].map(each => each.call('POST', `${path}/send`)));
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const sent = await instructions();
  expect(sent.map(({ prompt }) => prompt)).toEqual([
    'Change the pull request as these review comments ask:\n\n' +
      '1. docs/index.md, line 3:\n> A passage\nShorter, please.\n\n' +
      '2. docs/index.md, line 3:\n> A passage\nWhich version?',
  ]);
  const [first] = await listed(ada);
  expect((await listed(ada)).map(({ state }) => state)).toEqual(['sent', 'sent']);
  expect(await status('DELETE', `${path}/${first!.id}`)).toBe(409);

  await dashboard.pool.query(`update instructions set state = 'dropped' where job_id = $1`, [
    jobId,
  ]);
  expect((await listed(ada)).map(({ state }) => state)).toEqual(['open', 'open']);
  await dashboard.restJob(jobId);
  expect(await status('POST', `${path}/send`)).toBe(200);
  expect((await instructions()).length).toBe(2);
});

it('keeps threads: replies have the place of the first comment, and resolve with it', async () => {
  const { ada, bob, viewer } = people;
  const { id } = await dashboard.createJob();
  await dashboard.restJob(id);
  const other = `/projects/${dashboard.tenant.project.id}/jobs/${id}`;
  const first = await ada.json<ReviewComment>('POST', `${other}/comments`, comment('Too long.'));
  const body = { ...comment('Agreed.', 99), file: 'elsewhere.md', parentId: first.id };
  const reply = await bob.json<ReviewComment>('POST', `${other}/comments`, body);
  expect(reply).toMatchObject({ ...comment('Agreed.'), parentId: first.id, editable: true });
  const nested = await ada.json<ReviewComment>('POST', `${other}/comments`, {
    ...body,
    parentId: reply.id,
  });
  expect(nested.parentId).toBe(first.id);
  const at = (commentId: string) => `${other}/comments/${commentId}`;
  expect((await ada.call('DELETE', at(first.id))).statusCode).toBe(409); // with bob's words
  expect(await status('PATCH', at(reply.id), { body: { text: 'Mine now.' } })).toBe(403);
  const edited = await bob.json<ReviewCommentList>('PATCH', at(reply.id), { text: 'Agreed!' });
  expect(edited.comments[1]).toMatchObject({ text: 'Agreed!', editedAt: expect.any(String) });
  const resolved = await bob.json<ReviewCommentList>('PATCH', at(first.id), { resolved: true });
  expect(resolved.comments.map(({ state }) => state)).toEqual(['resolved', 'resolved', 'resolved']);
  expect(
    await status('POST', `${other}/comments`, { body: { ...body, parentId: 'cmt_unknown' } }),
  ).toBe(404);

  expect((await viewer.call('POST', `${other}/approval`)).statusCode).toBe(403);
  await bob.call('POST', `${other}/approval`);
  await ada.call('POST', `${other}/approval`);
  await ada.json('PATCH', at(first.id), { resolved: false });
  const { verdicts } = await ada.json<ReviewCommentList>('POST', `${other}/comments/send`);
  expect(verdicts).toMatchObject([
    { author: 'bob', verdict: 'approved' },
    { author: 'ada', verdict: 'changes_requested' },
  ]);
  expect(await status('PATCH', at(nested.id), { body: { text: 'Too late.' } })).toBe(403);
  await dashboard.pool.query('update jobs set turns = turns + 1 where id = $1', [id]);
  const later = await viewer.json<ReviewCommentList>('GET', `${other}/comments`);
  expect(later.verdicts.map(({ isOld }) => isOld)).toEqual([true, true]);
});

it('refuses more than one follow-up can carry', async () => {
  const { id } = await dashboard.createJob();
  const other = `/projects/${dashboard.tenant.project.id}/jobs/${id}/comments`;
  const long = comment('x'.repeat(4_000));
  const codes: number[] = [];
  for (let i = 0; i < 23; i += 1) codes.push(await status('POST', other, { body: long }));
  expect(codes.filter(code => code === 409).length).toBeGreaterThan(0);
  expect(codes.filter(code => code === 201).length).toBeGreaterThan(20);
  expect(await status('PATCH', `${other}/cmt_unknown`, { body: { resolved: true } })).toBe(404);
});

it('sends what fits where more than that is open again, and then the rest', async () => {
  const { id } = await dashboard.createJob();
  await dashboard.restJob(id);
  const other = `/projects/${dashboard.tenant.project.id}/jobs/${id}/comments`;
  const states = async () =>
    (await people.ada.json<ReviewCommentList>('GET', other)).comments.map(({ state }) => state);
  const count = (all: string[], wanted: string) => all.filter(each => each === wanted).length;
  const write = async (text: string) => {
    for (let i = 0; i < 15; i += 1)
      expect(await status('POST', other, { body: comment(text.repeat(4_000)) })).toBe(201);
  };
  await write('a');
  expect(await status('POST', `${other}/send`)).toBe(200);
  await write('b');
  // Nobody has read the first ones: the job was cancelled.
  await dashboard.pool.query(`update instructions set state = 'dropped' where job_id = $1`, [id]);
  await dashboard.restJob(id);
  expect(count(await states(), 'open')).toBe(30);

  expect(await status('POST', `${other}/send`)).toBe(200);
  expect(count((await states()).slice(0, 20), 'sent')).toBe(20);
  const { rows } = await dashboard.pool.query<{ length: number }>(
    `select max(length(prompt)) as length from instructions where job_id = $1`,
    [id],
  );
  expect(rows[0]!.length).toBeLessThanOrEqual(100_000);
  expect(await status('POST', `${other}/send`)).toBe(200);
  expect(count(await states(), 'sent')).toBe(30);
});

it('deletes comments with their job', async () => {
  const count = async () =>
    (await dashboard.pool.query('select 1 from review_comments where job_id = $1', [jobId]))
      .rowCount;
  expect(await count()).toBe(2);
  await deleteJob(dashboard.pool, jobId);
  expect(await count()).toBe(0);
});
