import type { ApiDeps } from '../api/deps.ts';
import type { JobFeed } from './watch/job-feed.ts';

/** What the agent's routes work with. */
export interface AgentDeps extends Pick<ApiDeps, 'config' | 'pool' | 'temporal'> {
  feed: JobFeed;
}
