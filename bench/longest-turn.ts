import { readFileSync } from 'node:fs';

/**
 * The CPU time of the longest turn of the event loop, in ms: unlike its duration, it is the same
 * while other processes use the machine.
 */
export function longestTurn(): { stop(): number } {
  let longest = 0;
  let before = cpuTime();
  let runs = true;
  const turn = () => {
    const now = cpuTime();
    longest = Math.max(longest, now - before);
    before = now;
    if (runs) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop() {
      runs = false;
      turn();
      return Math.round(longest);
    },
  };
}

/** Of the main thread, in ms; of the whole process where the system does not tell. */
function cpuTime(): number {
  try {
    return (
      Number(
        readFileSync(`/proc/${process.pid}/task/${process.pid}/schedstat`, 'utf8').split(' ')[0],
      ) / 1e6
    );
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
