import { usedRepositories } from '../../db/jobs/reconcile.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, finish } from '../support/replies.ts';

const GUIDE = '# Guide\n\nThe first line.\n\nThe second line.\n';
const BOT = { name: 'Zoë (Docs)', email: '1+docs[bot]@users.noreply.example.com' };

let stack: JobStack;
beforeAll(async () => {
  stack = await startJobStack({
    files: { 'docs/guide.md': GUIDE },
    script: [
      edit('first', 'FIRST'),
      finish('Shout the first'),
      edit('second', 'SECOND'),
      finish('Shout the second'),
      edit('# Guide', '# Guidebook'),
      finish('Name it'),
    ],
  });
}, 120_000);
afterAll(() => stack?.close());

const set = (settings: object) =>
  stack.pool.query('update projects set settings = $1', [JSON.stringify(settings)]);
const newest = (ref: string | null) =>
  stack
    .git('log', '-1', '--format=%an <%ae>|%cn <%ce>|%(trailers:key=Signed-off-by)', ref ?? '')
    .trim();

it('names the author of the project in every commit, as it was when the commit was planned', async () => {
  // The setting goes while a commit is planned: what is pushed is the plan.
  await stack.pool.query(`
    create function forget() returns trigger language plpgsql as
      $$begin update projects set settings = '{}'; return new; end$$;
    create trigger forget after insert on publications execute function forget()`);
  await set({ commitAuthor: { ...BOT, signOff: true } });
  const { id } = await stack.create('Shout the first');
  const first = await stack.rest(id);
  const bot = `${BOT.name} <${BOT.email}>`;
  expect(first.status).toBe('completed');
  expect(newest(first.source.ref)).toBe(`${bot}|${bot}|Signed-off-by: ${bot}`);

  await set({ commitAuthor: { name: 'Ann', email: 'ann@example.com', signOff: false } });
  await stack.message(id, 'Shout the second');
  const second = await stack.rest(id);
  expect(newest(second.source.ref)).toBe('Ann <ann@example.com>|Ann <ann@example.com>|');

  await stack.message(id, 'Name it');
  const third = await stack.rest(id);
  expect(newest(third.source.ref)).toMatch(/^Docent <(.+)>\|Docent <\1>\|$/);
  const trailers = stack.git(
    'log',
    '--format=%(trailers:key=Docent-Job,valueonly)',
    'main..' + third.source.ref,
  );
  expect(trailers.trim().split(/\s+/)).toEqual([id, id, id]);
  expect(stack.git('fsck', '--strict')).not.toMatch(/error/);
  // Commits stay ours, whatever the setting is now.
  const [used] = await usedRepositories(stack.pool);
  expect(used?.authors).toEqual(
    expect.arrayContaining([BOT, { name: 'Ann', email: 'ann@example.com' }]),
  );
});
