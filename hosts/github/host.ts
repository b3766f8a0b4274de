import type { GitHubClient } from './client.ts';
import { describeRepository } from './describe.ts';
import { archived, refusedWith } from './failures.ts';
import { beforeRebase, commentOnce, decorate, readMerged } from './merged.ts';
import { markReady, readOpen } from './open-pull-requests.ts';
import { readReviewComments } from './review-comments.ts';
import type { ReviewComment } from '../review-comments.ts';
import type { Author } from '../../shared/jobs/commit-author.ts';
import type { Snapshot } from '../../shared/workspace.ts';
import type { HistoryAnswer, HistoryQuestion } from '../git/history-questions.ts';
import type { GitRemote } from '../git/remote.ts';
import type { GitRepositories } from '../git/repositories.ts';
import { RepositoryError, reserved } from '../repository-error.ts';
import { findPullRequests, createGitHubPullRequest, pullRequestOf } from './pull-requests.ts';
import { comparedCommits } from './commits.ts';
import { explainPush } from './push.ts';
import type {
  CommitPlan,
  HostedCommit,
  MergedPullRequest,
  PlannedCommit,
  PullRequest,
  PullRequestInput,
  RepositoryAddress,
  RepositoryHost,
  RepositoryState,
} from '../host.ts';

/** GitHub, github.com or Enterprise: git over HTTPS for content, REST for the rest. */
export class GitHubHost implements RepositoryHost {
  readonly #github: GitHubClient;
  readonly #reading: GitHubClient;
  readonly #repositories: GitRepositories;

  /** `reading`: for what is only read; its tokens need no other right. */
  constructor(github: GitHubClient, repositories: GitRepositories, reading = github) {
    this.#github = github;
    this.#reading = reading;
    this.#repositories = repositories;
  }

  async describe({ repository }: RepositoryAddress): Promise<RepositoryState> {
    const { kind } = this.#github.credentials;
    return await this.#github.call(repository, (octokit, name) =>
      describeRepository(octokit, name, kind),
    );
  }

  async resolveBranch(address: RepositoryAddress, branch: string): Promise<string | null> {
    return await this.#git(address, remote => this.#repositories.branchHead(remote, branch));
  }

  async branches(address: RepositoryAddress, prefix: string): Promise<Map<string, string>> {
    return await this.#git(address, remote => this.#repositories.branchHeads(remote, prefix));
  }

  async snapshot(
    address: RepositoryAddress,
    commit: string,
    signal: AbortSignal,
  ): Promise<Snapshot> {
    return await this.#git(address, remote => this.#repositories.snapshot(remote, commit, signal));
  }

  async history(
    address: RepositoryAddress,
    commit: string,
    question: HistoryQuestion,
    signal: AbortSignal,
  ): Promise<HistoryAnswer> {
    return await this.#git(address, remote =>
      this.#repositories.history(remote, commit, question, signal),
    );
  }

  async mergeBase({ repository }: RepositoryAddress, a: string, b: string): Promise<string | null> {
    if (a === b) return a;
    return await this.#github.call(repository, async (octokit, name) => {
      try {
        const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
          ...name,
          basehead: `${a}...${b}`,
          per_page: 1,
        });
        return data.merge_base_commit.sha;
      } catch (error) {
        // Also for a commit that never came; but not for a token that has lost the repository.
        if (refusedWith(error, 404) === undefined) throw error;
        await octokit.rest.repos.get(name);
        return null;
      }
    });
  }

  async ownCommits(
    { repository }: RepositoryAddress,
    base: string,
    head: string,
    authors: readonly Author[],
  ): Promise<HostedCommit[]> {
    const commits = await this.#github.call(repository, (octokit, name) =>
      comparedCommits(octokit, name, base, head),
    );
    return this.#repositories.own(commits, authors);
  }

  async planCommit(address: RepositoryAddress, plan: CommitPlan): Promise<PlannedCommit> {
    return await this.#git(address, remote => this.#repositories.planCommit(remote, plan));
  }

  async push(
    address: RepositoryAddress,
    branch: string,
    plan: CommitPlan,
    expectedHead: string | null,
    signal: AbortSignal,
  ): Promise<PlannedCommit> {
    await this.#refuseReserved(address.repository, branch);
    try {
      return await this.#git(address, remote =>
        this.#repositories.push(remote, branch, plan, expectedHead, signal),
      );
    } catch (error) {
      throw explainPush(error, address.repository, branch);
    }
  }

  async findPullRequests({ repository }: RepositoryAddress, head: string): Promise<PullRequest[]> {
    return await this.#github.call(repository, (octokit, name) =>
      findPullRequests(octokit, name, head),
    );
  }

  async openPullRequest(
    { repository }: RepositoryAddress,
    input: PullRequestInput,
  ): Promise<PullRequest> {
    return await this.#github.call(repository, (octokit, name) =>
      createGitHubPullRequest(octokit, name, input),
    );
  }

  async updatePullRequest(
    { repository }: RepositoryAddress,
    number: number,
    change: { title?: string; body?: string },
  ): Promise<PullRequest> {
    return await this.#github.call(repository, async (octokit, name) =>
      pullRequestOf(
        (await octokit.rest.pulls.update({ ...name, pull_number: number, ...change })).data,
      ),
    );
  }

  async getPullRequest({ repository }: RepositoryAddress, number: number): Promise<PullRequest> {
    return await this.#github.call(repository, async (octokit, name) =>
      pullRequestOf((await octokit.rest.pulls.get({ ...name, pull_number: number })).data),
    );
  }

  /** What people who may write have said on a pull request, oldest first. */
  async reviewComments(
    { repository }: RepositoryAddress,
    number: number,
  ): Promise<ReviewComment[]> {
    return await readReviewComments(this.#github, repository, number);
  }

  async mergedPullRequests(
    { repository }: RepositoryAddress,
    branch: string,
    since: Date,
  ): Promise<MergedPullRequest[]> {
    return await this.#github.call(repository, (octokit, name) =>
      readMerged(octokit, name, branch, since),
    );
  }

  async openPullRequests({ repository }: RepositoryAddress, branch: string) {
    return await this.#github.call(repository, (octokit, name) => readOpen(octokit, name, branch));
  }

  async markReady({ repository }: RepositoryAddress, number: number): Promise<void> {
    await this.#github.call(repository, (octokit, name) => markReady(octokit, name, number));
  }

  async closePullRequest({ repository }: RepositoryAddress, number: number): Promise<void> {
    await this.#github.call(repository, (octokit, name) =>
      octokit.rest.pulls.update({ ...name, pull_number: number, state: 'closed' }),
    );
  }

  async beforeRebase({ repository }: RepositoryAddress, number: number, commit: string) {
    return await beforeRebase(this.#github, repository, number, commit);
  }

  async commentOnce(
    { repository }: RepositoryAddress,
    number: number,
    marker: string,
    text: string,
  ): Promise<void> {
    await commentOnce(this.#github, repository, number, { marker, text });
  }

  async decorate(
    { repository }: RepositoryAddress,
    number: number,
    added: { labels: readonly string[]; reviewers: readonly string[] },
  ): Promise<void> {
    await this.#github.call(repository, (octokit, name) => decorate(octokit, name, number, added));
  }

  /**
   * A caller may name a branch that only GitHub knows to be nobody's to push to, and our token may
   * well be allowed to.
   */
  async #refuseReserved(repository: string, branch: string): Promise<void> {
    await this.#github.call(repository, async (octokit, name) => {
      const [{ data }, found] = await Promise.all([
        octokit.rest.repos.get(name),
        octokit.rest.repos.getBranch({ ...name, branch }).catch((error: unknown) => {
          if (refusedWith(error, 404) === undefined) throw error;
        }),
      ]);
      if (branch === data.default_branch || found?.data.protected)
        throw reserved(repository, branch);
    });
  }

  /**
   * Git answers a status where REST says why: an archived or vanished repository is named as what
   * it is.
   */
  async #git<T>(address: RepositoryAddress, work: (remote: GitRemote) => Promise<T>): Promise<T> {
    try {
      const client = this.#clientFor(address);
      return await client.withToken(address.repository, () => work(this.#remote(address)));
    } catch (error) {
      if (!(error instanceof RepositoryError) || error.type !== 'credentials_refused') throw error;
      if (address.readOnly) throw error;
      const state = await this.describe(address);
      throw state.archived ? archived(address.repository) : error;
    }
  }

  #clientFor({ readOnly = false }: RepositoryAddress): GitHubClient {
    return readOnly ? this.#reading : this.#github;
  }

  #remote(address: RepositoryAddress): GitRemote {
    const { repository } = address;
    return {
      key: `github/${repository.toLowerCase()}`,
      name: `Repository ${repository}`,
      // A repository's images and history may be hundreds of megabytes; its pages are not.
      partial: true,
      url: `${this.#github.site.webUrl}/${repository}.git`,
      authorization: async () => {
        const token = await this.#clientFor(address).credentials.token(repository);
        return `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
      },
    };
  }
}
