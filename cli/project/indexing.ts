import { type Client, WorkflowFailedError } from '@temporalio/client';
import { rootCause } from '@temporalio/common';
import {
  deleteIndexSchedule,
  ensureIndexSchedule,
  type IndexedProject,
  requestIndex,
} from '../../shared/search/index-requests.ts';
import type { IndexReport } from '../../shared/search/index-site.ts';
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

/**
 * Indexes the site's newest commit and waits until it is done; null if the project was deleted.
 * Throws `CommandFailure` with the reason if it fails.
 */
export async function indexNow(
  config: ConnectedConfig,
  project: IndexedProject,
): Promise<IndexReport | null> {
  return await withTemporal(
    config,
    async client => await (await requestIndex(client, config.TASK_QUEUE, project)).result(),
  ).catch((error: unknown) => {
    if (!(error instanceof WorkflowFailedError)) throw error;
    throw new CommandFailure(
      `Indexing ${project.domain} failed: ${rootCause(error.cause) ?? error.message}`,
    );
  });
}

export async function endIndexing(config: ConnectedConfig, projectId: string): Promise<void> {
  await withTemporal(config, client => deleteIndexSchedule(client, projectId));
}

async function withTemporal<T>(
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
