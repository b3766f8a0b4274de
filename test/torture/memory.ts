import { readFileSync } from 'node:fs';
import type { Role } from './role.ts';

/** Megabytes of memory that the processes of a kind hold on average, at the moments asked for. */
export type Memory = Record<'api' | 'worker', number[]>;

/** Measures at each call of what it returns; a process that is just gone does not count. */
export function watchMemory({ apis, workers }: { apis: Role[]; workers: Role[] }) {
  const memory: Memory = { api: [], worker: [] };
  return {
    memory,
    measure(): void {
      memory.api.push(average(apis));
      memory.worker.push(average(workers));
    },
  };
}

function average(roles: Role[]): number {
  const sizes = roles.flatMap(({ pid }) => (pid === undefined ? [] : residentMb(pid)));
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length));
}

/** Linux only; elsewhere nothing is known. */
function residentMb(pid: number): number[] {
  try {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? [] : [Number(kilobytes) / 1024];
  } catch {
    return [];
  }
}
