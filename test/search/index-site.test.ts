import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { createIndexActivities } from '../../activities/index-site.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { readConfig } from '../../shared/config.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import {
  createProject,
  findProject,
  type Project,
  updateProject,
} from '../../db/projects/projects.ts';
import { readIndexRun } from '../../db/search/index-runs.ts';
import { readSiteNotes } from '../../db/search/site-notes.ts';
import {
  deleteIndexSchedule,
  ensureIndexSchedule,
  requestIndex,
} from '../../search/indexing/index-requests.ts';
import { indexWorkflowId, lookWorkflowId } from '../../shared/index-site.ts';
import { readPublishedCheck } from '../../db/search/published.ts';
import { html, serveSite } from '../support/static-site.ts';
import { until } from '../support/until.ts';
import { withAdvisoryLock } from '../../db/advisory-lock.ts';
import { search } from '../../search/search-by-words.ts';
import { createWorker, type JobWorker } from '../../worker/worker.ts';
import { type HostUnderTest, startHost, writeFiles } from '../hosts/host-under-test.ts';
import { testTemporal, testWorkflows } from '../support/services.ts';
import { page } from './site.ts';

if (!Runtime._instance)
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
const TASK_QUEUE = `index-${randomBytes(6).toString('hex')}`;

let host: HostUnderTest;
let connections: { client: Connection; worker: NativeConnection };
let temporal: Client;
let worker: JobWorker;
let running: Promise<void>;
let organizationId: string;

beforeAll(async () => {
  host = await startHost();
  const { address } = testTemporal();
  connections = {
    client: await Connection.connect({ address }),
    worker: await NativeConnection.connect({ address }),
  };
  temporal = new Client({ connection: connections.client });
  worker = await createWorker({
    config: readConfig({
      TASK_QUEUE,
      TEMPORAL_ADDRESS: address,
      WORKER_SHUTDOWN_GRACE_SECONDS: '1',
    }),
    connection: connections.worker,
    bundlePath: testWorkflows(),
    activities: createIndexActivities({
      pool: host.at.pool,
      hostFor: () => host.client(join(host.folder, 'cache')),
      publicUrl: 'http://127.0.0.1/',
      siteClient: { mayReach: () => true, userAgent: 'Docent/test (+http://127.0.0.1/)' },
    }),
  });
  running = worker.run();
  organizationId = (await createOrganization(host.at.pool, { slug: 'acme', name: 'Acme' })).id;
});

afterAll(async () => {
  worker.shutdown();
  await running;
  await connections.client.close();
  await connections.worker.close();
  await host.close();
});

async function newProject(
  name: string,
  files: Record<string, string>,
  baseRef = 'main',
  siteUrl?: string,
): Promise<Project> {
  const source = await writeFiles(join(host.folder, `source-${name}`), files);
  await importRepository(host.at, { name }, source);
  return createProject(host.at.pool, {
    organizationId,
    name,
    domain: name,
    host: 'local',
    repository: name,
    repositoryUrl: `http://x/${name}`,
    baseRef,
    docsFolder: 'docs',
    ...(siteUrl !== undefined && { siteUrl }),
  });
}

/** A commit as somebody else pushes it. */
async function pushFile(project: Project, path: string, content: string): Promise<void> {
  const clone = join(host.folder, `clone-${project.name}-${randomBytes(4).toString('hex')}`);
  await host.git(host.folder, 'clone', '-q', `${host.url}/git/${project.repository}.git`, clone);
  await writeFiles(clone, { [path]: content });
  await host.git(clone, 'add', '-A');
  await host.git(clone, 'commit', '-q', '-m', 'Edit');
  await host.git(clone, 'push', '-q', 'origin', 'HEAD:main');
}

const index = async (project: Project) =>
  (await requestIndex(temporal, TASK_QUEUE, project)).result();
const paths = async (project: Project, query: string) =>
  (await search(host.at.pool, { projectId: project.id, query, pageSize: 5 })).map(
    result => result.path,
  );

describe('indexSite', () => {
  it('indexes the base branch, and later what changed on it', async () => {
    const project = await newProject('growing', {
      'docs/index.md': page('Start', 'The beginning.'),
      'docs/guides/install.md': page('Install', 'Run the wombat.'),
      'docs/ASSISTANT.md': 'Be brief.',
      'README.md': 'wombat',
    });
    expect(await index(project)).toEqual({
      commit: expect.stringMatching(/^[\da-f]{40}$/),
      pages: 2,
      built: 2,
    });
    expect(await paths(project, 'wombat')).toEqual(['/guides/install']);
    expect(await readSiteNotes(host.at.pool, project.id)).toEqual({
      instructions: 'Be brief.',
      unreadPages: null,
      firstIndex: null,
    });

    await pushFile(project, 'docs/guides/new.md', page('New', 'A platypus.'));
    expect(await index(project)).toMatchObject({ pages: 3, built: 1 });
    expect(await paths(project, 'platypus')).toEqual(['/guides/new']);
  });

  it('reads well in the history', async () => {
    const project = await newProject('readable', {
      'docs/index.md': page('Start', 'The beginning.'),
    });
    const handle = await requestIndex(temporal, TASK_QUEUE, project);
    await handle.result();
    const { workflowId, staticSummary, events } = {
      ...(await handle.describe()),
      staticSummary: await (await handle.describe()).staticSummary(),
      events: (await handle.fetchHistory()).events ?? [],
    };
    expect(workflowId).toBe(`index-${project.id}`);
    expect(staticSummary).toBe('readable: index the docs');
    expect(
      events.some(
        event => event.activityTaskScheduledEventAttributes?.activityType?.name === 'indexPages',
      ),
    ).toBe(true);
  });

  it('takes up a change that comes while it runs: one workflow, the newest commit', async () => {
    const project = await newProject('busy', { 'docs/index.md': page('Start', 'The beginning.') });
    let release = () => undefined as void;
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const holding = withAdvisoryLock(host.at.pool, `index of ${project.id}`, () => held);
    const first = await requestIndex(temporal, TASK_QUEUE, project);
    await pushFile(project, 'docs/late.md', page('Late', 'An echidna.'));
    const second = await requestIndex(temporal, TASK_QUEUE, project);
    expect(second.signaledRunId).toBe(first.signaledRunId);
    release();
    await holding;
    expect(await second.result()).toMatchObject({ pages: 2 });
    expect(await paths(project, 'echidna')).toEqual(['/late']);
    // test/workflows/replay.test.ts replays what is recorded here.
    const version = process.env.RECORD_HISTORIES;
    const recorded = join(
      import.meta.dirname,
      '../workflows/histories',
      `${version}-index-site.json`,
    );
    if (version)
      await writeFile(
        recorded,
        historyToJSON(await second.fetchHistory()).replaceAll(
          join(import.meta.dirname, '../..'),
          '/app',
        ),
      );
  });

  it('fails at once, saying why, where the base branch does not exist', async () => {
    const project = await newProject(
      'lost',
      { 'docs/index.md': page('Start', 'The beginning.') },
      'release',
    );
    const error: unknown = await index(project).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect((error as WorkflowFailedError).cause?.cause).toMatchObject({
      type: 'ref_not_found',
      message: expect.stringContaining('release'),
    });
    expect(await readIndexRun(host.at.pool, project.id)).toMatchObject({
      failure: expect.stringContaining('The branch release does not exist'),
      finishedAt: expect.any(Date),
    });
  });

  it('finds the docs folder anew each time, unless somebody has said where it is', async () => {
    const project = await newProject('found', {
      'website/docusaurus.config.js': 'module.exports = { presets: [["classic", { docs: {} }]] };',
      'website/docs/intro.md': '# Intro\n\nA quokka.\n',
    });
    const folderOf = async () => (await findProject(host.at.pool, project.id))?.docsFolder;
    await index(project);
    expect(await folderOf()).toBe('docs');
    await updateProject(host.at.pool, project.id, { docsFolderDetected: true });
    await index(project);
    expect(await folderOf()).toBe('website/docs');
    expect(await paths(project, 'quokka')).toEqual(['/docs/intro']);
    expect(await readIndexRun(host.at.pool, project.id)).toMatchObject({
      pagesRead: 1,
      pagesTotal: 1,
      failure: null,
      site: { kind: 'docusaurus', docsFolder: 'website/docs' },
    });
  });

  it('then looks at the published site, which nobody waits for, and indexes what it says', async () => {
    const site = await serveSite({ '/index.html': html('Start', '', ['/odd.html']) });
    site.files.set('/odd.html', html('An odd one', ''));
    const files = {
      'docs/index.md': page('Start', 'The beginning.'),
      'docs/a.md': page('An odd one', 'A kakapo.'),
    };
    const project = await newProject('published', files, 'main', site.url);
    expect(await index(project)).toMatchObject({ pages: 2 });
    await until(
      'the page is at its address',
      async () => (await paths(project, 'kakapo'))[0] === '/odd',
    );
    const handle = temporal.workflow.getHandle(lookWorkflowId(project.id));
    await handle.result();
    expect((await handle.describe()).type).toBe('lookAtPublishedSite');
    expect(await readPublishedCheck(host.at.pool, project.id)).toMatchObject({ failure: null });
    site.close();
  });

  it('ends quietly for a project that is gone', async () => {
    const project = await newProject('gone', { 'docs/index.md': page('Start', 'The beginning.') });
    await host.at.pool.query('update projects set deleted_at = now() where id = $1', [project.id]);
    expect(await index(project)).toBeNull();
  });
});

describe('the schedule', () => {
  it('runs the same workflow, is brought to a new interval, and is deleted', async () => {
    const project = await newProject('scheduled', { 'docs/index.md': page('Start', 'A dugong.') });
    await ensureIndexSchedule(temporal, TASK_QUEUE, project, 60);
    await ensureIndexSchedule(temporal, TASK_QUEUE, project, 30);
    const schedule = temporal.schedule.getHandle(indexWorkflowId(project.id));
    expect((await schedule.describe()).spec.intervals).toMatchObject([{ every: 30 * 60_000 }]);

    await schedule.trigger();
    for (let i = 0; i < 100 && (await paths(project, 'dugong')).length === 0; i++)
      await new Promise(resolve => setTimeout(resolve, 200));
    expect(await paths(project, 'dugong')).toEqual(['/']);

    await deleteIndexSchedule(temporal, project.id);
    await deleteIndexSchedule(temporal, project.id);
    await expect(schedule.describe()).rejects.toThrow();
  });
});
