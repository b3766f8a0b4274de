import { type Client, WorkflowFailedError } from '@temporalio/client';
import { rootCause } from '@temporalio/common';
import {
  deleteIndexSchedule,
  ensureIndexSchedule,
  type IndexedProject,
  requestIndex,
} from '../../search/indexing/index-requests.ts';
import type { Pool } from '../../db/pool.ts';
import { readIndexRun } from '../../db/search/index-runs.ts';
import type { IndexReport } from '../../shared/index-site.ts';
import { CommandFailure } from '../output/failure.ts';
import type { ConnectedConfig } from '../connect/settings.ts';
import { openTemporal } from '../connect/temporal.ts';

/** Starts indexing a new project's site, now and at the configured interval; does not wait. */
export async function requestIndexing(
  config: ConnectedConfig,
  project: IndexedProject,
): Promise<void> {
  await withTemporal(config, async client => {
    await ensureIndexSchedule(client, config.TASK_QUEUE, project, config.INDEX_INTERVAL_MINUTES);
    await requestIndex(client, config.TASK_QUEUE, project);
  });
}

const PROGRESS_MS = 2_000;

/**
 * Indexes the site's newest commit and waits until it is done; null if the project was deleted.
 * Says meanwhile how far it is. Throws `CommandFailure` with the reason if it fails.
 */
export async function indexNow(
  pool: Pool,
  config: ConnectedConfig,
  project: IndexedProject,
): Promise<IndexReport | null> {
  let said = '';
  const watch = setInterval(() => {
    progressOf(pool, project.id).then(
      line => {
        if (line !== '' && line !== said) console.error(line);
        said = line;
      },
      () => undefined, // the database may be away for a moment
    );
  }, PROGRESS_MS);
  try {
    return await withTemporal(
      config,
      async client => await (await requestIndex(client, config.TASK_QUEUE, project)).result(),
    );
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    throw new CommandFailure(
      `Indexing ${project.domain} failed: ${rootCause(error.cause) ?? error.message}`,
    );
  } finally {
    clearInterval(watch);
  }
}

/** Where a run is, and why the attempt before failed; '' if there is nothing to say. */
async function progressOf(pool: Pool, projectId: string): Promise<string> {
  const run = await readIndexRun(pool, projectId);
  if (!run) return '';
  if (run.failure !== null) return `The last attempt failed: ${run.failure} Trying again.`;
  if (run.finishedAt || run.pagesTotal === null) return '';
  return `${run.pagesRead} of ${run.pagesTotal} pages read`;
}

export async function endIndexing(config: ConnectedConfig, projectId: string): Promise<void> {
  await withTemporal(config, client => deleteIndexSchedule(client, projectId));
}

/** Calls Temporal through a client that is closed afterwards. */
export async function withTemporal<T>(
  config: ConnectedConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const temporal = await openTemporal(config);
  try {
    return await work(temporal.client);
  } finally {
    await temporal.close();
  }
}
