import { openJobIds, usedRepositories } from '../../db/jobs/reconcile.ts';
import { redact } from '../../shared/secrets/redact.ts';
import { openRepositoryHosts } from '../connect/repository-hosts.ts';
import { compareJob } from './compare-jobs.ts';
import { compareRepository } from './compare-repositories.ts';
import { compareWorkflows } from './compare-workflows.ts';
import type { Difference, ReconcileDeps, Settled } from './difference.ts';

const AT_ONCE = 8;

/**
 * Compares Postgres with Temporal and with the repository hosts, settles what differs, and hands
 * every difference to `tell`. `dryRun`: nothing is changed.
 */
export async function reconcile(
  deps: ReconcileDeps,
  { dryRun, tell }: { dryRun: boolean; tell: (settled: Settled) => void },
): Promise<{ jobs: number; repositories: number }> {
  const ids = await openJobIds(deps.pool);
  const settle = async (difference: Difference) => tell(await settled(difference, dryRun));
  await forEach(ids, async id => {
    const difference = await compareJob(deps, id);
    if (difference) await settle(difference);
  });
  for (const each of await compareWorkflows(deps, new Set(ids))) await settle(each);
  const repositories = await usedRepositories(deps.pool);
  const hostOf = openRepositoryHosts(deps);
  for (const used of repositories) {
    const differences = await compareRepository(deps, hostOf(used), used);
    for (const each of differences) await settle(each);
  }
  return { jobs: ids.length, repositories: repositories.length };
}

async function settled(
  { kind, job, says, remedy, settle, isOpen }: Difference,
  dryRun: boolean,
): Promise<Settled> {
  const difference = { kind, job, says, remedy };
  if (!settle) return { ...difference, state: isOpen ? 'open' : 'noted' };
  if (dryRun) return { ...difference, state: 'planned' };
  try {
    await settle();
    return { ...difference, state: 'settled' };
  } catch (error) {
    return { ...difference, state: 'failed', error: redact((error as Error).message) };
  }
}

/** A few at a time. */
async function forEach(ids: readonly string[], work: (id: string) => Promise<void>): Promise<void> {
  const left = ids.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const id of left) await work(id);
    }),
  );
}
