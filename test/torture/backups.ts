import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Manifest } from '../../cli/backup/manifest.ts';
import type { Settled } from '../../cli/reconcile/difference.ts';
import { readDemoEnv } from '../../cli/stack/demo-env.ts';
import { findRunning } from '../../cli/stack/running.ts';
import { Client, Connection } from '@temporalio/client';
import { openPool, type Pool } from '../../db/pool.ts';
import { type Dice, dice } from '../jobs/random/dice.ts';
import { temporaryFolder } from '../support/docent.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { localPulls } from './installation.ts';
import { judgeJobs } from './judge.ts';
import { Load, type Target } from './load.ts';
import type { Operation } from './operations.ts';
import { Machines } from './machines.ts';
import { answer, instruction } from './model.ts';
import { pending } from './standstill.ts';

export interface BackupOptions {
  seed: number;
  /** How to start `docent`. */
  program: string;
  loadSeconds: number;
  /** As with a host that is not ours: its repositories are not restored, so that they are newer. */
  isHostNewer: boolean;
}

export interface BackupVerdict {
  seed: number;
  isHostNewer: boolean;
  /** Acknowledged before the mark, and after it. */
  before: number;
  after: number;
  backupMs: number;
  /** What `docent reconcile` told, by kind. */
  told: Record<string, number>;
  violations: string[];
}

const SETTLE_MS = 240_000;

/**
 * Load on `docent start`, a backup in the middle of it, the end of that machine, and the backup
 * restored in another folder: what was acknowledged before the backup's mark must be there, once.
 */
export async function backupRound(options: BackupOptions): Promise<BackupVerdict> {
  const folder = await temporaryFolder();
  const luck = dice(options.seed);
  const model = await startScriptedModel(request => answer(request, luck, false));
  const machines = new Machines(folder, options.program, model);
  try {
    const loaded = await loadAndBackUp(machines, luck, options);
    await machines.kill();
    const restored = await machines.restore(loaded.backup);
    if (options.isHostNewer) await machines.bringRepositories();
    await machines.start(restored);
    return await judgeRestored(machines, restored, loaded, options);
  } finally {
    await machines.close();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Loaded {
  dataDir: string;
  backup: string;
  backupMs: number;
  manifest: Manifest;
  operations: Operation[];
  target: Target;
}

/** Compares what the restored machine, which runs, has with what was acknowledged. */
export async function judgeRestored(
  machines: Machines,
  restored: string,
  { operations, target, manifest, backupMs }: Loaded,
  { seed, isHostNewer }: Pick<BackupOptions, 'seed' | 'isHostNewer'>,
): Promise<BackupVerdict> {
  const differences = await machines.reconcile(restored);
  const mark = Date.parse(manifest.mark);
  const asked = forgetAfter(operations, mark);
  const pool = openPool({ connectionString: findRunning(restored)!.databaseUrl, max: 2 });
  try {
    const repository = join(restored, 'repositories', 'log.git');
    const sent = await followUp(restored, pool, target, asked);
    const pulls = (head: string) => localPulls(pool, head);
    const judged = { pool, repository, pulls, project: target.project };
    return {
      ...{ seed, isHostNewer, backupMs },
      before: asked.filter(({ acknowledged }) => acknowledged !== null).length,
      after: operations.filter(({ acknowledged }) => (acknowledged ?? 0) > mark).length,
      told: count(differences),
      violations: [
        ...(await judgeJobs(judged, [...asked, ...sent])),
        ...(await untold(pool, operations, differences, isHostNewer)),
      ],
    };
  } finally {
    await pool.end();
  }
}

/** Leaves the machine running. */
export async function loadAndBackUp(
  machines: Machines,
  luck: Dice,
  { loadSeconds }: Pick<BackupOptions, 'loadSeconds'>,
): Promise<Loaded> {
  const { target, dataDir } = await machines.first();
  const load = new Load(target, luck);
  const loading = load.run(3, Date.now() + loadSeconds * 1000);
  await delay((loadSeconds * 1000 * (3 + luck.below(4))) / 10);
  const began = Date.now();
  const backup = join(dirname(dataDir), 'backup');
  const made = await machines.docent(dataDir, ['backup', backup]);
  if (made.code !== 0) throw new Error(`docent backup: ${made.stdout}${made.stderr}`);
  const backupMs = Date.now() - began;
  await loading;
  const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as Manifest;
  return { dataDir, backup, backupMs, manifest, operations: load.operations, target };
}

/** What was acknowledged after the mark may be there or not. */
function forgetAfter(operations: Operation[], mark: number): Operation[] {
  return operations.map(each => ({
    ...each,
    acknowledged: each.acknowledged !== null && each.acknowledged < mark ? each.acknowledged : null,
  }));
}

/** Waits until all jobs are idle, sends each a follow-up, and waits again. */
async function followUp(
  restored: string,
  pool: Pool,
  { project }: Target,
  asked: Operation[],
): Promise<Operation[]> {
  await untilIdle(restored, pool);
  const { BASE_URL = '', ADMIN_KEY = '' } = readDemoEnv(restored);
  const jobIds = new Set(asked.flatMap(each => (each.acknowledged === null ? [] : each.jobId!)));
  const sent: Operation[] = [];
  for (const [i, jobId] of [...jobIds].entries()) {
    const marker = `m${9_000 + i}x`;
    const response = await fetch(`${BASE_URL}/v2/agent/${project.id}/job/${jobId}/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: instruction(marker) }),
    });
    const now = Date.now();
    const acknowledged = response.ok ? now : null;
    // One that is over a limit is no loss.
    if (!response.ok && response.status !== 429)
      throw new Error(`a follow-up to ${jobId}: ${response.status} ${await response.text()}`);
    sent.push({ marker, kind: 'message', jobId, invoked: now, acknowledged });
    if (i % 4 === 3) await untilIdle(restored, pool);
  }
  await untilIdle(restored, pool);
  return sent;
}

async function untilIdle(restored: string, pool: Pool): Promise<void> {
  let calm = 0;
  let busy: Busy[] = [];
  const isCalm = async () => {
    const { rows } = await pool.query<Busy>(
      `select id, state, run_id as "runId", epoch, n, turns, w.waiting
         from jobs j, lateral (select count(*) as waiting from instructions
                                where job_id = j.id and state = 'waiting') w
        where state in ('starting', 'active') or state <> 'given_up' and w.waiting > 0`,
    );
    busy = rows;
    calm = busy.length === 0 ? calm + 1 : 0;
    return calm > 40;
  };
  await until('all jobs are idle', isCalm, SETTLE_MS).catch(async (error: unknown) => {
    throw new Error(`not idle: ${await explain(restored, busy)}`, { cause: error });
  });
}

interface Busy {
  id: string;
  state: string;
  runId: string | null;
  epoch: number;
  n: number;
  turns: number;
  waiting: number;
}

async function explain(restored: string, busy: Busy[]): Promise<string> {
  const connection = await Connection.connect({ address: findRunning(restored)!.temporalAddress });
  const temporal = new Client({ connection });
  const said = busy.map(async row => {
    const waitsFor = await pending(temporal, row.id).catch((error: Error) => error.message);
    return `${JSON.stringify(row)} waits for ${waitsFor}`;
  });
  try {
    return (await Promise.all(said)).join('\n');
  } finally {
    await connection.close();
  }
}

/** Jobs that the backup does not have, whose branches the newer host has, and nobody told of. */
async function untold(
  pool: Pool,
  operations: Operation[],
  differences: Settled[],
  isHostNewer: boolean,
): Promise<string[]> {
  if (!isHostNewer) return [];
  const { rows } = await pool.query<{ id: string }>('select id from jobs');
  const known = new Set(rows.map(({ id }) => id));
  const created = operations.filter(({ kind, jobId }) => kind === 'create' && jobId !== null);
  return created
    .filter(({ jobId }) => !known.has(jobId!) && !differences.some(({ job }) => job === jobId))
    .map(({ jobId }) => `${jobId} was created after the backup, and reconcile does not tell`);
}

function count(differences: Settled[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { kind, state } of differences)
    counted[`${kind} ${state}`] = (counted[`${kind} ${state}`] ?? 0) + 1;
  return counted;
}
