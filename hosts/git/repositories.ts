import type { Snapshot } from '../../shared/workspace.ts';
import type { CommitPlan, HostedCommit, PlannedCommit } from '../host.ts';
import { branchHead, branchHeads } from './branch-head.ts';
import { RepositoryHistory } from './history.ts';
import type { HistoryAnswer, HistoryQuestion } from './history-questions.ts';
import { buildCommit } from './commit.ts';
import type { Author } from '../../shared/jobs/commit-author.ts';
import { commitObject } from './objects.ts';
import type { GitRemote } from './remote.ts';
import { SnapshotCache } from './snapshot-cache.ts';

const LOOK_UP_TIMEOUT_MS = 30_000;
const PLAN_TIMEOUT_MS = 10 * 60_000;

/**
 * The half of a repository host that is git over HTTP and the same for every host. Failures are
 * `RepositoryError`.
 */
export class GitRepositories {
  readonly #cache: SnapshotCache;
  readonly #author: Author;
  readonly #history: RepositoryHistory;

  /**
   * `cacheDir` may be shared by worker processes and deleted at any time, and is kept below
   * `maxCacheBytes`; `author` makes the commits whose plan names nobody else. A fetch ends after
   * `fetchMs`.
   */
  constructor(cacheDir: string, author: Author, maxCacheBytes = 10e9, fetchMs = 10 * 60_000) {
    this.#cache = new SnapshotCache(cacheDir, maxCacheBytes, fetchMs);
    this.#author = author;
    this.#history = new RepositoryHistory(cacheDir);
  }

  async branchHead(remote: GitRemote, branch: string): Promise<string | null> {
    return await branchHead(remote, branch, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS));
  }

  /** The branches whose names begin with `prefix`, with their commits. */
  async branchHeads(remote: GitRemote, prefix: string): Promise<Map<string, string>> {
    return await branchHeads(remote, prefix, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS));
  }

  async snapshot(remote: GitRemote, commit: string, signal: AbortSignal): Promise<Snapshot> {
    return await this.#cache.get(remote, commit, signal);
  }

  /** Also throws `HistoryError`. */
  async history(
    remote: GitRemote,
    commit: string,
    question: HistoryQuestion,
    signal: AbortSignal,
  ): Promise<HistoryAnswer> {
    return await this.#history.ask(remote, commit, question, signal);
  }

  /**
   * Those that Docent made, in its own name or that of one of `authors`, with their author: nobody
   * else's have the same bytes. One that a person has amended or rebased names that person as its
   * committer.
   */
  own(commits: HostedCommit[], authors: readonly Author[]): HostedCommit[] {
    return commits.flatMap(found => {
      const { commit, tree, parent, time } = found;
      const message = `${found.message.trimEnd()}\n`;
      const author = [this.#author, ...authors].find(
        each => commitObject({ tree, parent, author: each, time, message }).id === commit,
      );
      return author ? [{ ...found, author: { name: author.name, email: author.email } }] : [];
    });
  }

  /** Needs the parent's snapshot, which is fetched where this worker lacks it; sends nothing. */
  async planCommit(remote: GitRemote, plan: CommitPlan): Promise<PlannedCommit> {
    const parent = await this.#cache.get(remote, plan.parent, AbortSignal.timeout(PLAN_TIMEOUT_MS));
    const { commit, tree } = buildCommit(parent, plan, plan.author ?? this.#author);
    return { commit, tree };
  }

  async push(
    remote: GitRemote,
    branch: string,
    plan: CommitPlan,
    expectedHead: string | null,
    signal: AbortSignal,
  ): Promise<PlannedCommit> {
    const built = buildCommit(
      await this.#cache.get(remote, plan.parent, signal),
      plan,
      plan.author ?? this.#author,
    );
    await this.#cache.push(remote, { branch, built, parent: plan.parent, expectedHead }, signal);
    return { commit: built.commit, tree: built.tree };
  }
}
