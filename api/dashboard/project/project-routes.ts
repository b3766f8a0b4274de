import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { OrganizationParams } from '../../../shared/dashboard/people.ts';
import {
  type IndexStatus,
  IndexStatus as IndexStatusSchema,
  NewProject,
  Project,
  ProjectChange,
  ProjectParams,
  RepositoryList,
} from '../../../shared/dashboard/projects.ts';
import {
  countForProject,
  deleteProject,
  type Project as ProjectRow,
  updateProject,
} from '../../../shared/db/projects/projects.ts';
import { readIndexState } from '../../../shared/db/search/index-state.ts';
import { RepositoryHealth } from '../../../shared/dashboard/github.ts';
import { Problem } from '../../../shared/errors.ts';
import { isFailureType } from '../../../shared/jobs/failures.ts';
import {
  deleteIndexSchedule,
  ensureIndexSchedule,
  requestIndex,
} from '../../../shared/search/index-requests.ts';
import { indexWorkflowId } from '../../../shared/search/index-site.ts';
import { hostOf, hostOfCopies, HOSTS, linkNow } from '../../../hosts/registry.ts';
import type { DashboardDeps } from '../deps.ts';
import { atField, problemOf } from './hosts.ts';
import { beginIndexing, makeProject, trimFolder, trimUrl } from './new-project.ts';

const DESCRIBE_DEADLINE_MS = 1_000;

/** Projects and their search index. */
export const projectRoutes: FastifyPluginAsyncTypebox<DashboardDeps> = async (app, deps) => {
  const { pool, config, temporal } = deps;
  const viewer = { role: 'viewer' } as const;
  const owner = { role: 'owner' } as const;

  app.get(
    '/organizations/:organization/repositories',
    {
      config: owner,
      schema: { params: OrganizationParams, response: { 200: RepositoryList } },
    },
    async ({ membership }) => {
      const { kind, copies, problem } = hostOfCopies();
      const available = problem(config) === null;
      return {
        available,
        hosts: HOSTS.filter(host => host.kind !== kind).map(host => ({
          kind: host.kind,
          name: host.name,
          available: host.problem(config) === null,
          hasConnectPage: host.hasConnectPage ?? false,
        })),
        repositories: available ? await copies.list(deps, membership.organization.id) : [],
      };
    },
  );

  app.post(
    '/organizations/:organization/projects',
    {
      config: owner,
      schema: { params: OrganizationParams, body: NewProject, response: { 201: Project } },
    },
    async (request, reply) => {
      const { organization } = request.membership;
      const project = await makeProject(deps, organization.id, request.body);
      if (!(await beginIndexing(deps, project)))
        request.log.warn(
          { project: project.id },
          'a new project is not indexed yet: Temporal does not answer',
        );
      reply.code(201);
      return projectBody(deps, organization.slug, project);
    },
  );

  app.get(
    '/projects/:projectId',
    { config: viewer, schema: { params: ProjectParams, response: { 200: Project } } },
    ({ membership, project }) => projectBody(deps, membership.organization.slug, project),
  );

  app.patch(
    '/projects/:projectId',
    {
      config: owner,
      schema: { params: ProjectParams, body: ProjectChange, response: { 200: Project } },
    },
    async ({ membership, project, body }) => {
      const { name, baseRef, docsFolder, siteUrl, public: isPublic, allowMdxCode } = body;
      const host = hostOf(project.host);
      if (baseRef !== undefined || docsFolder !== undefined)
        await host
          .checkChange(deps, project, {
            ...(baseRef !== undefined && { baseRef }),
            ...(docsFolder !== undefined && { docsFolder: trimFolder(docsFolder) }),
          })
          .catch(atField);
      if (isPublic !== undefined) await host.copies?.setPublic(deps, project.repository, isPublic);
      const changed = await updateProject(pool, project.id, {
        ...(name !== undefined && { name: name.trim() }),
        ...(baseRef !== undefined && { baseRef }),
        ...(isPublic !== undefined && { public: isPublic }),
        ...(allowMdxCode !== undefined && { settings: { allowMdxCode } }),
        ...(docsFolder !== undefined && { docsFolder: trimFolder(docsFolder) }),
        ...(siteUrl !== undefined && { siteUrl: siteUrl && trimUrl(siteUrl) }),
      });
      if (changed.baseRef !== project.baseRef || changed.docsFolder !== project.docsFolder)
        await beginIndexing(deps, changed);
      return projectBody(deps, membership.organization.slug, changed);
    },
  );

  // Each answer costs several requests of the host's limit: not for everybody who may look.
  app.get(
    '/projects/:projectId/repository',
    {
      config: { role: 'member' },
      schema: { params: ProjectParams, response: { 200: RepositoryHealth } },
    },
    async ({ project }) => ({ problem: await repositoryProblem(deps, project) }),
  );

  app.delete(
    '/projects/:projectId',
    { config: owner, schema: { params: ProjectParams } },
    async (request, reply) => {
      const { project } = request;
      await deleteProject(pool, project.organizationId, project.id);
      // A schedule that stays finds no project, and does nothing.
      await deleteIndexSchedule(temporal, project.id).catch((error: unknown) =>
        request.log.warn({ err: error }, 'the schedule of a deleted project stays'),
      );
      return reply.code(204).send();
    },
  );

  app.get(
    '/projects/:projectId/index',
    { config: viewer, schema: { params: ProjectParams, response: { 200: IndexStatusSchema } } },
    ({ project }) => indexStatus(deps, project),
  );

  app.post(
    '/projects/:projectId/index',
    {
      config: { role: 'member' },
      schema: { params: ProjectParams, response: { 200: IndexStatusSchema } },
    },
    async ({ project }) => {
      await ensureIndexSchedule(
        temporal,
        config.TASK_QUEUE,
        project,
        config.INDEX_INTERVAL_MINUTES,
      );
      await requestIndex(temporal, config.TASK_QUEUE, project);
      return indexStatus(deps, project);
    },
  );
};

/**
 * What is wrong with the repository of a project; null: nothing. `docent doctor` asks the same.
 * Throws 409 if the host is a part of Docent.
 */
async function repositoryProblem(
  deps: DashboardDeps,
  { organizationId, host: kind, repository, baseRef, docsFolder }: ProjectRow,
): Promise<string | null> {
  const host = hostOf(kind);
  if (!host.credentials)
    throw new Problem(
      'conflict',
      `This project’s repository is on ${host.name}, which is a part of Docent.`,
    );
  return await problemOf(async () => {
    await host.locate(deps, organizationId, repository, { baseRef, docsFolder });
    return null;
  });
}

async function projectBody(
  { config, pool }: DashboardDeps,
  organization: string,
  project: ProjectRow,
): Promise<Project> {
  const { organizationId: _id, settings, createdAt, ...rest } = project;
  const host = hostOf(project.host);
  return {
    ...rest,
    hostName: host.name,
    isCopy: host.copies !== undefined,
    needsCredentials: host.credentials !== undefined,
    repositoryUrl: linkNow(config, project.host, project.repositoryUrl),
    allowMdxCode: settings['allowMdxCode'] === true,
    organization,
    createdAt: createdAt.toISOString(),
    ...(await countForProject(pool, project)),
  };
}

async function indexStatus(
  { pool, config, temporal }: DashboardDeps,
  project: ProjectRow,
): Promise<IndexStatus> {
  const [state, run] = await Promise.all([
    readIndexState(pool, project.id),
    temporal
      .withDeadline(Date.now() + DESCRIBE_DEADLINE_MS, () => lastRun(temporal, project.id))
      .catch(() => ({ run: null, failure: null })),
  ]);
  return {
    built: state && { ...state, builtAt: state.builtAt.toISOString() },
    ...run,
    intervalMinutes: config.INDEX_INTERVAL_MINUTES,
  };
}

async function lastRun(
  { workflow }: Client,
  projectId: string,
): Promise<Pick<IndexStatus, 'run' | 'failure'>> {
  const handle = workflow.getHandle(indexWorkflowId(projectId));
  try {
    const {
      status: { name },
    } = await handle.describe();
    if (name === 'RUNNING') return { run: 'running', failure: null };
    if (name === 'COMPLETED' || name === 'CONTINUED_AS_NEW')
      return { run: 'completed', failure: null };
    return { run: 'failed', failure: await handle.result().then(() => null, sentenceOf) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { run: 'none', failure: null };
    throw error;
  }
}

/** Of a failure that people can repair; null for trouble of our own. */
function sentenceOf(error: unknown): string | null {
  const activity = error instanceof WorkflowFailedError ? error.cause : undefined;
  const cause = activity instanceof ActivityFailure ? activity.cause : undefined;
  return cause instanceof ApplicationFailure &&
    isFailureType(cause.type) &&
    cause.type !== 'internal'
    ? cause.message
    : null;
}
