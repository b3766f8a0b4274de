import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dice } from '../jobs/random/dice.ts';
import { type Fault, type FaultDone, inflict, kindOf } from './faults.ts';
import { jobsThatWait, SETTLE_MS, untilIdle, untilReady } from './calm.ts';
import { type Installation, PROGRAM, startInstallation } from './installation.ts';
import { judgeRuns, startRuns } from './automations.ts';
import { judge } from './judge.ts';
import { Load } from './load.ts';
import { type Measured, Moments, openGauges } from './measure.ts';
import { answer } from './model.ts';
import { type Standstill, watchStandstill } from './standstill.ts';
import { type Reads, startReaders } from './readers.ts';
import { judgeWebhooks, startWebhook } from './webhooks.ts';
import { recoveries, type Recovery } from './recovery.ts';

export interface TortureOptions {
  seed: number;
  minutes: number;
  faults: readonly Fault[];
  /** A checkout of an earlier version: all processes are of it until half of the time is over. */
  from?: string | undefined;
  /** What Temporal stores. */
  isEncrypted: boolean;
  say(sentence: string): void;
}

export interface Verdict {
  seed: number;
  minutes: number;
  faults: Record<string, number>;
  jobs: number;
  acknowledged: number;
  /** Of the acknowledged: commits of a person to the branches of jobs. */
  personsCommits: number;
  /** Of the automation, acknowledged. */
  runs: number;
  /** Of people, for which jobs waited: those that counted, and those that came too late. */
  answers: Record<string, number>;
  /** Events that arrived, of so many attempts. */
  webhooks: [arrived: number, attempts: number];
  unanswered: number;
  reads: Reads;
  modelRequests: number;
  /** Most active jobs of the project at once, of `maxActive`. */
  mostActive: number;
  maxActive: number;
  /** From the last fault until every job was idle. */
  settledSeconds: number | null;
  longestStandstill: Standstill;
  /** Seconds until the jobs that a fault has met moved on. */
  recovery: Record<string, Recovery>;
  /** At start, middle, end, and when all is calm. */
  held: Record<string, Measured>;
  violations: string[];
}

/** From one role's update to the next. */
const UPDATE_EACH_MS = 10_000;
const MAX_ACTIVE = 6;
/** A model call is repeated after up to a minute, and each attempt may take a minute to fail. */
/** What waits for a job looks again at least so often, and sees that its reader has left. */
const STREAMS_END_MS = 20_000;
const STILL_SECONDS = 8 * 60;
/** What a job may fail of, as long as a follow-up repairs it. */
const INSTALLATION_GONE = /not installed|refuse\w* (?:the|our) credentials|may not see it/;

/** Load and faults for so many minutes, then calm, then the judgement. */
export async function torture({ from, isEncrypted, ...options }: TortureOptions): Promise<Verdict> {
  const { seed, minutes, faults, say } = options;
  const modelDice = dice(seed + 1);
  let modelFails = false;
  const installation = await startInstallation({
    script: request => answer(request, modelDice, modelFails),
    ...{ apis: 2, workers: 2, maxActive: MAX_ACTIVE },
    onGitHub: faults.includes('github'),
    isEncrypted,
    smallDisks: faults.includes('disk'),
    program: from === undefined ? PROGRAM : join(from, 'bin', 'docent.mjs'),
  });
  try {
    await untilReady(installation);
    const receiver = await startWebhook(installation, dice(seed + 3));
    say('ready');
    const end = Date.now() + minutes * 60_000;
    modelFails = faults.includes('model');
    const done: FaultDone[] = [];
    const load = new Load(installation, dice(seed));
    const limits = watchLimits(installation);
    const still = watchStandstill(installation, say);
    const moments = new Moments(installation);
    await moments.look('start');
    const middle = setTimeout(
      () => {
        void moments.look('half');
        if (from !== undefined) update(installation, say);
      },
      (end - Date.now()) / 2,
    );
    const [runs, reads] = await Promise.all([
      startRuns(installation, dice(seed + 4), end),
      startReaders(installation, dice(seed + 5), { readers: 6, end }),
      load.run(4, end),
      inflict(installation, dice(seed + 2), faults, end, fault => {
        done.push(fault);
        say(fault.what);
      }),
    ]);
    clearTimeout(middle);
    await moments.look('end');
    modelFails = false;
    say('calm');
    const settledSeconds = await untilIdle(installation);
    await load.settle(async () => {
      await untilIdle(installation);
      return jobsThatWait(installation);
    });
    // A job whose installation was removed has failed, and says so: its next follow-up repairs it.
    const failed = installation.onGitHub ? await failedJobs(installation) : [];
    for (const { id, message } of failed) say(`${id} gets one more follow-up: ${message}`);
    if (installation.onGitHub) await load.repair(failed.map(({ id }) => id));
    if (installation.onGitHub) await untilIdle(installation);
    await delay(STREAMS_END_MS);
    await moments.look('calm');
    const mostActive = await limits.stop();
    const longestStandstill = await still.stop();
    const violations = [
      ...(await openGauges([...installation.apis, ...installation.workers])),
      ...load.violations,
      ...(await judge(installation, load.operations)),
      ...(await judgeRuns(installation, runs)),
      ...(await judgeWebhooks(installation, receiver)),
    ];
    await receiver.close();
    for (const { id, message } of failed)
      if (!INSTALLATION_GONE.test(message)) violations.push(`${id} failed: ${message}`);
    if (settledSeconds === null)
      violations.push(`after ${SETTLE_MS / 1000} s not every job is idle`);
    if (longestStandstill.seconds > STILL_SECONDS)
      violations.push(
        `${longestStandstill.job} stood still for ${longestStandstill.seconds} s: ` +
          longestStandstill.waitedFor,
      );
    if (mostActive > MAX_ACTIVE) violations.push(`${mostActive} of ${MAX_ACTIVE} jobs were active`);
    const jobs = new Set(load.operations.flatMap(({ jobId }) => jobId ?? []));
    const acknowledged = load.operations.filter(each => each.acknowledged !== null).length;
    const personsCommits = load.operations.filter(
      ({ kind, acknowledged: at }) => kind === 'commit' && at !== null,
    ).length;
    return {
      ...{ seed, minutes, faults: count(done), jobs: jobs.size, acknowledged, personsCommits },
      runs: runs.length,
      answers: await answersOf(installation),
      webhooks: [receiver.known.size, receiver.attempts.length],
      unanswered: load.operations.length - acknowledged,
      reads,
      modelRequests: installation.model.requests.length,
      ...{ mostActive, maxActive: MAX_ACTIVE, settledSeconds, violations, longestStandstill },
      recovery: await recoveries(installation, done),
      held: moments.table,
    };
  } finally {
    await installation.close();
  }
}

/** One role after the other becomes the version of this checkout, workers first. */
function update({ apis, workers }: Installation, say: (sentence: string) => void): void {
  for (const [i, role] of [...workers, ...apis].entries()) {
    setTimeout(() => {
      say(`update of ${role.name}`);
      role.update(PROGRAM);
    }, i * UPDATE_EACH_MS);
  }
}

function count(done: FaultDone[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { what } of done) {
    const kind = kindOf(what);
    counted[kind] = (counted[kind] ?? 0) + 1;
  }
  return counted;
}

async function answersOf({ pool }: Installation): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ what: string; count: number }>(
    `select concat_ws(' ', answer ->> 'verb', state) as what, count(*) from instructions
      where answer is not null group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ what, count: of }) => [what, of]));
}

async function failedJobs({ pool }: Installation): Promise<{ id: string; message: string }[]> {
  const { rows } = await pool.query<{ id: string; message: string }>(
    "select id, message_to_user as message from jobs where state = 'failed'",
  );
  return rows;
}

function watchLimits({ pool }: Installation): { stop(): Promise<number> } {
  let most = 0;
  const stopped = new AbortController();
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const { rows } = await pool
        .query<{ active: number }>(
          "select count(*) as active from jobs where state in ('starting', 'active')",
        )
        .catch(() => ({ rows: [] }));
      most = Math.max(most, rows[0]?.active ?? 0);
      await delay(200);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await watching;
      return most;
    },
  };
}
