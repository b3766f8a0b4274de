import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { RepositoryError } from '../repository-error.ts';
import { writeAtomically } from './atomic-files.ts';
import { answerHistory, type HistoryAnswer, type HistoryQuestion } from './history-questions.ts';
import { type NativeGit, nativeGit, NativeGitError } from './native-git.ts';
import { type FetchedHistory, fetchHistory, fetchPack } from './partial-fetch.ts';
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
    const shallowFile = boundaryPath(gitdir, commit);
    await this.#bring(remote, gitdir, commit, signal);
    const git: NativeGit = { gitdir, shallowFile, signal };
    try {
      return await answerHistory(git, commit, question, {
        // Without all contents, a rename can be known only by equal contents.
        hasContents: !remote.partial,
        bring: ids => bringBlobs(remote, git, ids),
      });
    } catch (error) {
      if (!(error instanceof NativeGitError)) throw error;
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
    const isThere = await utimes(boundaryPath(gitdir, commit), now, now).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    const shared = this.#fetching.get(gitdir + commit) ?? fetchInto(remote, gitdir, commit);
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

async function fetchInto(remote: GitRemote, gitdir: string, commit: string): Promise<void> {
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  await createStore(gitdir, signal);
  const have = await newest(gitdir);
  const { pack, boundary } = await fetchHistory(
    remote,
    commit,
    { depth: HISTORY_DEPTH, have },
    signal,
  );
  await addPack(remote, { gitdir, signal }, pack);
  await writeAtomically(boundaryPath(gitdir, commit), boundary.map(id => `${id}\n`).join(''));
}

/** In one step for all who look: a store that is there is whole. */
async function createStore(gitdir: string, signal: AbortSignal): Promise<void> {
  if (await stat(join(gitdir, 'HEAD')).catch(() => undefined)) return;
  // What a trim of the cache leaves is empty folders.
  await rm(gitdir, { recursive: true, force: true });
  const scratch = `${gitdir}-${randomBytes(6).toString('hex')}`;
  await mkdir(join(scratch, 'boundaries'), { recursive: true });
  try {
    await nativeGit({ gitdir: scratch, signal }, ['init', '--bare', '--quiet', '--template=']);
  } catch (cause) {
    throw new RepositoryError('repository_unreachable', 'git is not installed on this worker.', {
      cause,
    });
  }
  // Another process may have been quicker.
  await rename(scratch, gitdir).catch(() => undefined);
}

async function newest(gitdir: string): Promise<FetchedHistory | undefined> {
  const names = await readdir(join(gitdir, 'boundaries')).catch(() => []);
  const commits = names.filter(name => /^[0-9a-f]{40}$/.test(name));
  const times = await Promise.all(
    commits.map(async commit => ({
      commit,
      at: (await stat(boundaryPath(gitdir, commit)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  const [last] = times.sort((a, b) => b.at - a.at);
  if (!last) return undefined;
  const text = await readFile(boundaryPath(gitdir, last.commit), 'utf8').catch(() => undefined);
  return text === undefined
    ? undefined
    : { commit: last.commit, boundary: text.split('\n').filter(id => id !== '') };
}

async function bringBlobs(remote: GitRemote, git: NativeGit, ids: Set<string>): Promise<void> {
  if (!remote.partial || ids.size === 0) return;
  const known = await nativeGit(git, ['cat-file', '--batch-check'], [...ids].join('\n') + '\n');
  const missing = [...known.text.matchAll(/^([0-9a-f]{40}) missing$/gm)].flatMap(
    ([, id]) => id ?? [],
  );
  if (missing.length === 0) return;
  const pack = await fetchPack(remote, missing.slice(0, MOST_BLOBS), git.signal);
  await addPack(remote, git, pack);
}

async function addPack(remote: GitRemote, git: NativeGit, pack: Buffer): Promise<void> {
  try {
    await nativeGit(git, ['index-pack', '--stdin'], pack);
  } catch (cause) {
    git.signal.throwIfAborted();
    throw new RepositoryError(
      'repository_unreachable',
      `${remote.name} gives an answer that cannot be read.`,
      { cause },
    );
  }
}

function boundaryPath(gitdir: string, commit: string): string {
  return join(gitdir, 'boundaries', commit);
}
