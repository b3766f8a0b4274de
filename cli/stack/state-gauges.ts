import { Gauge, type Registry } from 'prom-client';
import type { Pool } from '../../db/pool.ts';
import { readStateOfWork } from '../../db/state-of-work.ts';

/**
 * Gauges that Postgres answers, read when they are scraped. One process exports them, so that sums
 * over processes stay true.
 */
export function registerStateGauges(registry: Registry, pool: Pool): void {
  const registers = [registry];
  const wait = new Gauge({
    name: 'docent_job_queue_wait_seconds',
    help: 'How long the oldest instruction has waited for its job.',
    registers,
  });
  const age = new Gauge({
    name: 'docent_index_age_seconds',
    help: 'Time since a site was last read.',
    labelNames: ['domain'],
    registers,
  });
  const failed = new Gauge({
    name: 'docent_index_failed',
    help: 'Whether the newest indexing of a site failed (1) or not (0).',
    labelNames: ['domain'],
    registers,
  });
  registry.registerMetric(
    new Gauge({
      name: 'docent_jobs_active',
      help: 'Jobs that are running, or about to begin.',
      labelNames: ['state'],
      registers: [],
      async collect() {
        const { jobs, longestWait, indexes } = await readStateOfWork(pool);
        this.set({ state: 'starting' }, jobs.starting);
        this.set({ state: 'active' }, jobs.active);
        wait.set(longestWait);
        age.reset();
        failed.reset();
        for (const index of indexes) {
          age.set({ domain: index.domain }, index.seconds);
          failed.set({ domain: index.domain }, Number(index.failed));
        }
      },
    }),
  );
}
