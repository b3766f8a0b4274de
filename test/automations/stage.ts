import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { requestIndex } from '../../search/indexing/index-requests.ts';
import type { AutomationBody, RunBody } from '../../shared/jobs/automation-schemas.ts';
import type { JobStack } from '../support/job-stack.ts';
import { until } from '../support/until.ts';

/** What tests of automations do with a stack. */
export interface Stage {
  /** Commits a file to the base branch, or removes it, and waits for the index. */
  put(path: string, text: string | null): Promise<void>;
  index(): Promise<void>;
  list(): Promise<AutomationBody[]>;
  named(name: string): Promise<AutomationBody>;
  runs(id: string): Promise<RunBody[]>;
  /** Waits until the automation has so many runs that are done; newest first. */
  done(id: string, count: number, timeoutMs?: number): Promise<RunBody[]>;
  act(id: string, verb: 'trigger' | 'pause' | 'resume'): Promise<{ status: number; body: unknown }>;
}

export function stageOf(stack: JobStack): Stage {
  const at = `/v1/workflow/${stack.project.id}`;
  const get = async <T>(path: string) => (await stack.call('GET', path)).body as T;
  const stage: Stage = {
    async put(path, text) {
      commitFiles(stack.repository, { [path]: text });
      await stage.index();
    },
    async index() {
      const handle = await requestIndex(stack.temporal, stack.config.TASK_QUEUE, {
        id: stack.project.id,
        domain: 'acme',
      });
      await handle.result();
    },
    list: async () => (await get<{ automations: AutomationBody[] }>(at)).automations,
    async named(name) {
      const found = (await stage.list()).find(each => each.name === name);
      if (!found) throw new Error(`no automation ${name}`);
      return found;
    },
    runs: async id => (await get<{ runs: RunBody[] }>(`${at}/${id}/runs?limit=100`)).runs,
    async done(id, count, timeoutMs = 150_000) {
      let runs: RunBody[] = [];
      await until(
        `${count} runs are done`,
        async () => {
          runs = await stage.runs(id);
          return runs.filter(({ state }) => state === 'done').length >= count;
        },
        timeoutMs,
      );
      return runs;
    },
    act: (id, verb) => stack.call('POST', `${at}/${id}/${verb}`),
  };
  return stage;
}

export const file = (front: string, body = 'Say second.') => `---\n${front}\n---\n\n${body}\n`;

/** A person's commit of files, new ones too, on a branch of a bare repository. */
export function commitFiles(
  repository: string,
  files: Record<string, string | null>,
  branch = 'main',
): void {
  inClone(repository, branch, (folder, git) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      if (text === null) rmSync(join(folder, path));
      else writeFileSync(join(folder, path), text);
    }
    git('add', '-A');
    git('commit', '-qm', 'A person was here');
    git('push', '-q', 'origin', `HEAD:${branch}`);
  });
}

/** Puts the commits of a branch onto another one. */
export function rebase(repository: string, branch: string, onto: string): void {
  inClone(repository, branch, (_, git) => {
    git('rebase', '-q', `origin/${onto}`);
    git('push', '-q', 'origin', `HEAD:${onto}`);
  });
}

function inClone(
  repository: string,
  branch: string,
  work: (folder: string, git: (...args: string[]) => void) => void,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'docent-person-'));
  const git = (...args: string[]) => {
    const person = ['-c', 'user.name=Dana', '-c', 'user.email=dana@example.com'];
    execFileSync('git', ['-C', folder, ...person, ...args], { stdio: 'pipe' });
  };
  try {
    git('clone', '-q', '--branch', branch, repository, '.');
    work(folder, git);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
