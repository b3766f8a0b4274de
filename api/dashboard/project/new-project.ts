import type { NewProject } from '../../../shared/dashboard/projects.ts';
import { listOrganizationRepositories } from '../../../shared/db/local-host/local-host.ts';
import {
  createProject,
  findProjectByDomain,
  type Project,
} from '../../../shared/db/projects/projects.ts';
import { Problem } from '../../../shared/errors.ts';
import { ensureIndexSchedule, requestIndex } from '../../../shared/search/index-requests.ts';
import type { LocalRepository } from '../../../hosts/local/schemas.ts';
import type { LocalHostContext } from '../../../hosts/local/context.ts';
import { findDocsFolder, requireDocsFolder } from '../../../hosts/local/docs-folder.ts';
import {
  deleteRepository,
  importRepository,
  readRepository,
  requireBranch,
} from '../../../hosts/local/repositories.ts';
import type { DashboardDeps } from '../deps.ts';
import { locateOnGitHub } from '../github/project-repository.ts';
import { importSettings } from './public-address.ts';

/**
 * Makes a project on a repository on GitHub, or of the built-in host, copied there first where it
 * lies elsewhere. Throws 400, 409, 503.
 */
export async function makeProject(
  deps: DashboardDeps,
  organizationId: string,
  input: NewProject,
): Promise<Project> {
  if (await findProjectByDomain(deps.pool, input.domain)) throw domainTaken(input.domain);
  const { source } = input;
  return source.type === 'github'
    ? await makeOnGitHub(deps, organizationId, input, source.repository)
    : await makeOnHost(deps, organizationId, input, source);
}

async function makeOnGitHub(
  deps: DashboardDeps,
  organizationId: string,
  input: NewProject,
  repository: string,
): Promise<Project> {
  const { baseRef, docsFolder } = input;
  const wanted = {
    ...(baseRef !== undefined && { baseRef }),
    ...(docsFolder !== undefined && { docsFolder: trimFolder(docsFolder) }),
  };
  const found = await locateOnGitHub(deps, organizationId, repository, wanted);
  return await insert(deps, organizationId, input, { host: 'github', ...found });
}

async function makeOnHost(
  deps: DashboardDeps,
  organizationId: string,
  input: NewProject,
  source: HostSource,
): Promise<Project> {
  const host = requireHost(deps);
  const { repository, isNew } = await locate(host, organizationId, input, source);
  try {
    const baseRef = input.baseRef ?? repository.defaultBranch;
    await requireBranch(host, repository.name, baseRef);
    const docsFolder = trimFolder(
      input.docsFolder ?? (await findDocsFolder(host, repository.name, baseRef)),
    );
    await requireDocsFolder(host, repository.name, baseRef, docsFolder);
    return await insert(deps, organizationId, input, {
      host: 'local',
      repository: repository.name,
      repositoryUrl: repository.url,
      baseRef,
      docsFolder,
      public: repository.public,
    });
  } catch (error) {
    if (isNew) await deleteRepository(host, repository.name);
    throw error;
  }
}

type Located = Pick<Project, 'host' | 'repository' | 'repositoryUrl' | 'baseRef' | 'docsFolder'> & {
  public?: boolean;
};

async function insert(
  { pool }: DashboardDeps,
  organizationId: string,
  { name, domain, siteUrl }: NewProject,
  located: Located,
): Promise<Project> {
  try {
    return await createProject(pool, {
      organizationId,
      name: name.trim(),
      domain,
      ...located,
      ...(siteUrl !== undefined && { siteUrl: trimUrl(siteUrl) }),
    });
  } catch (error) {
    throw (error as { code?: unknown }).code === '23505' ? domainTaken(domain) : error;
  }
}

type HostSource = Exclude<NewProject['source'], { type: 'github' }>;

async function locate(
  host: LocalHostContext,
  organizationId: string,
  { domain, public: isPublic }: NewProject,
  source: HostSource,
): Promise<{ repository: LocalRepository; isNew: boolean }> {
  if (source.type === 'existing') {
    const allowed = await listOrganizationRepositories(host.pool, organizationId);
    if (!allowed.some(({ name }) => name === source.repository))
      throw field('source.repository', 'is no repository that this organization may use');
    return { repository: await readRepository(host, source.repository), isNew: false };
  }
  const settings = await importSettings(source.url);
  return {
    repository: await importRepository(
      host,
      { name: domain, public: isPublic ?? false },
      source.url,
      settings,
    ),
    isNew: true,
  };
}

/**
 * Has the site indexed, now and at the configured interval. False where Temporal cannot be told
 * just now.
 */
export async function beginIndexing(deps: DashboardDeps, project: Project): Promise<boolean> {
  try {
    await ensureIndexSchedule(
      deps.temporal,
      deps.config.TASK_QUEUE,
      project,
      deps.config.INDEX_INTERVAL_MINUTES,
    );
    await requestIndex(deps.temporal, deps.config.TASK_QUEUE, project);
    return true;
  } catch {
    return false;
  }
}

export function requireHost({ host }: Pick<DashboardDeps, 'host'>): LocalHostContext {
  if (!host)
    throw new Problem(
      'conflict',
      'This process does not serve the built-in repository host: LOCAL_HOST_TOKEN is not set.',
    );
  return host;
}

export function trimFolder(folder: string): string {
  return folder.replace(/^\/+|\/+$/g, '');
}

export function trimUrl(url: string): string {
  return url.replace(/\/+$/, '');
}

function field(path: string, message: string): Problem {
  return new Problem('invalid_request', `${path} ${message}.`, { errors: [{ path, message }] });
}

function domainTaken(domain: string): Problem {
  return new Problem('conflict', `The domain ${domain} is taken.`, {
    errors: [{ path: 'domain', message: 'is taken' }],
  });
}
