import type { HostDeps } from './host-deps.ts';

/** A pull request that Docent itself keeps. */
export interface HostedPullRequest {
  repository: string;
  number: number;
  /** Its page for anyone who has the link. */
  url: string;
  title: string;
  body: string;
  state: 'open' | 'merged' | 'closed';
  draft: boolean;
  head: string;
  base: string;
  headCommit: string;
  baseCommit: string;
  jobId: string | null;
  createdAt: Date;
  updatedAt: Date;
  closedAt: Date | null;
}

export interface WantedPullRequests {
  state?: HostedPullRequest['state'] | undefined;
  /** Only those with a lower number. */
  before?: number | undefined;
}

export interface PullRequestPage {
  pullRequests: HostedPullRequest[];
  /** Where the next page begins; null: this is the last one. */
  before: number | null;
}

export interface CommitLine {
  id: string;
  author: string;
  /** ISO 8601. */
  time: string;
  subject: string;
}

/** Pull requests that are shown, merged and closed in the dashboard. Each throws `Problem`. */
export interface HostedPullRequests {
  /** A page of them, newest first. */
  list(deps: HostDeps, repository: string, wanted: WantedPullRequests): Promise<PullRequestPage>;
  get(deps: HostDeps, repository: string, number: number): Promise<HostedPullRequest>;
  merge(deps: HostDeps, repository: string, number: number): Promise<HostedPullRequest>;
  close(deps: HostDeps, repository: string, number: number): Promise<HostedPullRequest>;
  /** What it changes, as a unified diff. */
  diff(deps: HostDeps, pullRequest: HostedPullRequest): Promise<string>;
  /** Newest first. */
  commits(deps: HostDeps, pullRequest: HostedPullRequest): Promise<CommitLine[]>;
  /** Why it cannot be merged now, in a sentence that names the files; null: nothing is known. */
  conflict(deps: HostDeps, pullRequest: HostedPullRequest): Promise<string | null>;
}
