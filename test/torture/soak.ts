import { setTimeout as delay } from 'node:timers/promises';
import { dice } from '../jobs/random/dice.ts';
import { startRuns } from './automations.ts';
import { type Installation, PROGRAM, startInstallation } from './installation.ts';
import { judge } from './judge.ts';
import { Load } from './load.ts';
import { type Measured, Moments, openGauges } from './measure.ts';
import { answer } from './model.ts';
import { type Reads, startReaders } from './readers.ts';
import { jobsThatWait, untilIdle, untilReady } from './calm.ts';

interface SoakOptions {
  seed: number;
  minutes: number;
  isEncrypted: boolean;
  say(sentence: string): void;
}

export interface Soaked {
  jobs: number;
  reads: Reads;
  /** At start, half, end, and once everybody has left. */
  held: Record<string, Measured>;
  violations: string[];
}

/** Everything has been used once: from here on memory should stay level. */
const WARM_MS = 60_000;
/** Watches are let go of, and idle connections closed. */
const CALM_MS = 60_000;

/** A moderate load for so long, without faults: what grows shows. */
export async function soak({ seed, minutes, isEncrypted, say }: SoakOptions): Promise<Soaked> {
  const luck = dice(seed + 1);
  const installation = await startInstallation({
    script: request => answer(request, luck, false),
    ...{ apis: 2, workers: 2, maxActive: 6, program: PROGRAM },
    ...{ onGitHub: false, smallDisks: false, isEncrypted },
  });
  try {
    await untilReady(installation);
    const load = new Load(installation, dice(seed));
    const ends = Date.now() + WARM_MS + minutes * 60_000;
    const loads = Promise.all([
      startReaders(installation, dice(seed + 2), { readers: 8, end: ends }),
      startRuns(installation, dice(seed + 4), ends),
      load.run(2, ends),
    ]);
    const moments = new Moments(installation);
    const look = async (moment: string) => {
      await moments.look(moment);
      say(moment);
    };
    await delay(WARM_MS);
    await look('start');
    await delay((minutes * 60_000) / 2);
    await look('half');
    const [reads] = await loads;
    await look('end');
    const violations = await settled(installation, load);
    await look('calm');
    const jobs = new Set(load.operations.flatMap(({ jobId }) => jobId ?? []));
    return { jobs: jobs.size, reads, held: moments.table, violations };
  } finally {
    await installation.close();
  }
}

async function settled(installation: Installation, load: Load): Promise<string[]> {
  const violations: string[] = [];
  await untilIdle(installation);
  await load.settle(async () => {
    if ((await untilIdle(installation)) === null) violations.push('not every job is idle');
    return jobsThatWait(installation);
  });
  await delay(CALM_MS);
  violations.push(...(await openGauges([...installation.apis, ...installation.workers])));
  return [...violations, ...(await judge(installation, load.operations))];
}
