import { changeBudget, decide } from '../../../jobs/waiting/answer-job.ts';
import { Problem } from '../../../shared/errors.ts';
import { isAtLeast } from '../access.ts';
import { recordDecision } from '../../audit.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers, RouteRequest } from '../handlers.ts';
import { readJobView } from './job-view.ts';

const ACTIONS = { approve: 'job.approved', decline: 'job.declined' } as const;

/** What people decide about a job that waits for them. */
export function waitingRoutes(deps: DashboardDeps) {
  const decided =
    (verb: 'approve' | 'decline') =>
    async (request: RouteRequest<'POST /projects/:projectId/jobs/:id/approve'>) => {
      const { project, job, body, membership } = request;
      const { turn, allow } = body;
      if (allow === 'project' && !isAtLeast(membership.role, 'owner'))
        throw new Problem('not_permitted', 'Only owners can allow it for the project.');
      await decide(deps, {
        verb,
        projectId: project.id,
        jobId: job.id,
        turn,
        allow,
        source: 'dashboard',
        idempotency: undefined,
        onStored: recordDecision(request, ACTIONS[verb]),
      });
      return readJobView(deps, project.id, job.id);
    };
  return {
    'POST /projects/:projectId/jobs/:id/approve': decided('approve'),
    'POST /projects/:projectId/jobs/:id/decline': decided('decline'),
    'PATCH /projects/:projectId/jobs/:id': async request => {
      const { project, job, body } = request;
      await changeBudget(deps, {
        projectId: project.id,
        jobId: job.id,
        budgetUsd: body.budget,
        source: 'dashboard',
        onStored: recordDecision(request, 'job.budget_changed', { budgetUsd: body.budget }),
      });
      return readJobView(deps, project.id, job.id);
    },
  } satisfies Partial<Handlers>;
}
