import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { listProjects } from '../../db/projects/projects.ts';
import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { createLogger } from '../../shared/logger.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import {
  digest,
  recordRelease,
  type ReleaseData,
  releaseData,
  releaseDatabase,
  releaseFolder,
} from './release-data.ts';

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
const RELEASES = readdirSync(join(import.meta.dirname, 'releases'))
  .filter(name => name.endsWith('.json'))
  .map(name => name.slice(0, -'.json'.length));

/** Edits once an instruction, then finishes. */
function turn({ messages }: { messages: unknown[] }): ScriptedReply {
  const last = (text: string) =>
    messages.findLastIndex(message => JSON.stringify(message).includes(text));
  const asked = Math.max(last('Say second'), last('Say third'), last('What is it?'));
  if (asked === last('What is it?')) return { text: 'A guide.' };
  if (last('"name":"finish"') > asked) return { text: 'Done.' };
  if (last('becomes') > asked) return finish('Edit the guide');
  return asked === last('Say third') ? edit('second', 'third') : edit('first', 'second');
}

/**
 * The promise of docs/operate/install.md. Each release leaves its data here, once:
 * RECORD_RELEASE=<name of the release> records it.
 */
const recorded = process.env.RECORD_RELEASE;

(recorded ? describe.skip : describe).each(RELEASES)('data of %s', release => {
  let stack: JobStack;
  let data: ReleaseData;

  beforeAll(async () => {
    const database = await releaseDatabase(releaseData(release));
    await migrate(database.pool);
    const { rows } = await database.pool.query<{ id: string }>('select id from organizations');
    const [project] = await listProjects(database.pool, rows[0]!.id);
    stack = await startJobStack({
      files: {},
      script: turn,
      database,
      env: { DATA_DIR: releaseFolder(release) },
      installed: { project: project!, adminKey: releaseData(release).adminKey },
    });
    data = releaseData(release, stack.baseUrl);
    await stack.pool.query('update projects set repository_url = replace(repository_url, $1, $2)', [
      'http://docent.test',
      stack.baseUrl,
    ]);
  }, 60_000);
  afterAll(() => stack.close());

  it('keeps the migrations that the release had, to the byte', () => {
    expect(
      Object.fromEntries(Object.keys(data.migrations).map(name => [name, digest(name)])),
    ).toEqual(data.migrations);
  });

  it('keeps key, jobs, conversations and pull request', async () => {
    const { jobs } = data;
    const ids = Object.values(jobs);
    const states = await Promise.all(ids.map(async id => (await stack.job(id)).status));
    expect(states).toEqual(['completed', 'completed', 'completed']);
    const published = await stack.job(jobs.published);
    expect(published.prLink).toContain('/pulls/');
    const listed = await stack.call('GET', `/v2/agent/${stack.project.id}/jobs`);
    expect([listed.status, JSON.stringify(listed.body)]).toEqual([
      200,
      expect.stringContaining(jobs.answered),
    ]);
    expect(JSON.stringify(await stack.get(jobs.answered, '/messages'))).toContain('A guide.');
  });

  it('a job of the release carries out a follow-up on its pull request', async () => {
    const { published } = data.jobs;
    const before = await stack.job(published);
    await stack.message(published, 'Say third');
    await until('the follow-up has run', async () => {
      await stack.pool.query("update jobs set updated_at = now() - interval '2 minutes'");
      await stack.pool.query("update instructions set created_at = now() - interval '2 minutes'");
      await sweepJobs({ ...stack, log: createLogger('silent') });
      return (await stack.job(published)).status === 'completed';
    });
    const after: JobBody = await stack.job(published);
    expect([after.prLink, after.source.ref]).toEqual([before.prLink, before.source.ref]);
    expect(stack.git('show', `${after.source.ref}:docs/guide.md`)).toContain('The third line.');
  });
});

(recorded ? describe : describe.skip)('recording', () => {
  it('leaves jobs of each end, a thread and an index', async () => {
    const stack = await startJobStack({ files: FILES, script: turn });
    const run = async (prompt: string) => stack.rest((await stack.create(prompt)).id);
    const published = await run('Say second');
    const answered = await run('What is it?');
    const cancelled = await run('What is it? Quickly.');
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${cancelled.id}/cancel`);
    expect(cancelled.status).toBe('completed');
    await recordRelease(recorded!, stack, {
      published: published.id,
      answered: answered.id,
      cancelled: cancelled.id,
    });
    await stack.close();
  }, 120_000);
});
