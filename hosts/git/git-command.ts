import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { devNull } from 'node:os';
import type { Readable } from 'node:stream';
import { Problem } from '../../shared/errors.ts';

/** What holds for every git that we start, whatever the machine's own configuration says. */
const SETTINGS = [
  'safe.directory=*', // the data folder may belong to another user than the one who runs us
  `core.hooksPath=${devNull}`, // nothing that is pushed or imported may run here
  `core.excludesFile=${devNull}`,
  `core.attributesFile=${devNull}`,
  'core.autocrlf=false',
  'core.quotePath=false',
  'color.ui=false',
  'log.showSignature=false',
  'log.mailmap=false',
  'gc.auto=0', // a snapshot may still be fetched after its branch was deleted
  'receive.autogc=false',
  // Workers are near: looking for deltas, and reading them, costs more than it saves.
  'pack.window=0',
  'receive.fsckObjects=true',
  'receive.maxInputSize=512m',
  'uploadpack.allowFilter=true',
  'user.name=Docent',
  'user.email=docent@localhost',
  'protocol.allow=never', // no transport that runs a command of the address's choosing
  ...['https', 'http', 'ssh', 'file'].map(name => `protocol.${name}.allow=always`),
];

const MAX_OUTPUT = 50 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;

/** Git ended with a failure. `stderr` is for the log, not for callers. */
export class GitCommandError extends Error {
  override readonly name = 'GitCommandError';
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What curl traced, if that was asked for. */
  readonly trace: string;

  constructor(
    command: string,
    exitCode: number | null,
    { stdout, stderr, trace }: { stdout: string; stderr: string; trace: string },
  ) {
    super(`git ${command} failed (${exitCode ?? 'no exit code'})`);
    this.exitCode = exitCode;
    this.stdout = stdout;
    this.stderr = stderr;
    this.trace = trace;
  }
}

export interface GitOptions {
  cwd?: string;
  /** Set beside what git inherits. Shown in the list of processes: no secrets. */
  environment?: Record<string, string> | undefined;
  /** The value of a variable of git's environment, and of nobody else's: in no list of processes. */
  secret?: { name: string; value: string } | undefined;
  limits?: GitLimits | undefined;
  /** Ends git and what it has started. */
  signal?: AbortSignal | undefined;
  input?: string | undefined;
  /** Git writes a trace to descriptor 3, for failures. */
  traced?: boolean;
}

/** Git is stopped beyond these. */
export interface GitLimits {
  timeoutMs?: number;
  /** Of each file that it writes; a pack is one. */
  fileBytes?: number;
}

/**
 * Runs git to its end and returns what it printed. Throws `GitCommandError`; `payload_too_large`
 * over 50 MiB; what the signal gives.
 */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { text, isCut } = await readGit(args, options, MAX_OUTPUT);
  if (!isCut) return text;
  throw new Problem(
    'payload_too_large',
    'That is more than 50 MiB of changes; read them with git.',
  );
}

/** As `git`, but output beyond `most` bytes is cut, and git stopped. */
export async function readGit(
  args: readonly string[],
  options: GitOptions,
  most: number,
): Promise<{ text: string; isCut: boolean }> {
  const { signal, secret, input = '', limits } = options;
  signal?.throwIfAborted();
  const child = start(args, options);
  const stop = (): void => stopGroup(child);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = limits?.timeoutMs === undefined ? undefined : setTimeout(stop, limits.timeoutMs);
  const output: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    if (size <= most) output.push(chunk);
    if ((size += chunk.length) > most) stop();
  });
  const stderr = textOf(child.stderr);
  const trace = options.traced ? textOf(child.stdio[3] as Readable) : () => '';
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(secret ? `${secret.value}\n${input}` : input);
  try {
    const exitCode = await ended(child);
    signal?.throwIfAborted();
    const isCut = size > most;
    const stdout = Buffer.concat(output).subarray(0, most).toString('utf8');
    if (exitCode === 0 || isCut) return { text: stdout, isCut };
    const command = args.find(arg => !arg.startsWith('-')) ?? '';
    throw new GitCommandError(command, exitCode, { stdout, stderr: stderr(), trace: trace() });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Starts git on streams, with further settings (`name=value`). */
export function spawnGit(
  settings: readonly string[],
  args: readonly string[],
  environment: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  return spawn('env', [...assignments(environment), ...commandLine(args, settings)]);
}

/**
 * Sets what only a shell can: the bounds of files; a secret, which is the first line of standard
 * input; and for git the authorities that Node.js trusts.
 */
const SHELL = [
  'ulimit -f "$0"',
  'if [ -n "$1" ]; then IFS= read -r value; export "$1=$value"; unset value; fi',
  '[ -z "$NODE_EXTRA_CA_CERTS" ] || export GIT_SSL_CAINFO="${GIT_SSL_CAINFO:-$NODE_EXTRA_CA_CERTS}"',
  'shift; exec env "$@"',
].join('; ');

function start(
  args: readonly string[],
  { cwd, environment = {}, secret, limits, signal, traced }: GitOptions,
): ChildProcessWithoutNullStreams {
  const command = [...assignments(environment), ...commandLine(args, [])];
  const [program, ...rest]: [string, ...string[]] =
    limits?.fileBytes !== undefined || secret
      ? ['sh', '-c', SHELL, blocks(limits), secret?.name ?? '', ...command]
      : ['env', ...command];
  return spawn(program, rest, {
    cwd,
    detached: signal !== undefined || limits !== undefined, // a group of its own, to be stopped whole
    stdio: ['pipe', 'pipe', 'pipe', ...(traced ? (['pipe'] as const) : [])],
  });
}

function commandLine(args: readonly string[], more: readonly string[]): string[] {
  return ['git', ...[...SETTINGS, ...more].flatMap(setting => ['-c', setting]), ...args];
}

/** As `ulimit -f` counts. */
function blocks(limits: GitLimits | undefined): string {
  return limits?.fileBytes === undefined ? 'unlimited' : String(Math.ceil(limits.fileBytes / 512));
}

/** The exit code; null if it was killed. */
async function ended(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => (code === NOT_FOUND ? reject(gitMissing()) : resolve(code)));
  });
}

/** What `env` ends with if there is no such program. */
const NOT_FOUND = 127;

/** Git starts processes of its own, which may wait for a network. */
function stopGroup(child: ChildProcessWithoutNullStreams): void {
  try {
    process.kill(-child.pid!, 'SIGTERM');
  } catch {
    child.kill(); // it has no group, or has ended
  }
}

function textOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < MAX_STDERR) text += chunk;
  });
  return () => text;
}

function assignments(environment: Record<string, string>): string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`);
}

function gitMissing(): Problem {
  return new Problem('unavailable', 'Docent needs git 2.38 or newer on the PATH.');
}
