import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ProjectParams } from '../../../shared/dashboard/projects.ts';
import {
  type Diff,
  PullRequest,
  PullRequestDetail,
  PullRequestList,
  PullRequestParams,
  PullRequestQuery,
} from '../../../shared/dashboard/jobs.ts';
import { readEventsOfTypes } from '../../../shared/db/jobs/events.ts';
import type { Project } from '../../../shared/db/projects/projects.ts';
import { Problem } from '../../../shared/errors.ts';
import type { HostedPullRequest } from '../../../hosts/hosted-pull-requests.ts';
import { hostOf } from '../../../hosts/registry.ts';
import type { DashboardDeps } from '../deps.ts';
import { diffBody } from './diff.ts';
import { pullRequestsOf } from '../project/hosts.ts';

/**
 * Pull requests of hosts that keep them here. Others are reviewed and merged on their host.
 */
export const pullRequestRoutes: FastifyPluginAsyncTypebox<DashboardDeps> = async (app, deps) => {
  const viewer = { role: 'viewer' } as const;
  const member = { role: 'member' } as const;

  app.get(
    '/projects/:projectId/pulls',
    {
      config: viewer,
      schema: {
        params: ProjectParams,
        querystring: PullRequestQuery,
        response: { 200: PullRequestList },
      },
    },
    async ({ project, query }) => {
      const { kind, name: hostName, pullRequests, pullRequestsUrl } = hostOf(project.host);
      if (!pullRequests) {
        const url = pullRequestsUrl?.(project.repositoryUrl) ?? project.repositoryUrl;
        return { host: kind, hostName, url, pullRequests: [] };
      }
      const listed = await pullRequestsOf(deps, project).list(deps, project.repository);
      const views = listed.map(view);
      return {
        host: kind,
        hostName,
        url: null,
        pullRequests: views.filter(
          ({ state }) => query.state === undefined || state === query.state,
        ),
      };
    },
  );

  app.get(
    '/projects/:projectId/pulls/:number',
    {
      config: viewer,
      schema: { params: PullRequestParams, response: { 200: PullRequestDetail } },
    },
    async ({ project, params }) => {
      const pulls = pullRequestsOf(deps, project);
      const pull = await pulls.get(deps, project.repository, params.number);
      const [diff, commits, findings, conflict] = await Promise.all([
        diffOf(() => pulls.diff(deps, pull)),
        pulls.commits(deps, pull),
        lastFindings(deps, project, pull.jobId),
        pulls.conflict(deps, pull),
      ]);
      return { ...view(pull), body: pull.body, commits, findings, conflict, diff };
    },
  );

  for (const verb of ['merge', 'close'] as const) {
    app.post(
      `/projects/:projectId/pulls/:number/${verb}`,
      {
        config: member,
        schema: { params: PullRequestParams, response: { 200: PullRequest } },
      },
      async ({ project, params }) => {
        const pulls = pullRequestsOf(deps, project);
        return view(await pulls[verb](deps, project.repository, params.number));
      },
    );
  }
};

/**
 * Changes that are too large for one answer leave the page without its diff, not the reader without
 * the page.
 */
async function diffOf(read: () => Promise<string>): Promise<Diff> {
  try {
    return diffBody(await read());
  } catch (error) {
    if (error instanceof Problem && error.code === 'payload_too_large')
      return { files: [], complete: false };
    throw error;
  }
}

/**
 * What the checks of the job's last turn left; null where no job of this project made the pull
 * request.
 */
async function lastFindings(
  { pool }: DashboardDeps,
  project: Project,
  jobId: string | null,
): Promise<PullRequestDetail['findings']> {
  if (jobId === null) return null;
  const {
    rows: [job],
  } = await pool.query<{ turns: number }>(
    'select turns from jobs where id = $1 and project_id = $2',
    [jobId, project.id],
  );
  if (!job) return null;
  const checks = await readEventsOfTypes(pool, jobId, ['checks'] as const);
  return checks.findLast(({ event }) => event.turn === job.turns)?.event.findings ?? [];
}

function view(pull: HostedPullRequest): PullRequest {
  return {
    number: pull.number,
    title: pull.title,
    state: pull.state,
    draft: pull.draft,
    head: pull.head,
    base: pull.base,
    url: pull.url,
    jobId: pull.jobId,
    createdAt: pull.createdAt.toISOString(),
    updatedAt: pull.updatedAt.toISOString(),
    closedAt: pull.closedAt?.toISOString() ?? null,
  };
}
