import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { RepositoryError } from '../repository-error.ts';
import { boundaryOf, fetchCommit, fetchObjects } from './fetch.ts';
import { GitCommandError } from './git-command.ts';
import {
  answerHistory,
  askGit,
  type HistoryAnswer,
  type HistoryQuestion,
  type Repository,
} from './history-questions.ts';
import type { GitRemote } from './remote.ts';

/** As many commits are read back; what is older is not known here. */
export const HISTORY_DEPTH = 1000;
const FETCH_TIMEOUT_MS = 10 * 60_000;
/** Contents that are brought for one question. */
const MOST_BLOBS = 500;
/** Answers that are kept, at most of so many characters: all jobs of a base begin with one of them. */
const KEPT_ANSWERS = 100;
const KEPT_CHARACTERS = 20_000;

/**
 * The history of repositories, for questions about it: a bare repository each, beside the
 * snapshots, that git itself reads. It has commits and trees; contents come when they are asked
 * for. Objects are only added and each commit's boundary is a file of its own, so processes share
 * the folder without locks. It may be deleted at any time.
 */
export class RepositoryHistory {
  readonly #folder: string;
  readonly #fetching = new Map<string, Promise<void>>();
  readonly #answers = new Map<string, HistoryAnswer>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws `RepositoryError`, and `HistoryError` if the question cannot be answered. */
  async ask(
    remote: GitRemote,
    commit: string,
    question: HistoryQuestion,
    signal: AbortSignal,
  ): Promise<HistoryAnswer> {
    // What lies behind a commit never changes.
    const key = JSON.stringify([remote.key, commit, question]);
    const known = this.#answers.get(key);
    const answer = known ?? (await this.#ask(remote, commit, question, signal));
    this.#answers.delete(key); // to the end: the newest
    if (answer.text.length <= KEPT_CHARACTERS) this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size > KEPT_ANSWERS) this.#answers.delete(oldest);
    return answer;
  }

  async #ask(
    remote: GitRemote,
    commit: string,
    question: HistoryQuestion,
    signal: AbortSignal,
  ): Promise<HistoryAnswer> {
    const gitdir = join(this.#folder, encodeURIComponent(remote.key), 'history');
    const shallowFile = boundaryOf(gitdir, commit);
    await this.#bring(remote, gitdir, commit, signal);
    const repository: Repository = { gitdir, shallowFile, signal };
    try {
      return await answerHistory(repository, commit, question, {
        // Without all contents, a rename can be known only by equal contents.
        hasContents: !remote.partial,
        bring: ids => bringBlobs(remote, repository, ids),
      });
    } catch (error) {
      if (!(error instanceof GitCommandError)) throw error;
      throw new RepositoryError(
        'repository_unreachable',
        `The history of ${remote.name} cannot be read here.`,
        { cause: error },
      );
    }
  }

  /** Callers that ask at once share one fetch; the one who leaves leaves it to the others. */
  async #bring(
    remote: GitRemote,
    gitdir: string,
    commit: string,
    signal: AbortSignal,
  ): Promise<void> {
    const now = new Date();
    const isThere = await utimes(boundaryOf(gitdir, commit), now, now).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    const shared = this.#fetching.get(gitdir + commit) ?? fetchHistory(remote, gitdir, commit);
    this.#fetching.set(gitdir + commit, shared);
    const forget = (): void => void this.#fetching.delete(gitdir + commit);
    shared.then(forget, forget);
    signal.throwIfAborted();
    let leave = (): void => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      await Promise.race([shared, left]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}

async function bringBlobs(
  remote: GitRemote,
  repository: Repository,
  ids: Set<string>,
): Promise<void> {
  if (!remote.partial || ids.size === 0) return;
  const input = [...ids].join('\n') + '\n';
  const { text } = await askGit(repository, ['cat-file', '--batch-check'], input);
  const missing = [...text.matchAll(/^([0-9a-f]{40}) missing$/gm)].flatMap(([, id]) => id ?? []);
  if (missing.length === 0) return;
  await fetchObjects(remote, repository.gitdir, missing.slice(0, MOST_BLOBS), repository.signal);
}

async function fetchHistory(remote: GitRemote, gitdir: string, commit: string): Promise<void> {
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  await fetchCommit(remote, gitdir, commit, () => HISTORY_DEPTH, signal);
}
