import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PATIENCE_MS = 30_000;
const CLOCK = pathToFileURL(join(import.meta.dirname, 'clock.mjs')).href;

export interface RoleOptions {
  folder: string;
  name: string;
  /** `bin/docent.mjs` of a checkout. */
  program: string;
  command: string;
  env: Record<string, string>;
}

/** `docent api` or `docent worker` as a process that is started again whenever it has ended. */
export class Role {
  readonly name: string;
  readonly logFile: string;
  readonly #command: string;
  readonly #clockFile: string;
  readonly #env: Record<string, string>;
  #program: string;
  #child: ChildProcess | undefined;
  #isOver = false;

  constructor({ folder, name, program, command, env }: RoleOptions) {
    this.name = name;
    this.logFile = join(folder, `${name}.log`);
    this.#program = program;
    this.#command = command;
    this.#clockFile = join(folder, `${name}.clock`);
    this.#env = {
      ...env,
      TORTURE_CLOCK: this.#clockFile,
      NODE_OPTIONS: `--import ${CLOCK}`,
    };
  }

  /** Of its API, for callers. */
  get url(): string {
    return `http://127.0.0.1:${this.#env['PORT']}`;
  }

  get metricsUrl(): string {
    return `http://127.0.0.1:${this.#env['METRICS_PORT']}/metrics`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    if (this.#isOver || this.#child) return;
    const log = openSync(this.logFile, 'a');
    const child = spawn(process.execPath, [this.#program, this.#command], {
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'], ...this.#env },
    });
    this.#child = child;
    child.once('exit', () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (!this.#isOver) setTimeout(() => this.start(), 1_000);
    });
  }

  /** Ends as in an update, and starts again as another version. */
  update(program: string): void {
    this.#program = program;
    this.terminate();
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  terminate(): void {
    this.#child?.kill('SIGTERM');
  }

  async freeze(ms: number): Promise<void> {
    const child = this.#child;
    child?.kill('SIGSTOP');
    await new Promise(resolve => setTimeout(resolve, ms));
    child?.kill('SIGCONT');
  }

  /** Its clock is wrong by `ms` for so long. */
  async jump(ms: number, forMs: number): Promise<void> {
    writeFileSync(this.#clockFile, String(ms));
    await new Promise(resolve => setTimeout(resolve, forMs));
    rmSync(this.#clockFile);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    await ended;
    clearTimeout(timer);
  }
}
