import type { Log } from '../../shared/logger.ts';
import { HOSTS } from '../../hosts/registry.ts';
import type { Config } from '../../shared/config.ts';
import type { Pool } from '../../db/pool.ts';
import { notePreview, unpreviewedJobs } from '../../db/webhook/previews.ts';
import { repeat } from './repeat.ts';

const EVERY_MS = 30_000;
const JOBS = 20;

export interface PreviewDeps {
  config: Config;
  pool: Pool;
  log: Log;
}

/** Asks the hosts that tell nothing by themselves, until it is stopped. */
export function startAskingForPreviews(deps: PreviewDeps): { stop(): Promise<void> } {
  const asked = new Map<string, number>();
  return repeat(
    EVERY_MS,
    stopping => askForPreviews(deps, asked, stopping),
    error => deps.log.warn({ err: error }, 'previews were not asked for'),
  );
}

/**
 * Asks for the preview of each new commit: after half a minute, a minute, two, and so on for an
 * hour. `asked`: the ages at which commits are due again, in seconds.
 */
export async function askForPreviews(
  deps: PreviewDeps,
  asked: Map<string, number>,
  stopping?: AbortSignal,
): Promise<void> {
  for (const { kind, previews } of HOSTS) {
    if (!previews?.mustBeAsked(deps.config)) continue;
    const jobs = await unpreviewedJobs(deps.pool, kind, JOBS);
    for (const known of asked.keys())
      if (!jobs.some(({ commit }) => commit === known)) asked.delete(known);
    for (const { jobId, repository, commit, age } of jobs) {
      if (stopping?.aborted) return;
      if (age < (asked.get(commit) ?? 0)) continue;
      asked.set(commit, Math.max(30, age * 2));
      try {
        const found = await previews.read(deps, repository, commit);
        const names = [repository.toLowerCase()];
        if (found) await notePreview(deps.pool, kind, { ...found, names, commit, branches: [] });
      } catch (error) {
        deps.log.info({ err: error, jobId }, 'the host does not say where a preview is');
      }
    }
  }
}
