import {
  findJobs,
  findKeys,
  findPages,
  findQuestions,
  type FoundJob,
} from '../../../db/find/find.ts';
import { hostOf, linkNow } from '../../../hosts/registry.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';

/** What the palette finds in an organization. */
export function findRoutes({ pool, config }: DashboardDeps) {
  const jobView = ({ host, prNumber, prLink, createdAt, ...job }: FoundJob) => ({
    ...job,
    prNumber: hostOf(host).pullRequests ? prNumber : null,
    prLink: linkNow(config, host, prLink),
    createdAt: createdAt.toISOString(),
  });
  return {
    'GET /organizations/:organization/find': async ({ membership, query }) => {
      const { id } = membership.organization;
      const { words = '' } = query;
      const [jobs, questions, pages, keys] = await Promise.all([
        findJobs(pool, id, words),
        findQuestions(pool, id, words),
        findPages(pool, id, words),
        findKeys(pool, id, words),
      ]);
      return { jobs: jobs.map(jobView), questions, pages, keys };
    },
  } satisfies Partial<Handlers>;
}
