import type { JobBody, JobStack } from '../support/job-stack.ts';
import { commitAs } from '../support/person.ts';
import { edit, finish, held, THINKING } from '../support/replies.ts';
import { SLOW, slowly } from '../support/slow.ts';
import { until } from '../support/until.ts';
import { FILES, rewindStage } from './rewind-stage.ts';

describe.each([
  ['one history', '0'],
  ['continue-as-new after every turn', '1'],
])('a rewound job, %s', (_, turns) => {
  // One test of the second variant always runs; `npm run test:slow` runs the others, too.
  const it = turns === '0' || SLOW ? test : test.skip;
  const stage = rewindStage(turns);
  const { play, played, untilAsked, path, rewind, messages, diff, show, pulls, publishedTwice } =
    stage;
  let stack: JobStack;
  beforeAll(async () => {
    stack = await stage.start();
  });
  afterAll(() => stack.close());

  it('at work: goes on from an earlier step, without what it was told since', async () => {
    play(edit('first', 'FIRST'), edit('second', 'SECOND'), THINKING);
    const job = await stack.create('Shout');
    await untilAsked(3);
    await stack.message(job.id, 'Never mind the first');
    play(finish('Shout less'));
    const { status, body } = await rewind(job, { step: 2 });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ id: job.id, status: 'active', prLink: null }),
    ]);
    const done = await stack.rest(job.id);
    expect(done).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(show(done)).toContain('The FIRST line.\n\nThe second line.');
    expect(played()).toBe(1);
    expect(
      (await messages(done)).messages.map(({ type, text, state }) => [type, state ?? text]),
    ).toEqual([
      ['instruction', 'taken'],
      ['instruction', 'dropped'],
      ['text', 'first becomes FIRST.'],
      ['outcome', 'Shout less: done.'],
    ]);
  });

  it('to the first step of a turn: the turn is not begun again', async () => {
    const before = await publishedTwice();
    const told = async (type: string) =>
      (
        await stack.pool.query<{ data: { turn: number; step?: number } }>(
          'select data from job_events where job_id = $1 and type = $2 order by seq',
          [before.id, type],
        )
      ).rows.map(({ data }) => [data.turn, data.step]);
    for (const turn of [2, 1]) {
      play(edit('third', `THIRD ${turn}`), finish('Shout the third'));
      expect((await rewind(before, { turn, step: 1 })).status).toBe(200);
      const done = await stack.rest(before.id);
      expect(done).toMatchObject({ status: 'completed', prLink: before.prLink });
      expect(show(done)).toContain(
        turn === 2
          ? 'The FIRST line.\n\nThe second line.\n\nThe THIRD 2 line.'
          : 'The first line.\n\nThe second line.\n\nThe THIRD 1 line.',
      );
    }
    expect(await told('rewound')).toEqual([
      [2, 1],
      [1, 1],
    ]);
    expect((await told('instruction')).map(([turn]) => turn)).toEqual([1, 2]);
    expect(
      (await messages(before)).messages
        .filter(({ type }) => type === 'instruction')
        .map(({ state, turn }) => [state, turn]),
    ).toEqual([
      ['taken', 1],
      ['dropped', 1],
    ]);
  });

  it('at work: names what a script has signalled and nobody has read', async () => {
    play(edit('first', 'FIRST'), THINKING);
    const job = await stack.create('Shout');
    await untilAsked(2);
    const handle = stack.temporal.workflow.getHandle(job.id);
    await handle.signal('message', { prompt: 'Whisper' });
    await handle.signal('message', { prompt: 'Sing', messageId: 'mine' });
    await handle.executeUpdate('message', { args: [{ prompt: 'Hum' }], updateId: 'hum' });
    await handle.signal('message', { prompt: '' });
    play(finish('Shout'));
    expect((await rewind(job, { step: 2 })).status).toBe(200);
    const done = await stack.rest(job.id);
    expect(
      (await messages(done)).messages
        .filter(({ type }) => type === 'instruction')
        .map(({ text, state, turn }) => [text, state, turn]),
    ).toEqual([
      ['Shout', 'taken', 1],
      ['Whisper', 'dropped', 1],
      ['Sing', 'dropped', 1],
      ['Hum', 'dropped', 1],
    ]);
    expect(played()).toBe(1);
  });

  test('after publishing: commits on top of its own, keeps what people wrote, and everything follows', async () => {
    const before = await publishedTwice();
    const heads = stack.git('rev-parse', before.source.ref ?? '').trim();
    const theirs = commitAs(stack.repository, before.source.ref ?? '', 'docs/guide.md', text =>
      text.replace('third', 'third (by a person)'),
    );
    const first = held(edit('first', 'very first'));
    play(first.reply, finish('Say very'));
    expect((await rewind(before, { turn: 1, step: 2 })).body).toMatchObject({
      status: 'active',
      prLink: null,
    });
    expect((await messages(before)).todos).toMatchObject([{ content: 'First' }]);
    expect(await stack.job(before.id)).toMatchObject({ status: 'active', prLink: null });
    first.release();
    const done = await stack.rest(before.id);
    expect(done).toMatchObject({
      status: 'completed',
      prLink: before.prLink,
      source: before.source,
    });
    expect(stack.git('merge-base', theirs, done.source.ref ?? '').trim()).toBe(theirs);
    expect(stack.git('merge-base', heads, done.source.ref ?? '').trim()).toBe(heads);
    expect(show(done)).toContain(
      'The very first line.\n\nThe second line.\n\nThe third (by a person) line.',
    );
    expect(show(done, 'docs/other.md')).toBe(FILES['docs/other.md']);
    expect(await pulls(done)).toEqual([
      {
        title: 'Say very',
        state: 'open',
        body: expect.stringMatching(/^Say very, as asked\.\n\n---\n/),
      },
    ]);
    const patch = await diff(done);
    expect(patch).toContain('+The very first line.');
    expect(patch).not.toMatch(/SECOND|other\.md/);
    const told = await messages(done);
    expect(told.messages.map(({ type, text, state }) => [type, state ?? text])).toEqual([
      ['instruction', 'taken'],
      ['instruction', 'dropped'],
      ['text', 'first becomes very first.'],
      ['outcome', 'Say very: done.'],
    ]);
    const {
      rows: [ledger],
    } = await stack.pool.query<{ calls: number; input: number; job: number }>(
      'select count(*) as calls, sum(m.input_tokens)::bigint as input, min(j.input_tokens) as job from model_calls m join jobs j on j.id = m.job_id where j.id = $1',
      [done.id],
    );
    expect(ledger).toMatchObject({ calls: 9, input: ledger?.job });

    // Life goes on: a follow-up lies on what the branch is now, and once more to the very first
    // step.
    play(edit('second', 'next'), finish('Say next'));
    await stack.message(done.id, 'Say next');
    const after = await stack.rest(done.id);
    expect(show(after)).toContain(
      'The very first line.\n\nThe next line.\n\nThe third (by a person) line.',
    );
    expect((await pulls(after))[0]?.body).toMatch(
      /^Say very, as asked\.\n\n### Say next\n\nSay next, as asked\.\n\n---\n/,
    );
    play(edit('second', 'last'), finish('Say last'));
    await rewind(after, { turn: 1, step: 1 });
    const last = await stack.rest(after.id);
    expect(show(last)).toContain(
      'The first line.\n\nThe last line.\n\nThe third (by a person) line.',
    );
    expect(last.prLink).toBe(before.prLink);
  });

  it('tells the model where somebody changed what is undone', async () => {
    const before = await publishedTwice();
    commitAs(stack.repository, before.source.ref ?? '', 'docs/guide.md', text =>
      text.replace('SECOND', 'SECOND, says a person,'),
    );
    play(edit('third', 'THIRD'), finish('Shout the third'), finish('Shout the third'));
    await rewind(before, { turn: 2, step: 1 });
    const done = await stack.rest(before.id);
    expect(done).toMatchObject({ status: 'completed', prLink: before.prLink });
    expect(show(done)).toContain('SECOND, says a person,');
    expect(show(done, 'docs/other.md')).toBe(FILES['docs/other.md']);
    expect(JSON.stringify(stack.model.requests.at(-1)?.body.messages)).toContain(
      'Another person changed docs/guide.md',
    );
  });

  it('that changes nothing any more: what was undone goes from its pull request, too', async () => {
    const before = await publishedTwice();
    const theirs = commitAs(stack.repository, before.source.ref ?? '', 'docs/guide.md', text =>
      text.replace('third', 'third (by a person)'),
    );
    play({ text: 'Which line?' });
    await rewind(before, { turn: 1, step: 2 });
    const done = await stack.rest(before.id);
    expect(done).toMatchObject({
      status: 'completed',
      prLink: before.prLink,
      source: before.source,
    });
    expect(stack.git('rev-parse', `${done.source.ref}^`).trim()).toBe(theirs);
    expect(show(done)).toBe(FILES['docs/guide.md'].replace('third', 'third (by a person)'));
    expect(show(done, 'docs/other.md')).toBe(FILES['docs/other.md']);
    expect(await diff(done)).not.toMatch(/FIRST|SECOND|other\.md/);
    expect(await pulls(done)).toEqual([
      expect.objectContaining({ state: 'open', body: expect.stringMatching(/^Which line\?/) }),
    ]);
    expect(played()).toBe(1);
    // A second time there is nothing left to take back, and no commit.
    const head = stack.git('rev-parse', done.source.ref ?? '');
    play({ text: 'Which one?' });
    await rewind(done, { turn: 1, step: 2 });
    await stack.rest(done.id);
    expect(stack.git('rev-parse', done.source.ref ?? '')).toBe(head);
  });

  slowly('that comes to the same again keeps it through a later cancel', async () => {
    play(edit('first', 'FIRST'), finish('Shout'));
    const job = await stack.rest((await stack.create('Shout')).id);
    play(edit('first', 'FIRST'), finish('Shout'));
    await rewind(job, { step: 1 });
    await stack.rest(job.id);
    play(THINKING);
    await stack.message(job.id, 'And the second');
    await untilAsked(1);
    await stack.call('POST', path(job, 'cancel'));
    await stack.rest(job.id);
    play(edit('third', 'THIRD'), finish('Shout the third'));
    await stack.message(job.id, 'Shout the third');
    const done = await stack.rest(job.id);
    expect(done).toMatchObject({ status: 'completed', prLink: job.prLink });
    expect(show(done)).toContain('The FIRST line.\n\nThe second line.\n\nThe THIRD line.');
  });

  describe('whose commit was pushed by a run that opened no pull request', () => {
    const pushedOnly = async (): Promise<JobBody> => {
      await stack.pool.query(
        "create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$",
      );
      await stack.pool.query(
        'create trigger refused before insert on local_pull_requests for each row execute function refuse()',
      );
      play(edit('first', 'FIRST'), finish('Shout'));
      const job = await stack.create('Shout');
      await until(
        'the commit is pushed',
        async () =>
          (
            await stack.pool.query(
              "select 1 from publications where job_id = $1 and state = 'pushed'",
              [job.id],
            )
          ).rowCount === 1,
      );
      return job;
    };
    const comesBack = async () => stack.pool.query('drop trigger refused on local_pull_requests');

    it('opens it', async () => {
      const job = await pushedOnly();
      play(finish('Shout'), finish('Shout'));
      expect((await rewind(job, { step: 2 })).status).toBe(200);
      await comesBack();
      const done = await stack.rest(job.id);
      expect(done).toMatchObject({ status: 'completed', prLink: expect.any(String) });
      expect(stack.git('rev-list', '--count', `main..${done.source.ref}`).trim()).toBe('1');
      expect(played()).toBe(1);
    });

    it('says what it shows now, though the old run’s request came through after the rewind', async () => {
      const behind = await stack.pool.connect();
      await stack.pool.query(
        'create or replace function wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(7); return new; end $$',
      );
      await stack.pool.query(
        'create trigger late before insert on local_pull_requests for each row execute function wait()',
      );
      await behind.query('select pg_advisory_lock(7)');
      play(edit('first', 'FIRST'), finish('Shout'));
      const job = await stack.create('Shout');
      await until(
        'the pull request is asked for',
        async () =>
          (
            await stack.pool.query(
              "select 1 from pg_locks where locktype = 'advisory' and objid = 7 and not granted",
            )
          ).rowCount === 1,
      );
      const last = held(finish('Shout the second'));
      play(edit('second', 'SECOND'), last.reply);
      await rewind(job, { step: 1 });
      await untilAsked(2);
      await behind.query('select pg_advisory_unlock(7)');
      behind.release();
      await until(
        'it is opened',
        async () =>
          (await stack.pool.query('select 1 from local_pull_requests where job_id = $1', [job.id]))
            .rowCount === 1,
      );
      last.release();
      const done = await stack.rest(job.id);
      await stack.pool.query('drop trigger late on local_pull_requests');
      expect(await pulls(done)).toEqual([
        {
          title: 'Shout the second',
          state: 'open',
          body: expect.stringMatching(/^Shout the second, as asked\.\n\n---\n/),
        },
      ]);
    });

    it('opens none for it once another is shown', async () => {
      const job = await pushedOnly();
      play(edit('second', 'SECOND'), finish('Shout the second'));
      expect((await rewind(job, { step: 1 })).status).toBe(200);
      await untilAsked(2); // by now no request of the old run is on its way
      await comesBack();
      const done = await stack.rest(job.id);
      const published = async () =>
        (
          await stack.pool.query(
            `select (select count(*) from job_events where job_id = $1 and type = 'commit') as commits,
                (select count(*) from activity_results where job_id = $1 and type = 'planPublish') as plans`,
            [job.id],
          )
        ).rows[0];
      const before = await published();
      play({ text: 'The second.' });
      await stack.message(job.id, 'Which line was that?');
      expect(await stack.rest(job.id)).toMatchObject({ status: 'completed', prLink: done.prLink });
      expect(await published()).toEqual(before);
      expect(await pulls(done)).toEqual([expect.objectContaining({ title: 'Shout the second' })]);
    });
  });

  it('after a merge: a new pull request, from the base', async () => {
    const before = await publishedTwice();
    const ref = before.source.ref ?? '';
    stack.git('update-ref', 'refs/heads/main', stack.git('rev-parse', ref).trim());
    play(edit('third', 'THIRD'), finish('Shout the third'), finish('Shout the third'));
    await rewind(before, { turn: 2, step: 2 });
    const done = await stack.rest(before.id);
    expect(done).toMatchObject({ status: 'completed', source: { ref: `${ref}-2` } });
    expect(done.prLink).not.toBe(before.prLink);
    expect(show(done)).toContain('The FIRST line.\n\nThe SECOND line.\n\nThe THIRD line.');
    stack.git('update-ref', 'refs/heads/main', 'main~2');
  });

  slowly(
    'whose pull request is closed takes along what the turn had published before it, and came to again',
    async () => {
      play(edit('first', 'FIRST'), finish('Shout'));
      const before = await stack.rest((await stack.create('Shout')).id);
      const ref = before.source.ref ?? '';
      commitAs(stack.repository, ref, 'docs/guide.md', text =>
        text.replace('second', 'second (by a person)'),
      );
      const last = held(finish('Shout'));
      // What a person wrote brings the turn back to the model, upon the branch as it is now.
      play(edit('second', 'SECOND'), finish('Shout'), edit('third', 'THIRD'), last.reply);
      await rewind(before, { step: 2 });
      await untilAsked(4);
      await stack.pool.query("update local_pull_requests set state = 'closed' where head = $1", [
        ref,
      ]);
      last.release();
      const done = await stack.rest(before.id);
      expect(done).toMatchObject({ status: 'completed', source: { ref: `${ref}-2` } });
      expect(show(done)).toContain('The FIRST line.\n\nThe second line.\n\nThe THIRD line.');
    },
  );

  it('says no to an archived job and to a step that never was', async () => {
    play(edit('first', 'FIRST'), finish('Shout'));
    const job = await stack.rest((await stack.create('Shout')).id);
    for (const body of [{ step: 9 }, { step: 1, turn: 2 }, { step: 0 }, {}])
      expect((await rewind(job, body)).status).toBe(400);
    const sentences = await Promise.all(
      [{ step: 9 }, { step: 1, turn: 2 }].map(async body => (await rewind(job, body)).body),
    );
    expect(sentences).toMatchObject([
      { detail: 'step must be 1 to 2 in turn 1, the steps that Temporal has.' },
      { detail: 'step names no step: Temporal has none of turn 2 (any more).' },
    ]);
    await stack.call('POST', path(job, 'archive'));
    expect((await rewind(job, { step: 1 })).status).toBe(409);
  });
});
