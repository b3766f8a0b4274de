import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { Problem } from '../../shared/errors.ts';

/** What holds for every git that we start, whatever the machine's own configuration says. */
const SETTINGS = [
  'safe.directory=*', // the data folder may belong to another user than the one who runs us
  `core.hooksPath=${devNull}`, // nothing that is pushed or imported may run here
  `core.excludesFile=${devNull}`,
  'core.autocrlf=false',
  'core.quotePath=false',
  'gc.auto=0', // a snapshot may still be fetched after its branch was deleted
  'receive.autogc=false',
  // Workers are near: looking for deltas, and reading them, costs more than it saves.
  'pack.window=0',
  'receive.fsckObjects=true',
  'receive.maxInputSize=512m',
  'user.name=Docent',
  'user.email=docent@localhost',
  'protocol.allow=never', // imports: no transport that runs a command of the address's choosing
  'protocol.https.allow=always',
  'protocol.http.allow=always',
  'protocol.ssh.allow=always',
  'protocol.file.allow=always',
].flatMap(setting => ['-c', setting]);

const MAX_OUTPUT = 50 * 1024 * 1024;

/** Git ended with a failure. `stderr` is for the log, not for callers. */
export class GitCommandError extends Error {
  override readonly name = 'GitCommandError';
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;

  constructor(command: string, exitCode: number | null, stdout: string, stderr: string) {
    super(`git ${command} failed (${exitCode ?? 'no exit code'})`);
    this.exitCode = exitCode;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

interface GitOptions {
  cwd?: string;
  /** Set beside what git inherits. */
  environment?: Record<string, string> | undefined;
  limits?: GitLimits | undefined;
  /** Ends git. */
  signal?: AbortSignal;
}

/** Git is stopped beyond these. */
export interface GitLimits {
  timeoutMs: number;
  /** Of each file that it writes; a pack is one. */
  fileBytes: number;
}

/**
 * Runs git to its end and returns what it printed. Throws `GitCommandError`; `payload_too_large`
 * over 50 MiB.
 */
export async function git(
  args: string[],
  { cwd, environment, limits, signal }: GitOptions = {},
): Promise<string> {
  const before = [
    ...(limits ? ['sh', '-c', `ulimit -f ${limits.fileBytes / 512}; exec "$0" "$@"`] : []),
    ...(environment ? ['env', ...assignments(environment)] : []),
  ];
  const [command, ...started] = [...before, 'git'] as const;
  return await new Promise((resolve, reject) => {
    execFile(
      command,
      [...started, ...SETTINGS, ...args],
      {
        cwd,
        maxBuffer: MAX_OUTPUT,
        ...(limits && { timeout: limits.timeoutMs }),
        ...(signal && { signal }),
      },
      (error, stdout, stderr) => {
        if (!error) resolve(stdout);
        else if (error.code === 'ENOENT') reject(gitMissing());
        else if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
          reject(
            new Problem(
              'payload_too_large',
              'That is more than 50 MiB of changes; read them with git.',
            ),
          );
        else
          reject(
            new GitCommandError(
              args.find(arg => !arg.startsWith('-')) ?? '',
              typeof error.code === 'number' ? error.code : null,
              stdout,
              stderr,
            ),
          );
      },
    );
  });
}

/** Starts git on streams, with further settings (`name=value`). */
export function spawnGit(
  settings: string[],
  args: string[],
  environment: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  const flags = [...SETTINGS, ...settings.flatMap(setting => ['-c', setting]), ...args];
  return spawn('env', [...assignments(environment), 'git', ...flags]);
}

function assignments(environment: Record<string, string>): string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`);
}

function gitMissing(): Problem {
  return new Problem(
    'unavailable',
    'The built-in repository host needs git 2.38 or newer on the PATH of the API.',
  );
}
