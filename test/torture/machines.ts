import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settled } from '../../cli/reconcile/difference.ts';
import { type DemoEnv, readDemoEnv } from '../../cli/stack/demo-env.ts';
import { docent, type Ended, type RunningDocent, startDocent } from '../support/docent.ts';
import { processesOf } from '../support/processes.ts';
import type { ScriptedModel } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import type { Target } from './load.ts';
import { LAST_LINE, PAGE } from './model.ts';

const READY = /Docent is ready[^]*Ctrl-C stops everything/;

/** The machine that is lost, and the one that takes its place. */
export class Machines {
  readonly #folder: string;
  readonly #program: string;
  readonly #env: Record<string, string>;
  #running: RunningDocent | undefined;
  #dataDir = '';

  constructor(folder: string, program: string, model: ScriptedModel) {
    this.#folder = folder;
    this.#program = program;
    this.#env = {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-ant-torture-not-a-real-key',
      ACTIVITY_HEARTBEAT_SECONDS: '5',
      JOB_MAX_ACTIVE_PER_PROJECT: '8',
    };
  }

  docent(dataDir: string, args: string[]): Promise<Ended> {
    return docent(dataDir, args, this.#env, this.#program);
  }

  async start(dataDir: string): Promise<void> {
    this.#dataDir = dataDir;
    this.#running = startDocent(dataDir, ['start'], this.#env, this.#program);
    await this.#running.prints(READY);
  }

  /** A new installation with a project whose page the load writes to. */
  async first(): Promise<{ target: Target; dataDir: string }> {
    const dataDir = join(this.#folder, 'data');
    await this.start(dataDir);
    const source = join(this.#folder, 'source');
    await mkdir(join(source, 'docs'), { recursive: true });
    await writeFile(join(source, PAGE), `---\ntitle: Log\n---\n\n# Log\n\n${LAST_LINE}\n`);
    const added = await this.docent(dataDir, ['project', 'add', 'log', '--repository', source]);
    const [id] = /prj_\w+/.exec(added.stdout) ?? [];
    if (id === undefined) throw new Error(`docent project add: ${added.stdout}${added.stderr}`);
    const env = readDemoEnv(dataDir) as DemoEnv;
    return {
      dataDir,
      target: {
        ...{ apis: [{ url: env.BASE_URL }], project: { id }, adminKey: env.ADMIN_KEY },
        temporalAddress: env.TEMPORAL_ADDRESS,
      },
    };
  }

  async restore(backup: string): Promise<string> {
    const restored = join(this.#folder, 'restored');
    const ended = await this.docent(restored, ['restore', backup]);
    if (ended.code !== 0) throw new Error(`docent restore: ${ended.stdout}${ended.stderr}`);
    return restored;
  }

  /** The repositories of the lost machine, as if they had been elsewhere. */
  async bringRepositories(): Promise<void> {
    const at = (folder: string) => join(this.#folder, folder, 'repositories');
    await rm(at('restored'), { recursive: true });
    await cp(at('data'), at('restored'), { recursive: true });
  }

  async reconcile(dataDir: string): Promise<Settled[]> {
    const { code, stdout, stderr } = await this.docent(dataDir, ['reconcile', '--json']);
    if (code !== 0 && code !== 6) throw new Error(`docent reconcile: ${stdout}${stderr}`);
    return (JSON.parse(stdout) as { differences: Settled[] }).differences;
  }

  /** The machine is gone at once, with all that it ran. */
  async kill(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    running.process.kill('SIGKILL');
    await running.ended;
    await until('no child is left', () => processesOf(this.#dataDir).length === 0);
  }

  /** As Ctrl-C does. */
  async stop(): Promise<void> {
    this.#running?.process.kill('SIGTERM');
    await this.#running?.ended;
    this.#running = undefined;
  }

  close(): Promise<void> {
    return this.kill();
  }
}
