import { type Connection, Http } from './http.ts';
import { Jobs } from './jobs.ts';

export { DocentError } from './docent-error.ts';
export type { Connection } from './http.ts';
export type { FollowedEvent, FollowJob, Jobs, ListJobs, Once, WaitForJob } from './jobs.ts';
export type * from './openapi.ts';

export interface DocentOptions extends Connection {
  /** An admin key, `svc_…`: a secret, for servers only. */
  apiKey: string;
  /** `prj_…`, from the API keys page of the dashboard. */
  projectId: string;
}

/** The agent of a project. The assistant is in `docent-client/assistant`. */
export class Docent {
  readonly jobs: Jobs;

  constructor(options: DocentOptions) {
    if (!options.projectId) throw new TypeError('projectId is missing.');
    this.jobs = new Jobs(new Http(options), options.projectId);
  }
}
