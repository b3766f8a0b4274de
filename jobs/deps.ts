import type { Client } from '@temporalio/client';
import type { Config } from '../shared/config.ts';
import type { Pool } from '../db/pool.ts';
import type { JobFeed } from './watch/job-feed.ts';

/** What the job service works with. */
export interface JobsDeps {
  config: Config;
  pool: Pool;
  temporal: Client;
  feed: JobFeed;
}
