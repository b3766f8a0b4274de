import type { ContextRepository } from '../../shared/context-repositories.ts';
import type { CommitAuthor } from '../../shared/jobs/commit-author.ts';
import type { Queryable } from '../pool.ts';
import type { Effort } from '../../shared/models/thinking.ts';
import { ADDRESSES_OF_PROJECT } from '../search/published.ts';
import type { SiteFacts } from '../search/published-site.ts';
import type { Addresses } from '../../sites/published/with-addresses.ts';
import type { SiteKindName } from '../../sites/kinds/registry.ts';
import type { Asked } from './activity-results.ts';
import { type Job, jobColumns } from './job.ts';

/** A job with what its activities need to know of its project. */
export interface JobProject extends Pick<
  Job,
  | 'projectId'
  | 'organizationId'
  | 'apiKeyId'
  | 'model'
  | 'host'
  | 'repository'
  | 'branch'
  | 'baseRef'
  | 'runId'
  | 'publishes'
  | 'effort'
  | 'title'
  | 'asDraft'
  | 'todos'
  | 'repositoryUrl'
  | 'ref'
  | 'prLink'
  | 'prNumber'
  | 'budgetMicroUsd'
  | 'costMicroUsd'
  | 'allowedForms'
> {
  jobId: string;
  docsFolder: string;
  /** Null: found by the files. */
  siteKind: SiteKindName | null;
  /** Null: as the site's configuration says. */
  basePath: string | null;
  /** That the published site was seen to have. */
  addresses: Addresses | null;
  /** What the last indexing found of the site; null before there is an index. */
  site: SiteFacts | null;
  settings: {
    allowMdxCode?: boolean;
    allowPaths?: string[];
    allowedForms?: string[];
    commitAuthor?: CommitAuthor | null;
    contextRepositories?: ContextRepository[];
    effort?: Effort | null;
    webPages?: string[];
  };
  domain: string;
  organization: string;
  /** The line that the job adds to AGENTS.md; null: the job is like others. */
  convention: string | null;
}

/** What an activity begins with. */
export interface ForActivity<R> {
  project: JobProject;
  /** What an earlier attempt stored, or another history that asked the same. */
  stored: R | null;
}

/** Undefined if the job or its project was deleted. */
export async function readForActivity<R>(
  db: Queryable,
  jobId: string,
  asked?: Asked,
): Promise<ForActivity<R> | undefined> {
  const { rows } = await db.query<JobProject & Pick<ForActivity<R>, 'stored'>>({
    name: 'read-job-project',
    text: `select ${jobColumns(['projectId', 'organizationId', 'apiKeyId', 'host'])},
                  ${jobColumns(['repository', 'branch', 'baseRef', 'runId', 'publishes', 'effort'])},
                  ${jobColumns(['title', 'asDraft', 'todos', 'repositoryUrl', 'ref', 'prLink', 'prNumber'])},
                  ${jobColumns(['budgetMicroUsd', 'costMicroUsd', 'allowedForms'])},
                  j.id as "jobId", coalesce(j.requested_model, j.model) as model,
                  p.docs_folder as "docsFolder", p.site_kind as "siteKind",
                  p.base_path as "basePath", p.settings,
                  ${ADDRESSES_OF_PROJECT} as addresses,
                  (select site from search_indexes i where i.project_id = p.id) as site,
                  p.domain, o.slug as organization,
                  (select line from conventions c where c.job_id = j.id) as convention,
                  (select result from activity_results r
                    where r.run_id = $2 and r.activity_id = $3 and r.input_hash = $4) as stored
             from jobs j
             join projects p on p.id = j.project_id
             join organizations o on o.id = j.organization_id
            where j.id = $1`,
    values: [jobId, asked?.runId, asked?.activityId, asked?.inputHash],
  });
  if (!rows[0]) return undefined;
  const { stored, ...project } = rows[0];
  return { project, stored };
}

/** Undefined if the job or its project was deleted. */
export async function readJobProject(
  db: Queryable,
  jobId: string,
): Promise<JobProject | undefined> {
  return (await readForActivity(db, jobId))?.project;
}
