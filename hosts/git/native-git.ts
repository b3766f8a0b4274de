import { spawn } from 'node:child_process';
import { devNull } from 'node:os';

/** Git reads objects on this disk and nothing else: it runs nothing and connects to nothing. */
const SETTINGS = [
  'safe.directory=*',
  'protocol.allow=never',
  `core.hooksPath=${devNull}`,
  `core.attributesFile=${devNull}`,
  'core.quotePath=false',
  'gc.auto=0',
  'color.ui=false',
  'log.showSignature=false',
  'log.mailmap=false',
].flatMap(setting => ['-c', setting]);

const TIMEOUT_MS = 60_000;
/** Output beyond this is cut, and git stopped. */
const MAX_OUTPUT = 2 * 1024 * 1024;

/** Git ended with a failure. `stderr` is for the log: it quotes the repository. */
export class NativeGitError extends Error {
  override readonly name = 'NativeGitError';
  readonly stderr: string;

  constructor(command: string, stderr: string) {
    super(`git ${command} failed`);
    this.stderr = stderr.slice(0, 2000);
  }
}

export interface NativeGit {
  gitdir: string;
  /** Lists the commits whose parents are not there. */
  shallowFile?: string;
  signal: AbortSignal;
}

/**
 * Runs git in a bare repository; what it prints, at most 2 MiB of it. Paths are taken as written,
 * never as patterns. Throws `NativeGitError`, and what the signal gives.
 */
export async function nativeGit(
  { gitdir, shallowFile, signal }: NativeGit,
  [command = '', ...args]: readonly string[],
  input: string | Buffer = '',
): Promise<{ text: string; isCut: boolean }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  limit.throwIfAborted();
  const child = spawn(
    'git',
    [
      ...SETTINGS,
      `--git-dir=${gitdir}`,
      ...(shallowFile === undefined ? [] : ['--shallow-file', shallowFile]),
      '--literal-pathspecs',
      command,
      ...args,
    ],
    { signal: limit, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const output: Buffer[] = [];
  let size = 0;
  let stderr = '';
  let isCut = false;
  child.stdout.on('data', (chunk: Buffer) => {
    if (isCut) return;
    output.push(chunk);
    isCut = (size += chunk.length) > MAX_OUTPUT;
    if (isCut) child.kill();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 2000) stderr += chunk.toString('utf8');
  });
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  await new Promise<void>((resolve, reject) => {
    child.on('error', error => {
      reject(
        signal.aborted ? (signal.reason as Error) : new NativeGitError(command, error.message),
      );
    });
    child.on('close', code => {
      if (code === 0 || isCut) resolve();
      else reject(new NativeGitError(command, stderr));
    });
  });
  return { text: Buffer.concat(output).subarray(0, MAX_OUTPUT).toString('utf8'), isCut };
}
