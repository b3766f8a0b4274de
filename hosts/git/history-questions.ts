import { GitCommandError, readGit } from './git-command.ts';

/** What can be asked of the history that ends in a commit. `path` '' is the whole repository. */
export type HistoryQuestion =
  /** The commits that changed a path, newest first. */
  | { kind: 'log'; path: string; skip: number; limit: number }
  /** Who last changed each of these lines, 1-based. */
  | { kind: 'blame'; path: string; lines?: readonly [first: number, last: number] }
  /** What one commit changed, or what changed between two. Abbreviated ids of at least 7 digits. */
  | { kind: 'diff'; path: string; from?: string; to: string };

export interface HistoryAnswer {
  /** As git prints it. */
  text: string;
  /** There is more that is not shown. */
  isCut: boolean;
}

/** The question has no answer; one sentence for the one who asks. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

interface Contents {
  /** Every content is there; else those that are needed are brought. */
  hasContents: boolean;
  bring(blobs: Set<string>): Promise<void>;
}

/** Versions of one file that blame compares. */
const MOST_VERSIONS = 200;
/** Equal contents only: to compare others, all of them would have to be here. */
const RENAMES = '-M100%';
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A bare repository, and the file of the commits in it whose parents are not there. */
export interface Repository {
  gitdir: string;
  shallowFile: string;
  signal: AbortSignal;
}

const TIMEOUT_MS = 60_000;
/** Output beyond this is cut. */
const MAX_OUTPUT = 2 * 1024 * 1024;

/** Git reads objects on this disk. Paths are taken as written, never as patterns. */
export async function askGit(
  { gitdir, shallowFile, signal }: Repository,
  args: readonly string[],
  input?: string,
): Promise<HistoryAnswer> {
  return await readGit(
    [`--git-dir=${gitdir}`, '--shallow-file', shallowFile, '--literal-pathspecs', ...args],
    { signal, input, limits: { timeoutMs: TIMEOUT_MS } },
    MAX_OUTPUT,
  );
}

/** Throws `HistoryError`, and `GitCommandError` if the repository is damaged. */
export async function answerHistory(
  git: Repository,
  commit: string,
  question: HistoryQuestion,
  contents: Contents,
): Promise<HistoryAnswer> {
  switch (question.kind) {
    case 'log':
      return log(git, commit, question);
    case 'blame':
      return blame(git, commit, question, contents);
    case 'diff':
      return diff(git, commit, question, contents);
  }
}

async function log(
  git: Repository,
  commit: string,
  { path, skip, limit }: Extract<HistoryQuestion, { kind: 'log' }>,
): Promise<HistoryAnswer> {
  const { text, isCut } = await askGit(git, [
    'log',
    '--no-merges',
    '--format=%h %cs %an: %s',
    '--abbrev=10',
    RENAMES,
    `--max-count=${limit + 1}`,
    `--skip=${skip}`,
    commit,
    ...pathArguments(path),
  ]);
  const lines = text.split('\n').filter(line => line !== '');
  return { text: lines.slice(0, limit).join('\n'), isCut: isCut || lines.length > limit };
}

async function blame(
  git: Repository,
  commit: string,
  { path, lines }: Extract<HistoryQuestion, { kind: 'blame' }>,
  { hasContents, bring }: Contents,
): Promise<HistoryAnswer> {
  let range = commit;
  if (!hasContents) {
    const { text } = await askGit(git, [
      ...['log', '--raw', '-m', '--no-abbrev', '--no-renames', '--format=commit %H'],
      `--max-count=${MOST_VERSIONS}`,
      commit,
      ...pathArguments(path),
    ]);
    await bring(blobsIn(text));
    const commits = [...new Set(text.match(/(?<=^commit )[0-9a-f]{40}$/gm))];
    if (commits.length >= MOST_VERSIONS) range = `${commits.at(-1)}..${commit}`;
  }
  try {
    return await askGit(git, [
      ...['blame', '--date=short', '--abbrev=9'],
      ...(hasContents ? [] : ['--no-follow']),
      ...(lines ? [`-L${lines[0]},${lines[1]}`] : []),
      range,
      '--',
      path,
    ]);
  } catch (error) {
    const [, known] =
      (error instanceof GitCommandError && /has only (\d+) lines?/.exec(error.stderr)) || [];
    if (known === undefined) throw error;
    throw new HistoryError(`${path} has ${known} lines at the commit that this job began with.`);
  }
}

async function diff(
  git: Repository,
  commit: string,
  { path, from, to }: Extract<HistoryQuestion, { kind: 'diff' }>,
  { bring }: Contents,
): Promise<HistoryAnswer> {
  const after = await commitOf(git, commit, to);
  const before =
    from === undefined ? await parentOf(git, after) : await commitOf(git, commit, from);
  const compared = ['--no-ext-diff', '--no-textconv', RENAMES, before, after];
  const raw = await askGit(git, [
    ...['diff', '--raw', '--no-abbrev'],
    ...compared,
    ...pathArguments(path),
  ]);
  await bring(blobsIn(raw.text));
  const said =
    from === undefined
      ? await askGit(git, ['show', '-s', '--format=%h %cs %an%n%n%B', '--abbrev=10', after])
      : undefined;
  const shown = await askGit(git, ['diff', ...compared, ...pathArguments(path)]);
  return {
    text: said ? `${said.text.trimEnd()}\n\n${shown.text}` : shown.text,
    isCut: shown.isCut,
  };
}

/** The commit that an id stands for, if it is in the history of `head`. */
async function commitOf(git: Repository, head: string, id: string): Promise<string> {
  const unknown = new HistoryError(
    `There is no commit ${id} in this history. \`log\` lists the commits of a path.`,
  );
  if (!/^[0-9a-f]{7,40}$/.test(id)) throw unknown;
  try {
    const { text } = await askGit(git, ['rev-parse', '--verify', '--quiet', `${id}^{commit}`]);
    await askGit(git, ['merge-base', '--is-ancestor', text.trim(), head]);
    return text.trim();
  } catch (error) {
    if (error instanceof GitCommandError) throw unknown;
    throw error;
  }
}

/** The first parent; nothing at all before the first commit that is known. */
async function parentOf(git: Repository, commit: string): Promise<string> {
  const { text } = await askGit(git, ['rev-list', '--parents', '--max-count=1', commit]);
  return text.trim().split(' ')[1] ?? EMPTY_TREE;
}

function pathArguments(path: string): string[] {
  return path === '' ? ['--'] : ['--', path];
}

/** The contents that raw diff lines name. */
function blobsIn(raw: string): Set<string> {
  const ids = new Set<string>();
  for (const [, before = '', after = ''] of raw.matchAll(
    /^:+\d{6} (?:100\d{3}|120000|0{6}) ([0-9a-f]{40}) ([0-9a-f]{40}) /gm,
  ))
    for (const id of [before, after]) if (!/^0+$/.test(id)) ids.add(id);
  return ids;
}
