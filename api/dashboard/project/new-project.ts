import type { NewProject } from '../contract/projects/projects.ts';
import { type AuditActor, recordAudit } from '../../../db/audit/audit-log.ts';
import type { ContextRepository } from '../../../shared/context-repositories.ts';
import { transaction } from '../../../db/pool.ts';
import { createProject, findProjectByDomain, type Project } from '../../../db/projects/projects.ts';
import { fieldProblem, Problem } from '../../../shared/errors.ts';
import { reachableAddresses } from '../../../shared/outgoing/public-address.ts';
import { ensureIndexSchedule, requestIndex } from '../../../search/indexing/index-requests.ts';
import type {
  HostCopies,
  HostDefinition,
  LocatedRepository,
} from '../../../hosts/host-definition.ts';
import { findHost, hostOfCopies } from '../../../hosts/registry.ts';
import type { DashboardDeps } from '../deps.ts';
import { atField, usableContext, usable } from './hosts.ts';
import { guardedSource } from './import-source.ts';
import { withUploadedFolder } from './uploaded-folder.ts';

/**
 * Creates a project on a repository of a host, copied there first if it lies elsewhere. Throws 400,
 * 409, 503.
 */
export async function makeProject(
  deps: DashboardDeps,
  organizationId: string,
  input: NewProject,
  actor: AuditActor,
): Promise<Project> {
  if (await findProjectByDomain(deps.pool, input.domain)) throw domainTaken(input.domain);
  const { host, repository, copies } = await sourceOf(deps, organizationId, input);
  const { baseRef, docsFolder } = input;
  try {
    const found = await host
      .locate(deps, organizationId, repository, {
        ...(baseRef !== undefined && { baseRef }),
        ...(docsFolder !== undefined && { docsFolder: trimFolder(docsFolder) }),
      })
      .catch(atField);
    const context = await usableContext(deps, organizationId, input.contextRepositories ?? []);
    const located = { host: host.kind, ...found };
    return await insert(deps, organizationId, input, { located, context }, actor);
  } catch (error) {
    await copies?.remove(deps, repository);
    throw error;
  }
}

interface Source {
  host: HostDefinition;
  repository: string;
  /** Set if the repository was copied just now. */
  copies?: HostCopies;
}

async function sourceOf(
  deps: DashboardDeps,
  organizationId: string,
  { source, domain, public: isPublic = false }: NewProject,
): Promise<Source> {
  if (isImport(source)) {
    const host = usable(deps, hostOfCopies());
    const checked = await guardedSource(
      source.url,
      reachableAddresses(deps.config.ALLOWED_PRIVATE_NETWORKS),
    );
    await host.copies.add(deps, { name: domain, public: isPublic }, checked);
    return { host, repository: domain, copies: host.copies };
  }
  if (isUpload(source)) {
    const host = usable(deps, hostOfCopies());
    await withUploadedFolder(source.files, folder =>
      host.copies.add(deps, { name: domain, public: isPublic }, folder),
    );
    return { host, repository: domain, copies: host.copies };
  }
  const host = source.type === 'existing' ? hostOfCopies() : findHost(source.type);
  if (!host) throw fieldProblem('source.type', 'is not a kind of repository host');
  const { repository } = source;
  await usable(deps, host).requireMayUse(deps, organizationId, repository).catch(atField);
  return { host, repository };
}

type ImportSource = Extract<NewProject['source'], { type: 'import' }>;

/** By its type alone: members of other types are ignored. */
function isImport(source: NewProject['source']): source is ImportSource {
  return source.type === 'import';
}

type UploadSource = Extract<NewProject['source'], { type: 'upload' }>;

function isUpload(source: Exclude<NewProject['source'], ImportSource>): source is UploadSource {
  return source.type === 'upload';
}

type Located = LocatedRepository & Pick<Project, 'host'>;

async function insert(
  { pool }: DashboardDeps,
  organizationId: string,
  { name, domain, docsFolder, siteKind, basePath, siteUrl }: NewProject,
  { located, context }: { located: Located; context: ContextRepository[] },
  actor: AuditActor,
): Promise<Project> {
  try {
    return await transaction(pool, async tx => {
      const project = await createProject(tx, {
        organizationId,
        name: name.trim(),
        domain,
        ...located,
        docsFolderDetected: docsFolder === undefined,
        ...(siteKind !== undefined && { siteKind }),
        ...(basePath !== undefined && { basePath }),
        ...(siteUrl !== undefined && { siteUrl: trimUrl(siteUrl) }),
        ...(context.length > 0 && { settings: { contextRepositories: context } }),
      });
      await recordAudit(tx, organizationId, {
        action: 'project.created',
        actor,
        subject: { kind: 'project', id: project.id, name: domain },
        details: { host: located.host, repository: located.repository },
      });
      return project;
    });
  } catch (error) {
    throw (error as { code?: unknown }).code === '23505' ? domainTaken(domain) : error;
  }
}

/**
 * Has the site indexed, now and at the configured interval. False if Temporal cannot be reached
 * now.
 */
export async function startIndexing(deps: DashboardDeps, project: Project): Promise<boolean> {
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

export function trimFolder(folder: string): string {
  return folder.replace(/^\/+|\/+$/g, '');
}

export function trimUrl(url: string): string {
  return url.replace(/\/+$/, '');
}

function domainTaken(domain: string): Problem {
  return new Problem('conflict', `The domain ${domain} is taken.`, {
    errors: [{ path: 'domain', message: 'is taken' }],
  });
}
