import type { Revision } from '../db/jobs/workspace-revisions.ts';
import { BoundedCache, UNUSED_BY_A_JOB_MS } from '../shared/bounded-cache.ts';

/** A revision with the bytes of its files. Immutable, so it can be kept in memory. */
export interface KeptRevision {
  revision: Revision;
  edits: ReadonlyMap<string, Buffer | null>;
}

/** Bytes; a large job's revision has some megabytes. */
const MOST_KEPT = 64_000_000;
const BYTES_OF_A_PATH = 500;

export function keptRevisions(): BoundedCache<KeptRevision> {
  return new BoundedCache<KeptRevision>(
    MOST_KEPT,
    ({ revision, edits }) =>
      1_000 +
      BYTES_OF_A_PATH * (edits.size + Object.keys(revision.touched).length) +
      [...edits.values()].reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0),
    UNUSED_BY_A_JOB_MS,
  );
}
