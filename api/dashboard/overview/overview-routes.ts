import { listJobOverviews } from '../../../db/jobs/job-overviews.ts';
import { countGivenUp } from '../../../db/outgoing/endpoints.ts';
import { readFirstSteps, readOverviewDays } from '../../../db/projects/overview.ts';
import { countForProject } from '../../../db/projects/projects.ts';
import { isAtLeast } from '../access.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { jobView } from '../jobs/job-view.ts';

/** Of each kind of what waits for a person. */
const MOST = 5;
const FAILED_FOR_MS = 14 * 86_400_000;

/** What waits for people in a project, and what came of it over time. */
export function overviewRoutes({ pool, config }: DashboardDeps) {
  return {
    'GET /projects/:projectId/overview': async ({ project, membership, query }) => {
      const scope = { projectId: project.id };
      const since = new Date(Date.now() - FAILED_FOR_MS).toISOString().slice(0, 10);
      const [waiting, review, failed, counts, days, steps, webhooks] = await Promise.all([
        listJobOverviews(pool, scope, { waits: true, archived: false, limit: MOST }),
        listJobOverviews(pool, scope, {
          outcome: 'open',
          waits: false,
          archived: false,
          limit: MOST,
        }),
        listJobOverviews(pool, scope, {
          ...{ outcome: 'failed', waits: false, archived: false, since, limit: MOST },
        }),
        countForProject(pool, project),
        readOverviewDays(pool, project, query.days ?? 30),
        readFirstSteps(pool, project),
        isAtLeast(membership.role, 'owner') ? countGivenUp(pool, project) : 0,
      ]);
      return {
        needs: {
          waiting: waiting.map(row => jobView(config, row)),
          review: review.map(row => jobView(config, row)),
          failed: failed.map(row => jobView(config, row)),
          unanswered: counts.unanswered,
          webhooks,
        },
        days: days.map(({ costMicroUsd, ...day }) => ({
          ...day,
          costUsd: costMicroUsd === null ? null : costMicroUsd / 1_000_000,
        })),
        steps,
      };
    },
  } satisfies Partial<Handlers>;
}
