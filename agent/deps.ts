import type { Config } from '../shared/config.ts';
import type { BoundedCache } from '../shared/bounded-cache.ts';
import type { KeptRevision } from './kept-revisions.ts';
import type { Pool } from '../db/pool.ts';
import type { ModelClient } from '../shared/models/messages-api.ts';
import type { FeaturesOf } from '../db/models/open-features.ts';
import type { SearchRequest, SearchResult } from '../db/search/search-request.ts';
import type { RepositoryAddress, RepositoryHost } from '../hosts/host.ts';

/** What the agent may know of the attempt that it works in. */
export interface Attempt {
  signal: AbortSignal;
  log: { warn(message: string, details: Record<string, unknown>): void };
  /** When it was due, in milliseconds: what a retry reads is what the first attempt read. */
  dueAt: number;
}

/** What the activities act on; the worker builds it once. */
export interface ActivityDeps {
  config: Config;
  pool: Pool;
  anthropic: ModelClient;
  /** What the model's endpoint supports. */
  featuresOf: FeaturesOf;
  hostFor(address: RepositoryAddress): RepositoryHost;
  search(request: SearchRequest): Promise<SearchResult[]>;
  /**
   * Whether this run is the job's current one in Temporal; false too if the job is closed or
   * gone.
   */
  isCurrentRun(jobId: string, runId: string): Promise<boolean>;
  /** Whether Temporal was restored and has lost this run, which the job's row belongs to. */
  hasLostRun(jobId: string, runId: string): Promise<boolean>;
  publicUrl: string;
  /** Revisions that were read or written lately, by id. */
  revisions: BoundedCache<KeptRevision>;
  /** Commits of context repositories, by organization, repository and ref. */
  contextCommits: Map<string, { commit: Promise<string>; until: number }>;
}
