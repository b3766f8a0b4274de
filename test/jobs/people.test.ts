import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { commitAs } from '../support/person.ts';
import { edit, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { slowly } from '../support/slow.ts';

const GUIDE =
  '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n\nThe second line.\n\nThe third line.\n';
const FILES = {
  'docs/guide.md': GUIDE,
  'docs/other.md': '---\ntitle: Other\n---\n\n# Other\n\nSomething else.\n',
};

describe('people at the same branch', () => {
  let stack: JobStack;
  let script: (ScriptedReply | (() => ScriptedReply | Promise<ScriptedReply>))[] = [];
  let played = 0;
  let initial = '';
  beforeAll(async () => {
    stack = await startJobStack({
      files: FILES,
      script: () => {
        const next = script[played++] ?? { text: 'Nothing to do.' };
        return typeof next === 'function' ? next() : next;
      },
    });
    initial = stack.git('rev-parse', 'main').trim();
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    stack.git('update-ref', 'refs/heads/main', initial);
  });
  const play = (...replies: typeof script) => {
    script = replies;
    played = 0;
  };
  const show = (job: JobBody, file = 'docs/guide.md') =>
    stack.git('show', `${job.source.ref}:${file}`);
  const lastRequest = () => JSON.stringify(stack.model.requests.at(-1)?.body.messages);
  /** The pull requests of a job, oldest first. */
  const pulls = async (job: JobBody) =>
    (
      await stack.pool.query<{
        number: number;
        title: string;
        body: string;
        head: string;
        state: string;
        draft: boolean;
      }>('select * from local_pull_requests where job_id = $1 order by number', [job.id])
    ).rows;
  const act = async (job: JobBody, verb: string) =>
    host('POST', `/pulls/${(await pulls(job))[0]?.number}/${verb}`);
  const host = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${stack.baseUrl}/git/docs${path}`, {
      method,
      headers: {
        authorization: `Bearer ${stack.config.LOCAL_HOST_TOKEN}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([path, response.status]).toEqual([path, 200]);
  };

  async function published(more: object = {}): Promise<JobBody> {
    play(edit('first', 'FIRST'), finish('Shout the first'));
    return stack.rest((await stack.create('Shout the first', { ...more })).id);
  }
  async function follow(job: JobBody, ...replies: typeof script): Promise<JobBody> {
    play(...replies);
    await stack.message(job.id, 'Shout the second');
    return stack.rest(job.id);
  }

  it('keeps a commit of theirs that came between turns, and goes on from it', async () => {
    const job = await published();
    const theirs = commitAs(
      stack.repository,
      job.source.ref ?? '',
      'docs/guide.md',
      text => text.replace('third', 'third (by a person)'),
      '2099-01-01T00:00:00Z',
    );
    const done = await follow(job, edit('second', 'SECOND'), finish('Shout the second'));
    expect(done).toMatchObject({ status: 'completed', prLink: job.prLink });
    expect(stack.git('rev-parse', `${done.source.ref}^`).trim()).toBe(theirs);
    expect(show(done)).toContain(
      'The FIRST line.\n\nThe SECOND line.\n\nThe third (by a person) line.',
    );
    // Their clock was ahead; ours is never behind it.
    expect(
      stack
        .git('log', '-2', '--format=%ct', done.source.ref ?? '')
        .trim()
        .split('\n'),
    ).toEqual(['4070908800', '4070908800']);
  });

  it('merges a commit of theirs that came during a turn, without asking the model again', async () => {
    const job = await published();
    const push = () => {
      commitAs(stack.repository, job.source.ref ?? '', 'docs/guide.md', text =>
        text.replace('third', 'THIRD'),
      );
      return finish('Shout the second');
    };
    const done = await follow(job, edit('second', 'SECOND'), push);
    expect(done).toMatchObject({ status: 'completed', prLink: job.prLink });
    expect(show(done)).toContain('The FIRST line.\n\nThe SECOND line.\n\nThe THIRD line.');
    expect(played).toBe(2);
  });

  it('shows the model where theirs and its own met; their text stands until it has seen it', async () => {
    const job = await published();
    const push = () => {
      commitAs(stack.repository, job.source.ref ?? '', 'docs/guide.md', text =>
        text.replace('second', 'next'),
      );
      return finish('Shout the second');
    };
    const done = await follow(
      job,
      edit('second', 'SECOND'),
      push,
      edit('The next line.', 'The NEXT line.'),
      finish('Shout the next'),
    );
    expect(done).toMatchObject({ status: 'completed', prLink: job.prLink });
    expect(lastRequest()).toContain('Another person changed docs/guide.md');
    expect(show(done)).toContain('The FIRST line.\n\nThe NEXT line.');
  });

  slowly(
    'leaves their file as it is where they saved it in another encoding, and tells the model',
    async () => {
      const job = await published();
      let theirs = '';
      const push = () => {
        theirs = commitAs(stack.repository, job.source.ref ?? '', 'docs/guide.md', text =>
          Buffer.from(text.replace('third', 'caf\u00e9'), 'latin1'),
        );
        return finish('Shout the second');
      };
      const done = await follow(job, edit('second', 'SECOND'), push, edit('second', 'SECOND'), {
        text: 'It is not UTF-8.',
      });
      expect(done).toMatchObject({ status: 'completed', prLink: job.prLink });
      expect(lastRequest()).toMatch(
        /Another person changed docs\/guide\.md.*docs\/guide\.md is not UTF-8 text/,
      );
      expect(stack.git('rev-parse', done.source.ref ?? '').trim()).toBe(theirs);
    },
  );

  slowly('gives up with a sentence where the branch keeps moving', async () => {
    const job = await published();
    let n = 0;
    const push = () => {
      commitAs(stack.repository, job.source.ref ?? '', 'docs/guide.md', text =>
        text.replace(/^The .*second.*$|^Pushed.*$/m, `Pushed ${n++}, not second.`),
      );
      return finish('Shout the second');
    };
    const done = await follow(
      job,
      edit('second', 'SECOND'),
      push,
      edit('not second', 'not SECOND'),
      push,
      edit('not second', 'not SECOND'),
      push,
    );
    expect(done).toMatchObject({ status: 'failed', prLink: job.prLink });
    const { rows } = await stack.pool.query<{ message_to_user: string }>(
      'select message_to_user from jobs where id = $1',
      [job.id],
    );
    expect(rows[0]?.message_to_user).toContain('kept moving');
  });

  it('reads the base anew each turn, and leaves the pull request’s branch to git', async () => {
    const job = await published();
    commitAs(stack.repository, 'main', 'docs/other.md', text => text.replace('else', 'new'));
    const done = await follow(job, edit('second', 'SECOND'), finish('Shout the second'));
    expect(done).toMatchObject({ status: 'completed', prLink: job.prLink });
    expect(show(done, 'docs/other.md')).toContain('Something else.');
  });

  slowly('leaves alone what people wrote into the pull request', async () => {
    const job = await published();
    await host('PATCH', `/pulls/${(await pulls(job))[0]?.number}`, {
      title: 'Our title',
      body: 'Our words',
    });
    await follow(job, edit('second', 'SECOND'), finish('Shout the second'));
    expect(await pulls(job)).toEqual([
      expect.objectContaining({ title: 'Our title', body: 'Our words' }),
    ]);
  });

  it.each(['merge', 'close'])(
    'after a %s between turns: a new branch from the base, a new pull request',
    async verb => {
      const job = await published();
      await act(job, verb);
      const done = await follow(job, edit('second', 'SECOND'), finish('Shout the second'));
      expect(done).toMatchObject({ status: 'completed', source: { ref: `${job.source.ref}-2` } });
      expect(done.prLink).not.toBe(job.prLink);
      expect(show(done)).toContain(
        verb === 'merge'
          ? 'The FIRST line.\n\nThe SECOND line.'
          : 'The first line.\n\nThe SECOND line.',
      );
      expect(lastRequest()).toContain(
        verb === 'merge' ? 'was merged' : 'was closed without merging',
      );
    },
  );

  it.each(['merge', 'close'])(
    'after a %s during a turn: its edits go into a new pull request',
    async verb => {
      const job = await published();
      const done = await follow(job, edit('second', 'SECOND'), async () => {
        await act(job, verb);
        return finish('Shout the second');
      });
      expect(done).toMatchObject({ status: 'completed' });
      expect(done.prLink).not.toBe(job.prLink);
      expect((await pulls(job)).map(({ state }) => state)).toEqual([
        verb === 'merge' ? 'merged' : 'closed',
        'open',
      ]);
      expect(show(done)).toContain('The SECOND line.');
    },
  );

  it.each(['between turns', 'during a turn'])(
    'goes on where its branch was deleted %s',
    async when => {
      const job = await published();
      const remove = () => stack.git('update-ref', '-d', `refs/heads/${job.source.ref}`);
      if (when === 'between turns') remove();
      const done = await follow(job, edit('second', 'SECOND'), () => {
        if (when !== 'between turns') remove();
        return finish('Shout the second');
      });
      expect(done).toMatchObject({ status: 'completed', prLink: expect.any(String) });
      expect(show(done)).toContain('The SECOND line.');
      expect((await pulls(job)).filter(({ state }) => state === 'open')).toHaveLength(1);
    },
  );

  it('lets one job at a time hold a branch, and opens drafts', async () => {
    const job = await published({ branch: 'docs/shout', asDraft: true });
    expect(job).toMatchObject({ status: 'completed', source: { ref: 'docs/shout' } });
    expect(await pulls(job)).toEqual([
      expect.objectContaining({ head: 'docs/shout', draft: true }),
    ]);
    const again = () =>
      stack.call('POST', `/v2/agent/${stack.project.id}/job`, {
        prompt: 'Shout',
        branch: 'docs/shout',
      });
    expect((await again()).status).toBe(409);
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/archive`);
    play({ text: 'Nothing to do.' });
    const other = await again();
    expect(other.status).toBe(201);
    await stack.rest((other.body as JobBody).id);
  });
});
