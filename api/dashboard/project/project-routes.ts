import type { FastifyRequest } from 'fastify';
import type { Project, ProjectChange, RepositoryList } from '../contract/projects/projects.ts';
import { recordAudit } from '../../../db/audit/audit-log.ts';
import { transaction } from '../../../db/pool.ts';
import {
  countForProject,
  deleteProject,
  type Project as ProjectRow,
  type ProjectChange as ProjectSettings,
  updateProject,
} from '../../../db/projects/projects.ts';
import type { ContextRepository } from '../../../shared/context-repositories.ts';
import {
  changedAuthor,
  type CommitAuthor,
  shownAuthor,
} from '../../../shared/jobs/commit-author.ts';
import { Problem } from '../../../shared/errors.ts';
import { deleteIndexSchedule } from '../../../search/indexing/index-requests.ts';
import { hostOf, hostOfCopies, HOSTS, linkNow } from '../../../hosts/registry.ts';
import { actorOf } from '../../audit.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { atField, usableContext, problemOf } from './hosts.ts';
import { startIndexing, makeProject, trimFolder, trimUrl } from './new-project.ts';
import { ProjectPreviews } from './project-preview.ts';

/** Projects: making, reading, changing and deleting them. */
export function projectRoutes(deps: DashboardDeps) {
  const { pool, temporal } = deps;
  const previews = new ProjectPreviews(deps);
  return {
    'GET /organizations/:organization/repositories': ({ membership }) =>
      repositoryList(deps, membership.organization.id),

    'POST /organizations/:organization/projects': async request => {
      const { membership, body, log } = request;
      const { organization } = membership;
      const project = await makeProject(deps, organization.id, body, actorOf(request));
      if (!(await startIndexing(deps, project)))
        log.warn({ project: project.id }, 'a new project is not indexed yet: Temporal is down');
      return projectBody(deps, organization.slug, project);
    },

    'POST /organizations/:organization/projects/preview': ({ membership, body }) =>
      previews.of(membership.organization.id, body),

    'GET /projects/:projectId': ({ membership, project }) =>
      projectBody(deps, membership.organization.slug, project),

    'PATCH /projects/:projectId': async request => {
      const changed = await changeProject(deps, request, request.body);
      return projectBody(deps, request.membership.organization.slug, changed);
    },

    'GET /projects/:projectId/repository': async ({ project }) => ({
      problem: await repositoryProblem(deps, project),
    }),

    'DELETE /projects/:projectId': async request => {
      const { project, log } = request;
      await transaction(pool, async tx => {
        if (await deleteProject(tx, project.organizationId, project.id))
          await recordAudit(tx, project.organizationId, {
            action: 'project.deleted',
            actor: actorOf(request),
            subject: { kind: 'project', id: project.id, name: project.domain },
          });
      });
      // A schedule that is left over finds no project, and does nothing.
      await deleteIndexSchedule(temporal, project.id).catch((error: unknown) =>
        log.warn({ err: error }, 'the schedule of a deleted project is left over'),
      );
    },
  } satisfies Partial<Handlers>;
}

async function repositoryList(
  deps: DashboardDeps,
  organizationId: string,
): Promise<RepositoryList> {
  const { kind, copies, problem } = hostOfCopies();
  const available = problem(deps.config) === null;
  return {
    available,
    hosts: HOSTS.filter(host => host.kind !== kind).map(host => ({
      kind: host.kind,
      name: host.name,
      available: host.problem(deps.config) === null,
      hasConnectPage: host.hasConnectPage ?? false,
    })),
    repositories: available ? await copies.list(deps, organizationId) : [],
  };
}

async function changeProject(
  deps: DashboardDeps,
  request: FastifyRequest,
  change: ProjectChange,
): Promise<ProjectRow> {
  const { project } = request;
  const { name, baseRef, docsFolder, siteKind, siteUrl, basePath } = change;
  const { public: isPublic, contextRepositories } = change;
  const author = changedAuthor(authorIn(project), change);
  const host = hostOf(project.host);
  await host
    .checkChange(deps, project, {
      ...(baseRef !== undefined && { baseRef }),
      ...(docsFolder != null && { docsFolder: trimFolder(docsFolder) }),
    })
    .catch(atField);
  const context =
    contextRepositories && (await usableContext(deps, project.organizationId, contextRepositories));
  if (isPublic !== undefined) await host.copies?.setPublic(deps, project.repository, isPublic);
  const wanted: ProjectSettings = {
    ...(name !== undefined && { name: name.trim() }),
    ...(baseRef !== undefined && { baseRef }),
    ...(isPublic !== undefined && { public: isPublic }),
    settings: {
      ...plainSettings(change),
      ...author,
      ...(context && { contextRepositories: context }),
    },
    ...(docsFolder !== undefined && { docsFolderDetected: docsFolder === null }),
    ...(docsFolder != null && { docsFolder: trimFolder(docsFolder) }),
    ...(siteKind !== undefined && { siteKind }),
    ...(basePath !== undefined && { basePath }),
    ...(siteUrl !== undefined && { siteUrl: siteUrl && trimUrl(siteUrl) }),
  };
  const changed = await transaction(deps.pool, async tx => {
    await recordAudit(tx, project.organizationId, {
      action: 'project.changed',
      actor: actorOf(request),
      subject: { kind: 'project', id: project.id, name: project.domain },
      details: { ...wanted },
    });
    return updateProject(tx, project.id, wanted);
  });
  // Which repositories automations may watch is checked when their files are read.
  if (context || READ_FROM.some(member => changed[member] !== project[member]))
    await startIndexing(deps, changed);
  return changed;
}

/** The settings that are stored as they come. */
const PLAIN = [
  'allowMdxCode',
  'allowPaths',
  'allowedForms',
  'budgetUsd',
  'effort',
  'requirePlanApproval',
  'webPages',
] as const satisfies readonly (keyof ProjectChange)[];

function plainSettings(change: ProjectChange) {
  return Object.fromEntries(
    PLAIN.filter(name => change[name] !== undefined).map(name => [name, change[name]]),
  );
}

function authorIn({ settings }: ProjectRow): CommitAuthor | null {
  return (settings['commitAuthor'] ?? null) as CommitAuthor | null;
}

/** What decides which pages a site has, and their addresses. */
const READ_FROM = ['baseRef', 'docsFolder', 'docsFolderDetected', 'siteKind', 'basePath'] as const;

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
    allowPaths: (settings['allowPaths'] ?? []) as string[],
    ...shownAuthor(authorIn(project)),
    contextRepositories: (settings['contextRepositories'] ?? []) as ContextRepository[],
    webPages: (settings['webPages'] ?? []) as string[],
    effort: (settings['effort'] ?? null) as Project['effort'],
    allowedForms: (settings['allowedForms'] ?? []) as string[],
    budgetUsd: (settings['budgetUsd'] ?? null) as number | null,
    requirePlanApproval: settings['requirePlanApproval'] === true,
    organization,
    createdAt: createdAt.toISOString(),
    ...(await countForProject(pool, project)),
  };
}
