import { ApplicationFailure } from '@temporalio/common';
import { activityInfo } from '@temporalio/activity';
import { createJobActivities } from '../../activities/index.ts';
import { createLogger } from '../../shared/logger.ts';
import { openDeps } from '../../worker/deps.ts';
import { createWorker } from '../../worker/worker.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, finish } from '../support/replies.ts';
import { testTemporal } from '../support/services.ts';
import { until } from '../support/until.ts';

/** More pages than a local activity publishes. */
const MANY = Object.fromEntries(
  Array.from({ length: 101 }, (_, i) => [`docs/many/${i}.md`, `# Page ${i}\n\nAn old word.\n`]),
);
const GUIDE = '# Guide\n\nThe first line.\n';
const LOCAL = ['beginJob', 'readInstructions', 'prepare', 'planPublish', 'reportTurn'] as const;
const renameAll = {
  text: 'The old becomes new.',
  toolUses: [{ name: 'replace_all', input: { find: 'old word', replace: 'new word' } }],
};

let stack: JobStack;
let worker: Awaited<ReturnType<typeof startFailingWorker>>;
/** What happens to a local activity: `before` and `after` it has done its work. */
let fail: { before?: Error; after?: Error } = {};

beforeAll(async () => {
  stack = await startJobStack({
    files: { 'docs/guide.md': GUIDE, ...MANY },
    script: ({ messages }) => {
      const said = JSON.stringify(messages);
      if (said.includes('becomes')) return finish('Shout');
      return said.includes('everywhere') ? renameAll : edit('first', 'FIRST');
    },
    noWorker: true,
  });
  worker = await startFailingWorker();
}, 60_000);
afterAll(async () => {
  await worker.stop();
  await stack.close();
});

/** A worker whose local activities can fail. */
async function startFailingWorker(): Promise<{ stop(): Promise<void> }> {
  const { config, bundlePath } = stack;
  const { deps, connection, close } = await openDeps({
    config: { ...config, DATABASE_URL: stack.databaseUrl },
    temporal: { address: testTemporal().address },
    logger: createLogger('silent'),
  });
  const activities: Record<string, (input: never) => Promise<unknown>> = createJobActivities(deps);
  for (const name of LOCAL) {
    const original = activities[name]!;
    activities[name] = async input => {
      const { before, after } = activityInfo().isLocal ? fail : {};
      if (before) throw before;
      const result = await original(input);
      if (after) throw after;
      return result;
    };
  }
  const created = await createWorker({ config, connection, bundlePath, activities });
  const running = created.run();
  return {
    async stop() {
      created.shutdown();
      await running;
      await close();
    },
  };
}

/** Of the activities that are local first: those that were, and the ordinary ones. */
async function localActivities({
  id,
}: Pick<JobBody, 'id'>): Promise<{ local: string[]; ordinary: string[] }> {
  const { events } = await stack.temporal.workflow.getHandle(id).fetchHistory();
  const local = (events ?? []).flatMap(({ markerRecordedEventAttributes: marker }) => {
    const [data] = marker?.details?.['data']?.payloads ?? [];
    return data?.data
      ? [(JSON.parse(Buffer.from(data.data).toString()) as { activity_type: string }).activity_type]
      : [];
  });
  const ordinary = (events ?? []).flatMap(
    event => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
  );
  return { local, ordinary: ordinary.filter(name => LOCAL.some(each => each === name)) };
}

async function told({ id }: JobBody): Promise<string[]> {
  const { rows } = await stack.pool.query<{ type: string }>(
    'select type from job_events where job_id = $1 order by seq',
    [id],
  );
  return rows.map(({ type }) => type);
}

it('a repository that is to be fetched is prepared by an ordinary activity', async () => {
  fail = {};
  const { id } = await stack.create('Shout');
  expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
  expect((await localActivities({ id })).ordinary).toEqual(['prepare']);
  const history = await stack.temporal.workflow.getHandle(id).fetchHistory();
  expect(JSON.stringify(history)).toContain('Left to an ordinary activity');
  expect(JSON.stringify(history)).not.toContain(process.cwd());
});

it.each([
  ['that work: no task of Temporal', {}, []],
  ['that fail: ordinary ones do it', { before: new Error('Postgres is away') }, LOCAL],
  ['that did it and fail: it counts once', { after: new Error('the answer is lost') }, LOCAL],
])('local activities %s', async (_, failures, ordinary) => {
  fail = failures;
  const { id } = await stack.create('Shout');
  const job = await stack.rest(id);
  expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
  expect(stack.git('show', `${job.source.ref}:docs/guide.md`)).toContain('The FIRST line.');
  expect(await told(job)).toEqual([
    'status',
    'instruction',
    'text',
    'tool_call',
    'tool_result',
    'tool_call',
    'tool_result',
    'commit',
    'pull_request',
    'finish',
  ]);
  // The row is at rest a moment before the end of the activity is in the history.
  await until(
    'the history has the last local activity',
    async () => (await localActivities(job)).local.length >= LOCAL.length,
  );
  expect(await localActivities(job)).toEqual({ local: LOCAL, ordinary });
});

it('a local activity that fails for good is not repeated', async () => {
  fail = { before: ApplicationFailure.nonRetryable('Another run has taken over.', 'superseded') };
  const { id } = await stack.create('Shout');
  const handle = stack.temporal.workflow.getHandle(id);
  await expect(handle.result()).rejects.toThrow();
  const { events } = await handle.fetchHistory();
  expect(events?.some(event => event.activityTaskScheduledEventAttributes)).toBe(false);
});

it('a large change is planned by an ordinary activity', async () => {
  fail = {};
  const { id } = await stack.create('Say it everywhere');
  const job = await stack.rest(id);
  expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
  expect((await localActivities(job)).ordinary).toEqual(['planPublish']);
});
