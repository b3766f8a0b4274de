import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateProject } from '../../db/projects/projects.ts';
import { locateContextRepositories } from '../../hosts/context-repositories.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import type { LocalPullRequest } from '../../hosts/local/schemas.ts';
import type { JobStack } from '../support/job-stack.ts';

/** A repository on the built-in host, which the stack's project may read. */
export interface CodeRepository {
  /** Opens a pull request that writes a file. */
  propose(change: { path: string; text: string; title: string; body?: string }): Promise<number>;
  merge(number: number): Promise<void>;
  read(number: number): Promise<LocalPullRequest>;
}

export async function addCodeRepository(stack: JobStack, name: string): Promise<CodeRepository> {
  const { DATA_DIR: dataDir, PUBLIC_URL: publicUrl = '' } = stack.config;
  const { pool } = stack;
  const source = mkdtempSync(join(tmpdir(), 'docent-code-'));
  writeFileSync(join(source, 'README.md'), '# API\n');
  await importRepository({ pool, dataDir, publicUrl }, { name }, source);
  rmSync(source, { recursive: true });
  return watchRepository(stack, name);
}

/** One that is there already. */
export async function watchRepository(stack: JobStack, name: string): Promise<CodeRepository> {
  const { pool, config, project } = stack;
  const allowed = await locateContextRepositories({ pool, config }, project.organizationId, [
    { repository: name },
  ]);
  await updateProject(pool, project.id, { settings: { contextRepositories: allowed } });
  const folder = join(config.DATA_DIR, 'repositories', `${name}.git`);
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${stack.baseUrl}/git/${name}/pulls${path}`, {
      method,
      headers: {
        authorization: `Bearer ${config.LOCAL_HOST_TOKEN}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as LocalPullRequest;
  };
  let branches = 0;
  return {
    async propose({ path, text, title, body = '' }) {
      const head = `change-${(branches += 1)}`;
      writeBranch(folder, head, path, text);
      return (await ask('POST', '', { title, body, head, base: 'main', draft: false })).number;
    },
    merge: async number => void (await ask('POST', `/${number}/merge`)),
    read: number => ask('GET', `/${number}`),
  };
}

/** One commit on a new branch: a clone for each would take longer than the test. */
function writeBranch(folder: string, branch: string, path: string, text: string): void {
  const data = (bytes: string) => `data ${Buffer.byteLength(bytes)}\n${bytes}\n`;
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], {
    input:
      `commit refs/heads/${branch}\ncommitter Dana <dana@example.com> ${Math.floor(Date.now() / 1000)} +0000\n` +
      `${data('Change')}from refs/heads/main^0\nM 100644 inline ${path}\n${data(text)}`,
  });
}
