import type {
  Diff,
  PullRequest,
  PullRequestDetail,
  PullRequestList,
} from '../../../shared/dashboard/jobs.ts';
import { findJob } from '../../../shared/db/jobs/jobs.ts';
import { readEventsOfTypes } from '../../../shared/db/jobs/events.ts';
import {
  findPullRequest,
  type LocalPullRequestRow,
} from '../../../shared/db/local-host/local-host.ts';
import type { Project } from '../../../shared/db/projects/projects.ts';
import { Problem } from '../../../shared/errors.ts';
import { type LocalHostContext, pullRequestUrl } from '../../../hosts/local/context.ts';
import { readCommits, readDiff } from '../../../hosts/local/diff.ts';
import {
  closePullRequest,
  conflictOf,
  listPullRequests,
  mergePullRequest,
  settledPullRequest,
} from '../../../hosts/local/pull-requests.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { requireHost } from '../project/new-project.ts';
import { diffBody } from './diff.ts';

/** Pull requests of the built-in repository host. Those on GitHub are read and merged there. */
export function pullRequestRoutes(deps: DashboardDeps) {
  return {
    'GET /projects/:projectId/pulls': ({ project, query }) => list(deps, project, query.state),

    'GET /projects/:projectId/pulls/:number': ({ project, params }) =>
      detail(deps, project, params.number),

    'POST /projects/:projectId/pulls/:number/merge': async ({ project, params }) => {
      const host = localHostOf(deps, project);
      await mergePullRequest(host, project.repository, params.number);
      return view(host, await requireRow(deps, project, params.number));
    },

    'POST /projects/:projectId/pulls/:number/close': async ({ project, params }) => {
      const host = localHostOf(deps, project);
      await closePullRequest(host, project.repository, params.number);
      return view(host, await requireRow(deps, project, params.number));
    },
  } satisfies Partial<Handlers>;
}

async function list(
  deps: DashboardDeps,
  project: Project,
  wanted: PullRequest['state'] | undefined,
): Promise<PullRequestList> {
  if (project.host !== 'local')
    return { host: project.host, url: `${project.repositoryUrl}/pulls`, pullRequests: [] };
  const host = requireHost(deps);
  const rows = await listPullRequests(host, project.repository);
  const views = await Promise.all(
    rows.map(async ({ number }) => view(host, await requireRow(deps, project, number))),
  );
  return {
    host: project.host,
    url: null,
    pullRequests: views.filter(({ state }) => wanted === undefined || state === wanted),
  };
}

async function detail(
  deps: DashboardDeps,
  project: Project,
  number: number,
): Promise<PullRequestDetail> {
  const host = localHostOf(deps, project);
  const row = await settledPullRequest(host, project.repository, number);
  const [diff, commits, findings, conflict] = await Promise.all([
    diffOf(host, row),
    readCommits(host, row.repository, row.base_commit, row.head_commit),
    lastFindings(deps, project, row.job_id),
    conflictOf(host, row),
  ]);
  return { ...view(host, row), body: row.body, commits, findings, conflict, diff };
}

function localHostOf(deps: DashboardDeps, project: Project): LocalHostContext {
  if (project.host !== 'local')
    throw new Problem('not_found', 'The pull requests of this project are on GitHub.');
  return requireHost(deps);
}

async function requireRow(
  deps: DashboardDeps,
  project: Project,
  number: number,
): Promise<LocalPullRequestRow> {
  const row = await findPullRequest(deps.pool, project.repository, number);
  if (!row) throw new Problem('not_found', 'There is no such pull request.');
  return row;
}

/**
 * Changes that are too large for one answer leave the page without its diff, not the reader without
 * the page.
 */
async function diffOf(host: LocalHostContext, row: LocalPullRequestRow): Promise<Diff> {
  try {
    return diffBody(await readDiff(host, row.repository, row.base_commit, row.head_commit));
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
  const job = await findJob(pool, project.id, jobId);
  if (!job) return null;
  const checks = await readEventsOfTypes(pool, jobId, ['checks'] as const);
  return checks.findLast(({ event }) => event.turn === job.turns)?.event.findings ?? [];
}

function view(host: LocalHostContext, row: LocalPullRequestRow): PullRequest {
  return {
    number: row.number,
    title: row.title,
    state: row.state,
    draft: row.draft,
    head: row.head,
    base: row.base,
    url: pullRequestUrl(host, row.token),
    jobId: row.job_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
  };
}
