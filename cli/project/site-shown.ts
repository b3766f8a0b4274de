import { setTimeout } from 'node:timers/promises';
import type { Pool } from '../../db/pool.ts';
import type { Project } from '../../db/projects/projects.ts';
import { type IndexRun, readIndexRun } from '../../db/search/index-runs.ts';
import type { ConnectedConfig } from '../connect/settings.ts';
import { readIndexState } from '../../db/search/index-state.ts';
import { readPublishedCheck } from '../../db/search/published.ts';
import { isPolled } from '../../shared/jobs/pollers.ts';
import { comparisonText } from '../../sites/published/comparison-text.ts';
import { print } from '../output/terminal.ts';
import { requestIndexing, withTemporal } from './indexing.ts';
import { siteLines } from './site-lines.ts';

/** A worker reads what a site is within seconds; its pages follow. */
const DEADLINE_MS = 20_000;
const PUBLISHED_MS = 15_000;
const WORKER_MS = 3_000;
const POLL_MS = 200;

/**
 * Has the site indexed, and prints what it is as soon as a worker has read it. The pages follow:
 * nobody waits for them.
 */
export async function indexAndShow(
  pool: Pool,
  config: ConnectedConfig,
  project: Project,
): Promise<void> {
  const before = await readIndexRun(pool, project.id);
  try {
    await requestIndexing(config, project);
  } catch {
    console.error(
      'Temporal does not answer, so the site is not indexed yet. ' +
        `Run "docent index ${project.domain}" later.`,
    );
    return;
  }
  // Where Temporal does not tell, there may be one.
  const isWorked = await withTemporal(config, client =>
    isPolled(client, config.TASK_QUEUE, Date.now() + WORKER_MS),
  ).catch(() => true);
  if (!isWorked) {
    console.error(
      'No worker is running, so the site is not read yet. Start one: "docent worker". ' +
        `Then see "docent project show ${project.domain}".`,
    );
    return;
  }
  const run = await siteOf(pool, project.id, before);
  if (run?.site) {
    printSite(run.site, project);
    await printPublished(pool, project);
  } else if (run?.failure) console.error(`The site cannot be read: ${run.failure}`);
  else console.error(`The site is still being read: see "docent project show ${project.domain}".`);
}

/** A few requests are enough for most sites. */
async function printPublished(pool: Pool, project: Project): Promise<void> {
  const end = project.siteUrl === null ? 0 : Date.now() + PUBLISHED_MS;
  while (Date.now() < end) {
    await setTimeout(POLL_MS);
    const [look, index] = await Promise.all([
      readPublishedCheck(pool, project.id),
      readIndexState(pool, project.id),
    ]);
    if (look?.siteUrl !== project.siteUrl || !(look?.failure || index?.site.published)) continue;
    if (look.failure === null && look.wanted.length > 0) continue;
    const says = look.failure ?? comparisonText(index!.site.published!);
    return print(`${'published'.padEnd(12)}  ${says}`);
  }
  if (end > 0)
    print(
      `${'published'.padEnd(12)}  ${project.siteUrl} is still being asked: ` +
        `see "docent project show ${project.domain}".`,
    );
}

export function printSite(site: NonNullable<IndexRun['site']>, project: Project): void {
  for (const [name, is] of siteLines(site, project.siteUrl)) print(`${name.padEnd(12)}  ${is}`);
  if (site.pages === 0)
    console.error(
      `There is no page (.md, .mdx) in ${site.docsFolder || 'the root'} of branch ` +
        `${project.baseRef}, so the assistant cannot answer anything. If the pages are ` +
        `elsewhere: docent project set ${project.domain} --docs-folder FOLDER`,
    );
}

/** The run that came after `before`, once it knows the site or has failed. */
async function siteOf(
  pool: Pool,
  projectId: string,
  before: IndexRun | null,
): Promise<IndexRun | undefined> {
  const end = Date.now() + DEADLINE_MS;
  while (Date.now() < end) {
    const run = await readIndexRun(pool, projectId);
    const isNew = run && run.startedAt.getTime() !== before?.startedAt.getTime();
    if (isNew && (run.site || (run.failure !== null && run.finishedAt))) return run;
    await setTimeout(POLL_MS);
  }
  return undefined;
}
