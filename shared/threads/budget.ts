export interface Limits {
  /** Of CPU: a machine that gives this process none says nothing about the task. */
  cpuMs: number;
  /** And of time, so that nobody waits forever. */
  patienceMs: number;
}

/** What a task may need. Only what passes between `start` and `stop` counts. */
export class Budget {
  readonly #limits: Limits;
  #spent = { cpu: 0, time: 0 };
  #began: { at: number; cpu: NodeJS.CpuUsage } | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  start(): void {
    this.#began = { at: performance.now(), cpu: process.cpuUsage() };
  }

  stop(): void {
    this.#spent = this.#total();
    this.#began = undefined;
  }

  get exceeded(): 'cpu' | 'time' | undefined {
    const { cpu, time } = this.#total();
    if (cpu > this.#limits.cpuMs) return 'cpu';
    return time > this.#limits.patienceMs ? 'time' : undefined;
  }

  /** A process has no clock for each thread: of all its CPU, no more than time has passed. */
  #total(): { cpu: number; time: number } {
    if (!this.#began) return this.#spent;
    const passed = performance.now() - this.#began.at;
    const { user, system } = process.cpuUsage(this.#began.cpu);
    return {
      cpu: this.#spent.cpu + Math.min(passed, (user + system) / 1_000),
      time: this.#spent.time + passed,
    };
  }
}
