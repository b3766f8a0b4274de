import type { HostKind } from '../../shared/host-kind.ts';
import type { SiteKindName } from '../../sites/kinds/registry.ts';
import { newId } from '../../shared/ids.ts';
import { STATE } from '../assistant/question-groups.ts';
import type { Queryable } from '../pool.ts';

export interface Project {
  id: string;
  organizationId: string;
  name: string;
  /** The docs site's subdomain, unique in the installation. */
  domain: string;
  /** What page links are built on; null: relative paths. */
  siteUrl: string | null;
  host: HostKind;
  /** As the host names it, such as "owner/name". */
  repository: string;
  repositoryUrl: string;
  baseRef: string;
  /** '' is the repository's root; no slash at either end. */
  docsFolder: string;
  /** The docs folder was found by the site's files: an indexing may find another one. */
  docsFolderDetected: boolean;
  /** Null: found by the site's files. */
  siteKind: SiteKindName | null;
  /** What addresses begin with, `/` or `/docs`; null: as the site's configuration says. */
  basePath: string | null;
  public: boolean;
  settings: Record<string, unknown>;
  createdAt: Date;
}

export interface NewProject {
  organizationId: string;
  name: string;
  domain: string;
  host: Project['host'];
  repository: string;
  repositoryUrl: string;
  baseRef: string;
  docsFolder?: string;
  docsFolderDetected?: boolean;
  siteKind?: SiteKindName | null;
  basePath?: string | null;
  siteUrl?: string;
  public?: boolean;
  settings?: Record<string, unknown>;
}

const COLUMNS = `id, organization_id as "organizationId", name, domain, site_url as "siteUrl", host,
  repository, repository_url as "repositoryUrl", base_ref as "baseRef",
  docs_folder as "docsFolder", docs_folder_detected as "docsFolderDetected",
  site_kind as "siteKind", base_path as "basePath", public, settings, created_at as "createdAt"`;

/**
 * Creates a project; rejects with Postgres' `unique_violation` if the domain is taken,
 * `check_violation` if it is not a valid subdomain.
 */
export async function createProject(db: Queryable, project: NewProject): Promise<Project> {
  const { rows } = await db.query<Project>(
    `insert into projects (id, organization_id, name, domain, site_url, host, repository,
                           repository_url, base_ref, docs_folder, public, settings, site_kind,
                           docs_folder_detected, base_path)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     returning ${COLUMNS}`,
    [
      newId('prj'),
      project.organizationId,
      project.name,
      project.domain,
      project.siteUrl ?? null,
      project.host,
      project.repository,
      project.repositoryUrl,
      project.baseRef,
      project.docsFolder ?? '',
      project.public ?? false,
      project.settings ?? {},
      project.siteKind ?? null,
      project.docsFolderDetected ?? false,
      project.basePath ?? null,
    ],
  );
  return rows[0]!;
}

export async function findProject(db: Queryable, id: string): Promise<Project | undefined> {
  const { rows } = await db.query<Project>({
    name: 'find-project',
    text: `select ${COLUMNS} from projects where id = $1 and deleted_at is null`,
    values: [id],
  });
  return rows[0];
}

export async function findProjectByDomain(
  db: Queryable,
  domain: string,
): Promise<Project | undefined> {
  const { rows } = await db.query<Project>(
    `select ${COLUMNS} from projects where domain = $1 and deleted_at is null`,
    [domain],
  );
  return rows[0];
}

/** An organization's projects, oldest first. */
export async function listProjects(db: Queryable, organizationId: string): Promise<Project[]> {
  const { rows } = await db.query<Project>(
    `select ${COLUMNS} from projects where organization_id = $1 and deleted_at is null
      order by created_at, id`,
    [organizationId],
  );
  return rows;
}

/** The projects whose sites are built from a branch. */
export async function listProjectsOn(
  db: Queryable,
  host: Project['host'],
  repository: string,
  branch: string,
): Promise<Project[]> {
  const { rows } = await db.query<Project>(
    `select ${COLUMNS} from projects
      where host = $1 and repository = $2 and base_ref = $3 and deleted_at is null`,
    [host, repository, branch],
  );
  return rows;
}

/** Of `settings`, the members that are given; the others stay. */
export type ProjectChange = Partial<
  Pick<
    Project,
    | 'name'
    | 'baseRef'
    | 'docsFolder'
    | 'docsFolderDetected'
    | 'siteKind'
    | 'basePath'
    | 'siteUrl'
    | 'public'
    | 'settings'
  >
>;

/** Changes the members that are given; the project as it is then. */
export async function updateProject(
  db: Queryable,
  id: string,
  change: ProjectChange,
): Promise<Project> {
  const { rows } = await db.query<Project>(
    `update projects
        set name = coalesce($2, name), base_ref = coalesce($3, base_ref),
            docs_folder = coalesce($4, docs_folder), public = coalesce($5, public),
            settings = settings || coalesce($8::jsonb, '{}'),
            site_url = case when $6 then $7 else site_url end,
            site_kind = case when $9 then $10 else site_kind end,
            docs_folder_detected = coalesce($11, docs_folder_detected),
            base_path = case when $12 then $13 else base_path end
      where id = $1 returning ${COLUMNS}`,
    [
      id,
      change.name ?? null,
      change.baseRef ?? null,
      change.docsFolder ?? null,
      change.public ?? null,
      change.siteUrl !== undefined,
      change.siteUrl ?? null,
      change.settings ?? null,
      change.siteKind !== undefined,
      change.siteKind ?? null,
      change.docsFolderDetected ?? null,
      change.basePath !== undefined,
      change.basePath ?? null,
    ],
  );
  return rows[0]!;
}

export interface ProjectCounts {
  activeJobs: number;
  /** Of the built-in host, as last seen. */
  openPullRequests: number;
  /** Questions of the last 30 days that the docs do not answer. */
  unanswered: number;
}

export async function countForProject(db: Queryable, project: Project): Promise<ProjectCounts> {
  const { rows } = await db.query<ProjectCounts>(
    `select (select count(*) from jobs
              where project_id = $1 and state in ('starting', 'active')) as "activeJobs",
            (select count(*) from hosted_pull_requests
              where host = $2 and repository = $3 and state = 'open') as "openPullRequests",
            (select count(*) from question_groups g
              where g.project_id = $1 and not g.newest_answered
                and g.newest_at > now() - interval '30 days' and ${STATE} = 'open') as unanswered`,
    [project.id, project.host, project.repository],
  );
  return rows[0]!;
}

/**
 * Hides a project, frees its domain and revokes its assistant keys. The API then deletes
 * its jobs, their executions and the project's rows; the ledger stays. False if the organization
 * has no such project.
 */
export async function deleteProject(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `with gone as (
       update projects set deleted_at = now(), domain = 'deleted-' || replace(id, '_', '-')
        where id = $1 and organization_id = $2 and deleted_at is null returning id),
     revoked as (
       update api_keys set revoked_at = coalesce(revoked_at, now())
        where project_id in (select id from gone))
     select from gone`,
    [id, organizationId],
  );
  return rowCount === 1;
}

/** Every project on a kind of host, oldest first. */
export async function listProjectsOfHost(
  db: Queryable,
  kind: HostKind,
): Promise<Pick<Project, 'repository' | 'baseRef' | 'docsFolder'>[]> {
  const { rows } = await db.query<Pick<Project, 'repository' | 'baseRef' | 'docsFolder'>>(
    `select repository, base_ref as "baseRef", docs_folder as "docsFolder" from projects
      where host = $1 and deleted_at is null order by created_at, id`,
    [kind],
  );
  return rows;
}
