import type { Queryable } from '../pool.ts';

/** What the activities of a job need to know of its project. */
export interface JobProject {
  job_id: string;
  project_id: string;
  organization_id: string;
  api_key_id: string | null;
  model: string;
  host: 'local' | 'github';
  repository: string;
  branch: string;
  base_ref: string;
  docs_folder: string;
  settings: { allowMdxCode?: boolean };
  domain: string;
  organization: string;
  /** The run that may write the job's row. */
  run_id: string | null;
}

/** Undefined where the job or its project was deleted. */
export async function readJobProject(
  db: Queryable,
  jobId: string,
): Promise<JobProject | undefined> {
  const { rows } = await db.query<JobProject>({
    name: 'read-job-project',
    text: `select j.id as job_id, j.project_id, j.organization_id, j.api_key_id, coalesce(j.requested_model, j.model) as model, j.host, j.repository, j.branch, j.base_ref,
                  p.docs_folder, p.settings, p.domain, o.slug as organization, j.run_id
           from jobs j join projects p on p.id = j.project_id join organizations o on o.id = j.organization_id where j.id = $1`,
    values: [jobId],
  });
  return rows[0];
}
