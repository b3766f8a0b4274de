import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import Fastify, { type FastifyInstance } from 'fastify';
import { GitRepositories } from '../../hosts/git/repositories.ts';
import { LocalHost } from '../../hosts/local/host.ts';
import type { LocalHostContext } from '../../hosts/local/context.ts';
import { localHost } from '../../api/local-host/plugin.ts';
import { registerProblems } from '../../api/plugins/problems.ts';
import { testDatabase } from '../support/services.ts';

export const TOKEN = 'local-host-token-of-the-tests';
export const AUTHOR = { name: 'Docent', email: 'docent@localhost' };

export interface HostUnderTest {
  app: FastifyInstance;
  at: LocalHostContext;
  url: string;
  folder: string;
  /** Branches that the host said had moved. */
  moved: string[];
  /** A worker's view of the host, with a cache folder of its own or a shared one. */
  client(cacheDir?: string): LocalHost;
  /** Runs git with the token at hand, in a folder. */
  git(cwd: string, ...args: string[]): Promise<string>;
  close(): Promise<void>;
}

/** The real host on a real Postgres, a data folder and a port of its own. */
export async function startHost(): Promise<HostUnderTest> {
  const database = await testDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'docent-host-'));
  const moved: string[] = [];
  const app = Fastify({ forceCloseConnections: true });
  registerProblems(app);
  const at: LocalHostContext = {
    pool: database.pool,
    dataDir: join(folder, 'data'),
    publicUrl: 'http://docent.test',
    onBranchMoved: async (repository, branch) => {
      moved.push(`${repository}/${branch}`);
    },
  };
  await app.register(localHost, { ...at, token: TOKEN });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  let caches = 0;
  return {
    app,
    at,
    url,
    folder,
    moved,
    client: (cacheDir = join(folder, `cache-${caches++}`)) =>
      new LocalHost({ url, token: TOKEN, repositories: new GitRepositories(cacheDir, AUTHOR) }),
    git: (cwd, ...args) =>
      git(
        cwd,
        '-c',
        `http.extraHeader=Authorization: Basic ${Buffer.from(`any:${TOKEN}`).toString('base64')}`,
        ...args,
      ),
    close: async () => {
      await app.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Git as a person runs it, without the machine's own configuration; asynchronous, since the server
 * is in this process.
 */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'git',
    [
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.org',
      '-c',
      'init.defaultBranch=main',
      ...args,
    ],
    {
      cwd,
      timeout: 20_000,
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_TERMINAL_PROMPT: '0',
      },
    },
  );
  return stdout;
}

export async function writeFiles(
  folder: string,
  files: Record<string, string | Buffer>,
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

export const SAMPLE = {
  'README.md': '# Sample\n',
  'docs/index.md': '# Start\n\nWelcome.\n',
  'docs/guides/install.md': '# Install\n\nRun it.\n',
  'docs/guides/install/linux.md': '# Linux\n',
  'docs/logo.bin': randomBytes(50_000),
  'docs.json': '{"name":"Sample"}\n',
};
