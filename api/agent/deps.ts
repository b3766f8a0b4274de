import type { ApiDeps } from '../deps.ts';
import type { JobFeed } from './stream/job-feed.ts';

/** What the agent's routes work with. */
export interface AgentDeps extends Pick<ApiDeps, 'config' | 'pool' | 'temporal'> {
  feed: JobFeed;
}
