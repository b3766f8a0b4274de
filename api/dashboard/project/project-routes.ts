import type { Project, ProjectChange, RepositoryList } from '../../../shared/dashboard/projects.ts';
import {
  listOrganizationRepositories,
  updateRepository,
} from '../../../shared/db/local-host/local-host.ts';
import {
  countForProject,
  deleteProject,
  type Project as ProjectRow,
  updateProject,
} from '../../../shared/db/projects/projects.ts';
import { gitHubProblem } from '../../../hosts/github/open.ts';
import { deleteIndexSchedule } from '../../../shared/search/index-requests.ts';
import { linkNow } from '../../../hosts/local/context.ts';
import { requireDocsFolder } from '../../../hosts/local/docs-folder.ts';
import { listBranches, requireBranch } from '../../../hosts/local/repositories.ts';
import type { DashboardDeps } from '../deps.ts';
import { requireBranchOnGitHub } from '../github/project-repository.ts';
import type { Handlers } from '../handlers.ts';
import { beginIndexing, makeProject, requireHost, trimFolder, trimUrl } from './new-project.ts';

/** Projects: making, reading, changing and deleting them. */
export function projectRoutes(deps: DashboardDeps) {
  const { pool, temporal } = deps;
  return {
    'GET /organizations/:organization/repositories': ({ membership }) =>
      repositoryList(deps, membership.organization.id),

    'POST /organizations/:organization/projects': async ({ membership, body, log }) => {
      const { organization } = membership;
      const project = await makeProject(deps, organization.id, body);
      if (!(await beginIndexing(deps, project)))
        log.warn({ project: project.id }, 'a new project is not indexed yet: Temporal is down');
      return projectBody(deps, organization.slug, project);
    },

    'GET /projects/:projectId': ({ membership, project }) =>
      projectBody(deps, membership.organization.slug, project),

    'PATCH /projects/:projectId': async ({ membership, project, body }) =>
      projectBody(deps, membership.organization.slug, await changeProject(deps, project, body)),

    'DELETE /projects/:projectId': async ({ project, log }) => {
      await deleteProject(pool, project.organizationId, project.id);
      // A schedule that is left over finds no project, and does nothing.
      await deleteIndexSchedule(temporal, project.id).catch((error: unknown) =>
        log.warn({ err: error }, 'the schedule of a deleted project is left over'),
      );
    },
  } satisfies Partial<Handlers>;
}

async function repositoryList(
  { host, config, pool }: DashboardDeps,
  organizationId: string,
): Promise<RepositoryList> {
  const gitHub = gitHubProblem(config) === null;
  if (!host) return { available: false, gitHub, repositories: [] };
  const rows = await listOrganizationRepositories(pool, organizationId);
  const repositories = rows.map(
    async ({ name, default_branch: defaultBranch, public: isPublic }) => ({
      name,
      defaultBranch,
      public: isPublic,
      branches: (await listBranches(host, name)).map(branch => branch.name),
    }),
  );
  return { available: true, gitHub, repositories: await Promise.all(repositories) };
}

async function changeProject(
  deps: DashboardDeps,
  project: ProjectRow,
  change: ProjectChange,
): Promise<ProjectRow> {
  const { name, baseRef, docsFolder, siteUrl, public: isPublic, allowMdxCode } = change;
  await requireSource(deps, project, change);
  if (project.host === 'local' && isPublic !== undefined)
    await updateRepository(deps.pool, project.repository, { public: isPublic });
  const changed = await updateProject(deps.pool, project.id, {
    ...(name !== undefined && { name: name.trim() }),
    ...(baseRef !== undefined && { baseRef }),
    ...(isPublic !== undefined && { public: isPublic }),
    ...(allowMdxCode !== undefined && { settings: { allowMdxCode } }),
    ...(docsFolder !== undefined && { docsFolder: trimFolder(docsFolder) }),
    ...(siteUrl !== undefined && { siteUrl: siteUrl && trimUrl(siteUrl) }),
  });
  if (changed.baseRef !== project.baseRef || changed.docsFolder !== project.docsFolder)
    await beginIndexing(deps, changed);
  return changed;
}

/** Throws 400 unless the repository has the branch and the folder that are asked for. */
async function requireSource(
  deps: DashboardDeps,
  project: ProjectRow,
  { baseRef, docsFolder }: ProjectChange,
): Promise<void> {
  if (project.host === 'local' && baseRef !== undefined)
    await requireBranch(requireHost(deps), project.repository, baseRef);
  if (project.host === 'github' && baseRef !== undefined && baseRef !== project.baseRef)
    await requireBranchOnGitHub(deps, project, baseRef);
  if (
    project.host === 'local' &&
    docsFolder !== undefined &&
    trimFolder(docsFolder) !== project.docsFolder
  )
    await requireDocsFolder(
      requireHost(deps),
      project.repository,
      baseRef ?? project.baseRef,
      trimFolder(docsFolder),
    );
}

async function projectBody(
  { config, pool }: DashboardDeps,
  organization: string,
  project: ProjectRow,
): Promise<Project> {
  const { organizationId: _id, settings, createdAt, ...rest } = project;
  return {
    ...rest,
    repositoryUrl: linkNow(config, project.host, project.repositoryUrl),
    allowMdxCode: settings['allowMdxCode'] === true,
    organization,
    createdAt: createdAt.toISOString(),
    ...(await countForProject(pool, project)),
  };
}
