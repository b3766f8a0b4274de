import type { HistoryAnswer, HistoryQuestion } from '../../../hosts/git/history-questions.ts';
import type { GitRemote } from '../../../hosts/git/remote.ts';
import type { GitRepositories } from '../../../hosts/git/repositories.ts';
import type {
  CommitPlan,
  HostedCommit,
  PlannedCommit,
  PullRequest,
  PullRequestInput,
  RepositoryAddress,
  RepositoryHost,
  RepositoryState,
} from '../../../hosts/host.ts';
import { RepositoryError } from '../../../hosts/repository-error.ts';
import type { Author } from '../../../shared/jobs/commit-author.ts';
import type { Snapshot } from '../../../shared/workspace.ts';

export interface ThirdAccess {
  url: string;
  token: string;
}

/** Throws `RepositoryError`. */
export async function askThird<T>(
  { url, token }: ThirdAccess,
  repository: string,
  path: string,
  method = 'GET',
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${url}/${repository}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.ok) return (await response.json()) as T;
  throw new RepositoryError(
    response.status === 404 ? 'repository_not_found' : 'repository_failing',
    `The third host answers with status ${response.status} for ${repository}.`,
  );
}

/** The workers' half of the third host. */
export class ThirdHost implements RepositoryHost {
  readonly #access: ThirdAccess;
  readonly #git: GitRepositories;

  constructor(access: ThirdAccess, git: GitRepositories) {
    this.#access = access;
    this.#git = git;
  }

  async describe({ repository }: RepositoryAddress): Promise<RepositoryState> {
    const { defaultBranch } = await this.#ask<{ defaultBranch: string }>(repository, '');
    return {
      url: `${this.#access.url}/${repository}`,
      defaultBranch,
      archived: false,
      empty: false,
      protectedBranches: [],
    };
  }

  async resolveBranch(address: RepositoryAddress, branch: string): Promise<string | null> {
    return await this.#git.branchHead(this.#remote(address), branch);
  }

  async branches(address: RepositoryAddress, prefix: string): Promise<Map<string, string>> {
    return await this.#git.branchHeads(this.#remote(address), prefix);
  }

  async snapshot(
    address: RepositoryAddress,
    commit: string,
    signal: AbortSignal,
  ): Promise<Snapshot> {
    return await this.#git.snapshot(this.#remote(address), commit, signal);
  }

  async history(
    address: RepositoryAddress,
    commit: string,
    question: HistoryQuestion,
    signal: AbortSignal,
  ): Promise<HistoryAnswer> {
    return await this.#git.history(this.#remote(address), commit, question, signal);
  }

  async mergeBase({ repository }: RepositoryAddress, a: string, b: string): Promise<string | null> {
    const path = `/merge-base?a=${a}&b=${b}`;
    return (await this.#ask<{ commit: string }>(repository, path)).commit;
  }

  async ownCommits(
    { repository }: RepositoryAddress,
    base: string,
    head: string,
    authors: readonly Author[],
  ): Promise<HostedCommit[]> {
    const path = `/commits?base=${base}&head=${head}`;
    const commits = await this.#ask<HostedCommit[]>(repository, path);
    return this.#git.own(commits, authors);
  }

  async planCommit(address: RepositoryAddress, plan: CommitPlan): Promise<PlannedCommit> {
    return await this.#git.planCommit(this.#remote(address), plan);
  }

  async push(
    address: RepositoryAddress,
    branch: string,
    plan: CommitPlan,
    expectedHead: string | null,
    signal: AbortSignal,
  ): Promise<PlannedCommit> {
    return await this.#git.push(this.#remote(address), branch, plan, expectedHead, signal);
  }

  async findPullRequests({ repository }: RepositoryAddress, head: string): Promise<PullRequest[]> {
    const pulls = await this.#ask<PullRequest[]>(repository, '/pulls');
    return pulls.filter(pull => pull.head === head);
  }

  async openPullRequest(
    { repository }: RepositoryAddress,
    input: PullRequestInput,
  ): Promise<PullRequest> {
    return await this.#ask(repository, '/pulls', 'POST', input);
  }

  async updatePullRequest(
    { repository }: RepositoryAddress,
    number: number,
    change: { title?: string; body?: string },
  ): Promise<PullRequest> {
    return await this.#ask(repository, `/pulls/${number}`, 'PATCH', change);
  }

  async getPullRequest({ repository }: RepositoryAddress, number: number): Promise<PullRequest> {
    return await this.#ask(repository, `/pulls/${number}`);
  }

  #remote({ repository }: RepositoryAddress): GitRemote {
    return {
      key: `third/${repository}`,
      name: `Repository ${repository}`,
      url: `${this.#access.url}/${repository}.git`,
      authorization: async () => `Bearer ${this.#access.token}`,
    };
  }

  async #ask<T>(repository: string, path: string, method?: string, body?: unknown): Promise<T> {
    return await askThird<T>(this.#access, repository, path, method, body);
  }
}
