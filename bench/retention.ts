import { setTimeout as delay } from 'node:timers/promises';
import { FastClock } from './retention/fast-clock.ts';
import { Load, type Rates } from './retention/load.ts';
import { answer } from './retention/model.ts';
import { boundOf, Parts, type Sizes, WITH_COLLECTIONS } from './retention/parts.ts';
import { type Price, priceOfJobs, priceOfQuestions } from './retention/price.ts';
import { type Installation, PAGES, startInstallation } from './scale/installation.ts';

/** Simulated hours after which a job is archived, and after which everything is deleted. */
const [ARCHIVE_HOURS, RETENTION_HOURS] = [1, 3];
const CACHE_MB = 4;
const SAMPLE_EVERY_MS = 5_000;
const DAY_HOURS = 24;
/** What counts as flat: over the second half a part gains less than a share of what it has. */
const FLAT = { share: 0.1, diskBytes: 2e6, memoryBytes: 15e6 };

const LIMITS = {
  ASSISTANT_ADDRESS_DAILY_LIMIT: '1000000',
  ASSISTANT_KEY_MONTHLY_LIMIT: '1000000',
  ASSISTANT_ORGANIZATION_HOURLY_LIMIT: '1000000',
};

interface Sample {
  /** Milliseconds since the load began. */
  at: number;
  sizes: Sizes;
}

/**
 * A day of steady load in some minutes, on `npm run cluster`: all retention is faster by the same
 * factor. Prints each part of disk and memory, and whether it is flat in the second half; memory of
 * our own processes is what a garbage collection leaves. Exit code 1 if a part is not flat.
 * With `--prices` instead: what a job and a question cost on disk.
 * `--minutes 30`, `--jobs 20` and `--questions 60` a minute, `--temporal-address` of a server.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const minutes = Number(option(args, '--minutes') ?? 30);
  const hourMs = (minutes * 60_000) / DAY_HOURS;
  const rates = {
    jobsPerMinute: Number(option(args, '--jobs') ?? 20),
    questionsPerMinute: Number(option(args, '--questions') ?? 60),
  };
  const temporalAddress = option(args, '--temporal-address');
  const asksPrices = args.includes('--prices');
  const wanted = asksPrices ? LIMITS : settings(hourMs);
  const installation = await startInstallation({
    ...{ workers: 2, settings: () => wanted, temporalAddress },
  });
  installation.model.answer = answer;
  const parts = new Parts(installation);
  try {
    await parts.open();
    installation.model.delayMs = 50;
    const load = await prepareLoad(installation, parts);
    if (asksPrices) return { retention: await measurePrices(installation, parts, load) };
    const samples = await soak(installation, parts, load, { minutes, hourMs, rates });
    return { retention: judge(samples, load) };
  } finally {
    await parts.close();
    await installation.close();
  }
}

/** A day is `hourMs` × 24. */
function settings(hourMs: number): Record<string, string> {
  const days = (hours: number) => String((hours * hourMs) / 86_400_000);
  return {
    JOB_ARCHIVE_AFTER_DAYS: days(ARCHIVE_HOURS),
    JOB_RETENTION_DAYS: days(RETENTION_HOURS),
    GIT_CACHE_MB: String(CACHE_MB),
    NODE_OPTIONS: WITH_COLLECTIONS,
    ...LIMITS,
  };
}

async function prepareLoad(installation: Installation, parts: Parts): Promise<Load> {
  const [projectId] = installation.projects;
  // Vacuum keeps up with time that runs faster.
  await parts.docent.query("alter system set autovacuum_naptime = '1s'");
  await parts.docent.query('select pg_reload_conf()');
  const { rows } = await parts.docent.query<{ repository: string; domain: string }>(
    'select repository, domain from projects where id = $1',
    [projectId],
  );
  const made = await installation.docent(
    ...['key', 'create', '--kind', 'assistant', '--project', rows[0]?.domain ?? ''],
  );
  return new Load({
    ...{ url: installation.cluster.url, adminKey: installation.adminKey, projectId },
    ...{ domain: rows[0]?.domain ?? '', repository: rows[0]?.repository ?? '' },
    assistantKey: /svc_\w+/.exec(made)?.[0] ?? '',
    hostToken: installation.cluster.env['LOCAL_HOST_TOKEN'] ?? '',
    pages: PAGES,
  });
}

async function measurePrices(
  installation: Installation,
  parts: Parts,
  load: Load,
): Promise<Record<string, Price>> {
  await load.job({ followUp: true });
  await load.question();
  const prices = {
    job: await priceOfJobs(installation, parts, load, { followUp: false }),
    withFollowUp: await priceOfJobs(installation, parts, load, { followUp: true }),
    question: await priceOfQuestions(parts, load),
  };
  for (const [what, { rows, bytes, ...rest }] of Object.entries(prices)) {
    console.log(`One ${what}: rows, then bytes on disk`, rest);
    console.table(rows);
    console.table(bytes);
  }
  return prices;
}

async function soak(
  installation: Installation,
  parts: Parts,
  load: Load,
  { minutes, hourMs, rates }: { minutes: number; hourMs: number; rates: Rates },
): Promise<Sample[]> {
  const clock = new FastClock(installation, parts.docent, {
    ...{ hourMs, retentionHours: RETENTION_HOURS, cacheBytes: CACHE_MB * 1e6 },
  });
  const began = Date.now();
  const end = began + minutes * 60_000;
  const samples: Sample[] = [];
  const watch = async () => {
    let due = began + hourMs;
    while (Date.now() < end) {
      const sizes = { ...(await parts.disk()), ...(await parts.memory()) };
      samples.push({ at: Date.now() - began, sizes });
      if (Date.now() >= due) {
        await clock.tick();
        due += hourMs;
        progress(samples, load, (Date.now() - began) / hourMs);
      }
      await delay(SAMPLE_EVERY_MS);
    }
  };
  await Promise.all([load.run(rates, end), watch()]);
  return samples;
}

function progress(samples: readonly Sample[], load: Load, hour: number): void {
  const { sizes = {} } = samples.at(-1) ?? {};
  const mb = (of: string) =>
    Object.entries(sizes).reduce(
      (sum, [part, bytes]) => sum + (part.startsWith(of) ? bytes : 0),
      0,
    ) / 1e6;
  console.log(
    `hour ${hour.toFixed(1)}: ${load.jobs} jobs, ${load.questions} questions, ` +
      `${load.failures.length} failed; tables ${mb('table').toFixed(1)} MB, ` +
      `Temporal ${mb('temporal in').toFixed(1)}, repositories ${mb('repositories').toFixed(1)}, ` +
      `caches ${mb('caches').toFixed(1)}, memory ${mb('memory').toFixed(0)}`,
  );
}

interface Row {
  part: string;
  /** MB at the beginning of the second half, at the end, and by how much the line rises between. */
  middle: number;
  end: number;
  gain: number;
  flat: string;
  bound: string;
}

function judge(samples: readonly Sample[], load: Load): { rows: Row[]; failures: number } {
  const half = samples.slice(Math.floor(samples.length / 2));
  const names = Object.keys(samples.at(-1)?.sizes ?? {});
  const rows = names
    .map(part => rowOf(part, half))
    .filter(({ middle, end }) => Math.max(middle, end) >= 0.2)
    .toSorted((a, b) => b.end - a.end);
  console.table(rows);
  console.log(`${load.jobs} jobs, ${load.merged} merged, ${load.questions} questions`);
  for (const failure of new Set(load.failures)) console.log(`failed: ${failure}`);
  const growing = rows.filter(({ flat }) => flat === 'NO');
  if (growing.length > 0) {
    console.error(`Not flat: ${growing.map(({ part }) => part).join(', ')}`);
    process.exitCode = 1;
  }
  return { rows, failures: load.failures.length };
}

function rowOf(part: string, half: readonly Sample[]): Row {
  const points = half.map(({ at, sizes }) => ({ at, value: sizes[part] ?? 0 }));
  const { gain, mean } = trend(points);
  const bound = boundOf(part);
  const least = part.startsWith('memory') ? FLAT.memoryBytes : FLAT.diskBytes;
  const most = Math.max(...points.map(({ value }) => value));
  const isFlat = gain < Math.max(FLAT.share * mean, least) || most < (bound.upTo ?? 0);
  const mb = (bytes: number) => Math.round(bytes / 1e4) / 100;
  return {
    ...{ part, middle: mb(points[0]?.value ?? 0), end: mb(points.at(-1)?.value ?? 0) },
    ...{ gain: mb(gain), flat: bound.grows ? 'by design' : isFlat ? 'yes' : 'NO' },
    bound: bound.name,
  };
}

/** The value behind `--name`. */
function option(list: string[], name: string): string | undefined {
  const at = list.indexOf(name);
  return at < 0 ? undefined : list[at + 1];
}

/** A straight line through points: what is gained from the first to the last of them, and the mean. */
function trend(points: readonly { at: number; value: number }[]): {
  gain: number;
  mean: number;
} {
  const n = points.length;
  const mean = points.reduce((sum, { value }) => sum + value, 0) / n;
  const middle = points.reduce((sum, { at }) => sum + at, 0) / n;
  const spread = points.reduce((sum, { at }) => sum + (at - middle) ** 2, 0);
  const slope =
    points.reduce((sum, { at, value }) => sum + (at - middle) * (value - mean), 0) / (spread || 1);
  return { gain: slope * ((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)), mean };
}
