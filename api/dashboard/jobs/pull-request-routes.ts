import type { FastifyRequest } from 'fastify';
import type { AuditAction } from '../../../db/audit/audit-actions.ts';
import type { Static } from '@sinclair/typebox';
import type {
  Diff,
  PullRequest,
  PullRequestDetail,
  PullRequestList,
  PullRequestQuery,
} from '../contract/jobs.ts';
import { type AuditEvent, recordAudit } from '../../../db/audit/audit-log.ts';
import { findJob } from '../../../db/jobs/jobs.ts';
import { leftFindings } from '../../../db/jobs/publications.ts';
import type { Project } from '../../../db/projects/projects.ts';
import { Problem } from '../../../shared/errors.ts';
import type { HostedPullRequest } from '../../../hosts/hosted-pull-requests.ts';
import { hostOf } from '../../../hosts/registry.ts';
import { actorOf, recordAround } from '../../audit.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { pullRequestsOf } from '../project/hosts.ts';
import { diffBody } from './diff.ts';

/** Pull requests of hosts that keep them here. Others are read and merged on their host. */
export function pullRequestRoutes(deps: DashboardDeps) {
  return {
    'GET /projects/:projectId/pulls': ({ project, query }) => list(deps, project, query),

    'GET /projects/:projectId/pulls/:number': ({ project, params }) =>
      detail(deps, project, params.number),

    'POST /projects/:projectId/pulls/:number/merge': request =>
      endPullRequest(deps, request, request.params.number, 'merge'),

    'POST /projects/:projectId/pulls/:number/close': request =>
      endPullRequest(deps, request, request.params.number, 'close'),
  } satisfies Partial<Handlers>;
}

async function endPullRequest(
  deps: DashboardDeps,
  request: FastifyRequest,
  number: number,
  verb: 'merge' | 'close',
): Promise<PullRequest> {
  const { project } = request;
  const pulls = pullRequestsOf(deps, project);
  const pull = await pulls.get(deps, project.repository, number);
  const ended = await recordAround(
    verb === 'merge' ? 'pull_request.merged' : 'pull_request.closed',
    action =>
      recordAudit(deps.pool, project.organizationId, aboutPullRequest(action, request, pull)),
    () => pulls[verb](deps, project.repository, number),
  );
  return view(ended);
}

function aboutPullRequest(
  action: AuditAction,
  request: FastifyRequest,
  { repository, number }: HostedPullRequest,
): AuditEvent {
  return {
    action,
    actor: actorOf(request),
    subject: { kind: 'pull_request', id: String(number), name: `${repository}#${number}` },
    details: { project: request.project.id },
  };
}

async function list(
  deps: DashboardDeps,
  project: Project,
  { state, cursor }: Static<typeof PullRequestQuery>,
): Promise<PullRequestList> {
  const { kind, name: hostName, pullRequests, pullRequestsUrl } = hostOf(project.host);
  if (!pullRequests) {
    const url = pullRequestsUrl?.(project.repositoryUrl) ?? project.repositoryUrl;
    return { host: kind, hostName, url, pullRequests: [], nextCursor: null };
  }
  const { pullRequests: listed, before } = await pullRequestsOf(deps, project).list(
    deps,
    project.repository,
    { state, before: cursor === undefined ? undefined : Number(cursor) },
  );
  return {
    host: kind,
    hostName,
    url: null,
    pullRequests: listed.map(view),
    nextCursor: before === null ? null : String(before),
  };
}

async function detail(
  deps: DashboardDeps,
  project: Project,
  number: number,
): Promise<PullRequestDetail> {
  const pulls = pullRequestsOf(deps, project);
  const pull = await pulls.get(deps, project.repository, number);
  const [diff, commits, findings, conflict] = await Promise.all([
    diffOf(() => pulls.diff(deps, pull)),
    pulls.commits(deps, pull),
    lastFindings(deps, project, pull.jobId),
    pulls.conflict(deps, pull),
  ]);
  return { ...view(pull), body: pull.body, commits, findings, conflict, diff };
}

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

/** What the checks left; null where no job of this project made the pull request, or nobody knows. */
async function lastFindings(
  { pool }: DashboardDeps,
  project: Project,
  jobId: string | null,
): Promise<PullRequestDetail['findings']> {
  if (jobId === null || !(await findJob(pool, project.id, jobId))) return null;
  return leftFindings(pool, jobId);
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
