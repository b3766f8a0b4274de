import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import {
  LocalCommit,
  LocalMerge,
  LocalPullRequest,
  LocalRepositoryNow,
  MergeBase,
  type NewPullRequest,
} from './schemas.ts';
import type { Author } from '../../shared/jobs/commit-author.ts';
import type { Snapshot } from '../../shared/workspace.ts';
import type { HistoryAnswer, HistoryQuestion } from '../git/history-questions.ts';
import type { GitRemote } from '../git/remote.ts';
import type { GitRepositories } from '../git/repositories.ts';
import { withMarked } from '../marked-text.ts';
import { RepositoryError, type RepositoryErrorType } from '../repository-error.ts';
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

const TIMEOUT_MS = 30_000;

export interface LocalHostOptions {
  /** Where the API that serves the host is reached, without a trailing slash. */
  url: string;
  token: string;
  repositories: GitRepositories;
}

/** What is asked before the next microtask. */
interface Asked {
  branches: Set<string>;
  answer: Promise<LocalRepositoryNow> | undefined;
}

/**
 * The built-in repository host, from a worker's side: git and JSON over HTTP, so a worker may run
 * anywhere.
 */
export class LocalHost implements RepositoryHost {
  readonly #url: string;
  readonly #token: string;
  readonly #repositories: GitRepositories;
  readonly #asked = new Map<string, Asked>();

  constructor({ url, token, repositories }: LocalHostOptions) {
    this.#url = url.replace(/\/+$/, '');
    this.#token = token;
    this.#repositories = repositories;
  }

  async describe(address: RepositoryAddress): Promise<RepositoryState> {
    const { url, defaultBranch, archived, empty, protectedBranches } = await this.#readNow(address);
    return { url, defaultBranch, archived, empty, protectedBranches };
  }

  async resolveBranch(address: RepositoryAddress, branch: string): Promise<string | null> {
    const { branches } = await this.#readNow(address, branch);
    return branches.find(({ name }) => name === branch)?.commit ?? null;
  }

  async branches(address: RepositoryAddress, prefix: string): Promise<Map<string, string>> {
    return await this.#repositories.branchHeads(this.#remote(address), prefix);
  }

  async snapshot(
    address: RepositoryAddress,
    commit: string,
    signal: AbortSignal,
  ): Promise<Snapshot> {
    return await this.#repositories.snapshot(this.#remote(address), commit, signal);
  }

  async history(
    address: RepositoryAddress,
    commit: string,
    question: HistoryQuestion,
    signal: AbortSignal,
  ): Promise<HistoryAnswer> {
    return await this.#repositories.history(this.#remote(address), commit, question, signal);
  }

  async mergeBase(address: RepositoryAddress, a: string, b: string): Promise<string | null> {
    if (a === b) return a;
    return (await this.#ask(address, MergeBase, 'GET', `/merge-base?a=${a}&b=${b}`)).commit;
  }

  async ownCommits(
    address: RepositoryAddress,
    base: string,
    head: string,
    authors: readonly Author[],
  ): Promise<HostedCommit[]> {
    const path = `/commits?base=${base}&head=${head}`;
    const commits = await this.#ask(address, Type.Array(LocalCommit), 'GET', path);
    return this.#repositories.own(commits, authors);
  }

  async planCommit(address: RepositoryAddress, plan: CommitPlan): Promise<PlannedCommit> {
    return await this.#repositories.planCommit(this.#remote(address), plan);
  }

  async push(
    address: RepositoryAddress,
    branch: string,
    plan: CommitPlan,
    expectedHead: string | null,
    signal: AbortSignal,
  ): Promise<PlannedCommit> {
    return await this.#repositories.push(this.#remote(address), branch, plan, expectedHead, signal);
  }

  async findPullRequests(address: RepositoryAddress, head: string): Promise<PullRequest[]> {
    return await this.#ask(
      address,
      Type.Array(LocalPullRequest),
      'GET',
      `/pulls?head=${encodeURIComponent(head)}`,
    );
  }

  async openPullRequest(address: RepositoryAddress, input: PullRequestInput): Promise<PullRequest> {
    const body: NewPullRequest = input;
    return await this.#ask(address, LocalPullRequest, 'POST', '/pulls', body);
  }

  async updatePullRequest(
    address: RepositoryAddress,
    number: number,
    change: { title?: string; body?: string },
  ): Promise<PullRequest> {
    return await this.#ask(address, LocalPullRequest, 'PATCH', `/pulls/${number}`, change);
  }

  async markReady(address: RepositoryAddress, number: number): Promise<void> {
    await this.#ask(address, LocalPullRequest, 'PATCH', `/pulls/${number}`, { draft: false });
  }

  async closePullRequest(address: RepositoryAddress, number: number): Promise<void> {
    await this.#ask(address, LocalPullRequest, 'POST', `/pulls/${number}/close`);
  }

  async getPullRequest(address: RepositoryAddress, number: number): Promise<PullRequest> {
    return await this.#ask(address, LocalPullRequest, 'GET', `/pulls/${number}`);
  }

  /** The host knows no authors and labels of pull requests. */
  async mergedPullRequests(
    address: RepositoryAddress,
    branch: string,
    since: Date,
  ): Promise<MergedPullRequest[]> {
    const query = new URLSearchParams({ base: branch, since: since.toISOString() });
    const path = `/merged?${query.toString()}`;
    const merges = await this.#ask(address, Type.Array(LocalMerge), 'GET', path);
    return merges.map(merge => ({ ...merge, author: '', labels: [] }));
  }

  async commentOnce(
    address: RepositoryAddress,
    number: number,
    marker: string,
    text: string,
  ): Promise<void> {
    const { body } = await this.getPullRequest(address, number);
    const changed = withMarked(body, marker, text);
    if (changed !== body) await this.updatePullRequest(address, number, { body: changed });
  }

  /** What is asked about a repository at one moment, its branches too, is one request. */
  async #readNow(address: RepositoryAddress, branch?: string): Promise<LocalRepositoryNow> {
    const { repository } = address;
    const asked = this.#asked.get(repository) ?? { branches: new Set(), answer: undefined };
    this.#asked.set(repository, asked);
    if (branch !== undefined) asked.branches.add(branch);
    asked.answer ??= Promise.resolve().then(() => {
      this.#asked.delete(repository);
      const query = new URLSearchParams(
        [...asked.branches].map((name): [string, string] => ['branch', name]),
      );
      return this.#ask(
        address,
        LocalRepositoryNow,
        'GET',
        query.size > 0 ? `?${query.toString()}` : '',
      );
    });
    return await asked.answer;
  }

  #remote({ repository }: RepositoryAddress): GitRemote {
    const name = encodeURIComponent(repository);
    return {
      key: `local/${name}`,
      name: `Repository ${repository}`,
      url: `${this.#url}/git/${name}.git`,
      isOurs: true,
      authorization: async () => `Bearer ${this.#token}`,
    };
  }

  async #ask<S extends TSchema>(
    address: RepositoryAddress,
    schema: S,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Static<S>> {
    const response = await fetch(
      `${this.#url}/git/${encodeURIComponent(address.repository)}${path}`,
      {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    ).catch(() => {
      throw new RepositoryError(
        'repository_unreachable',
        `The built-in repository host at ${new URL(this.#url).host} cannot be reached.`,
      );
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok && Value.Check(schema, answer)) return answer;
    throw new RepositoryError(
      failureType(response.status),
      sentenceIn(answer) ?? `The built-in repository host answers with status ${response.status}.`,
    );
  }
}

function failureType(status: number): RepositoryErrorType {
  if (status === 401 || status === 403) return 'credentials_refused';
  if (status === 404) return 'repository_not_found';
  if (status === 429) return 'repository_rate_limited';
  return status >= 400 && status < 500 ? 'push_refused' : 'repository_failing';
}

/** Our own problem document's sentence. */
function sentenceIn(answer: unknown): string | undefined {
  const detail =
    answer !== null && typeof answer === 'object' && 'detail' in answer ? answer.detail : undefined;
  return typeof detail === 'string' ? detail : undefined;
}
