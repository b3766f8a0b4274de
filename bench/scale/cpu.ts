import { readdirSync, readFileSync } from 'node:fs';

/** A tick of /proc, in milliseconds. */
const TICK_MS = 10;

/** CPU time that a process and the processes below it have used, in milliseconds. Linux only. */
export function cpuOf(pid: number): number {
  const all = processes();
  const below = (id: number): number =>
    (all.get(id)?.ms ?? 0) +
    [...all].reduce((sum, [child, { parent }]) => sum + (parent === id ? below(child) : 0), 0);
  return below(pid);
}

/** The process directly below another with that in its command line. */
export function childOf(pid: number, command: string): number {
  const found = [...processes()].find(
    ([id, { parent }]) => parent === pid && commandOf(id).includes(command),
  );
  if (!found) throw new Error(`process ${pid} has started no ${command}`);
  return found[0];
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // it has ended meanwhile
  }
}

/** Memory of a process and those below it, in MB; what they share is divided among them. */
export function memoryOf(pid: number): number {
  const all = processes();
  const below = (id: number): number =>
    shareOf(id) +
    [...all].reduce((sum, [child, { parent }]) => sum + (parent === id ? below(child) : 0), 0);
  return Math.round(below(pid) / 1000);
}

/** In kB. */
function shareOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
  } catch {
    return 0; // it has ended meanwhile
  }
}

function processes(): Map<number, { parent: number; ms: number }> {
  const all = new Map<number, { parent: number; ms: number }>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!(pid > 0)) continue;
    try {
      const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is a name in brackets, which may hold spaces.
      const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      all.set(pid, { parent: Number(fields[1]), ms: ticks * TICK_MS });
    } catch {
      // It has ended meanwhile.
    }
  }
  return all;
}
