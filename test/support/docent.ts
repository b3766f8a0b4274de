import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testProgram, testTemporalCli } from './services.ts';

/** What a user starts; other tests start a bundle of it, which loads in half the time. */
export const INSTALLED = join(import.meta.dirname, '..', '..', 'bin', 'docent.mjs');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningDocent {
  process: ChildProcess;
  /** All that it has printed so far. */
  output(): string;
  /** Resolves when it has printed a line that matches; rejects where it ends before. */
  prints(pattern: RegExp): Promise<void>;
  ended: Promise<Ended>;
}

/**
 * A temporary folder that root's Postgres can pass through, so that a data folder in it holds
 * everything.
 */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-cli-'));
  await chmod(folder, 0o711);
  return folder;
}

/**
 * Starts `docent` as a user does, on a data folder of its own, with nothing else of our
 * environment.
 */
export function startDocent(
  dataDir: string,
  args: string[],
  env: Record<string, string> = {},
  program = testProgram('docent'),
): RunningDocent {
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TEMPORAL_CLI_PATH: testTemporalCli(),
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<Ended>(resolve =>
    child.once('close', code => resolve({ code, stdout, stderr })),
  );
  return {
    process: child,
    output: () => stdout,
    ended,
    prints: async pattern => {
      await new Promise<void>((resolve, reject) => {
        const look = () => {
          if (pattern.test(stdout)) resolve();
        };
        child.stdout.on('data', look);
        look();
        void ended.then(({ code }) =>
          reject(
            new Error(
              `docent ${args.join(' ')} ended with ${code} before it printed ${pattern}:\n` +
                `${stdout}\n${stderr}`,
            ),
          ),
        );
      });
    },
  };
}

/** Runs `docent` to its end. */
export async function docent(
  dataDir: string,
  args: string[],
  env: Record<string, string> = {},
  program = testProgram('docent'),
): Promise<Ended> {
  return await startDocent(dataDir, args, env, program).ended;
}
