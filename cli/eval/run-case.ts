import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { createJob } from '../../api/agent/write/create-job.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { findRepository } from '../../shared/db/local-host/local-host.ts';
import { readChangedFiles } from '../../shared/db/jobs/conversation.ts';
import { readEventsOfTypes } from '../../shared/db/jobs/events.ts';
import { findJob, listJobs } from '../../shared/db/jobs/jobs.ts';
import type { Job } from '../../shared/db/jobs/job.ts';
import { type Pool, transaction } from '../../shared/db/pool.ts';
import { findProjectByDomain, type Project } from '../../shared/db/projects/projects.ts';
import { createRecordedProject } from '../operator-acts.ts';
import { publicUrl } from '../../shared/config.ts';
import { changesBetween, closeness } from '../../shared/evals/line-score.ts';
import { OFFLINE_MODEL } from '../../shared/agent-text.ts';
import { hasModel } from '../../shared/models/model-client.ts';
import { newId } from '../../shared/ids.ts';
import { type Cost, knownCost } from '../../shared/models/cost.ts';
import type { ConnectedConfig } from '../connect/settings.ts';
import type { EvalCase } from './cases.ts';

/** What every job of a run is given, besides its case. */
export interface Variant {
  /** A model id as the endpoint knows it; without it, the configured one. */
  model?: string;
  /** Replaces AGENTS.md of every case. */
  agents?: string;
  /** Added to the system prompt. */
  system?: string;
}

export interface EvalRun {
  pool: Pool;
  temporal: Client;
  config: ConnectedConfig;
  organizationId: string;
  /** Names the run's projects: the same id continues the run. */
  runId: string;
  variant: Variant;
}

export interface CaseResult extends Cost {
  id: string;
  prompt: string;
  jobId: string;
  model: string;
  status: 'completed' | 'failed';
  message: string;
  touched: string[];
  referenceTouched: string[];
  touchedF1: number;
  lineF1: number;
  exact: boolean;
  findings: number;
  inputTokens: number;
  outputTokens: number;
  seconds: number;
}

const POLL_MS = 500;

/**
 * Carries a case out in a job that publishes nothing, and scores it. A case has one project and one
 * job, found again by name: a run that continues makes no call twice. Rejects if `signal` aborts;
 * the job continues.
 */
export async function runCase(
  run: EvalRun,
  one: EvalCase,
  signal?: AbortSignal,
): Promise<CaseResult> {
  const project = await projectOf(run, one);
  for (;;) {
    const job = await jobOf(run, project, one);
    const ended = await rest(run.pool, job, signal);
    if (ended) return await result(run.pool, ended, one);
  }
}

async function projectOf(run: EvalRun, one: EvalCase): Promise<Project> {
  const name = `eval-${run.runId}-${one.id.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`.slice(0, 63);
  const domain = name.replace(/-+$/, '');
  const found = await findProjectByDomain(run.pool, domain);
  if (found) return found;
  const at = { pool: run.pool, dataDir: run.config.DATA_DIR, publicUrl: publicUrl(run.config) };
  if (!(await findRepository(run.pool, domain)))
    await withFiles(filesOf(run.variant, one), folder =>
      importRepository(at, { name: domain }, folder),
    );
  const project = {
    organizationId: run.organizationId,
    name: `Evaluation ${run.runId}: ${one.id}`.slice(0, 100),
    domain,
    host: 'local',
    repository: domain,
    repositoryUrl: `${at.publicUrl}/git/${domain}.git`,
    baseRef: 'main',
    docsFolder: docsFolderOf(one),
  } as const;
  return await transaction(run.pool, tx => createRecordedProject(tx, project));
}

function filesOf({ agents }: Variant, { before }: EvalCase): Record<string, string> {
  return agents === undefined ? before : { ...before, 'AGENTS.md': agents };
}

/** Without the rest of the repository, its kind and folder cannot be detected. */
function docsFolderOf({ before, after }: EvalCase): string {
  const paths = Object.keys({ ...before, ...after });
  return paths.every(path => path.startsWith('docs/')) ? 'docs' : '';
}

async function withFiles<T>(
  files: Record<string, string>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-eval-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function jobOf(run: EvalRun, project: Project, { prompt }: EvalCase): Promise<Job> {
  const [found] = await listJobs(run.pool, project.id, { limit: 1 });
  if (found) return found;
  const { system, model = hasModel(run.config) ? undefined : OFFLINE_MODEL } = run.variant;
  return await createJob(run, {
    project,
    caller: { apiKeyId: null },
    requestId: newId('req'),
    generation: 'v2',
    instructions: [
      ...(system === undefined ? [] : [{ role: 'system' as const, prompt: system }]),
      { role: 'user', prompt },
    ],
    // The branch is held by one open job: a second run of the same case cannot start another.
    branch: 'docent/evaluation',
    publishes: false,
    ...(model !== undefined && { modelId: model }),
    idempotency: undefined,
  });
}

/** Waits until a job is idle; undefined if it was given up before it began. */
async function rest(
  pool: Pool,
  { projectId, id }: Job,
  signal?: AbortSignal,
): Promise<Job | undefined> {
  for (;;) {
    const job = await findJob(pool, projectId, id);
    if (!job || (job.state !== 'starting' && job.state !== 'active')) return job;
    await delay(POLL_MS, undefined, signal && { signal });
  }
}

async function result(pool: Pool, job: Job, one: EvalCase): Promise<CaseResult> {
  const [files, checks] = await Promise.all([
    readChangedFiles(pool, job.workspaceHead),
    readEventsOfTypes(pool, job.id, ['checks'] as const),
  ]);
  const ours = Object.fromEntries(
    files.map(({ path, after }) => [path, after?.toString('utf8') ?? null]),
  );
  const wanted = changesBetween(one.before, one.after);
  return {
    id: one.id,
    prompt: one.prompt,
    jobId: job.id,
    model: job.model,
    status: job.state === 'completed' ? 'completed' : 'failed',
    message: job.messageToUser ?? '',
    touched: Object.keys(ours),
    referenceTouched: Object.keys(wanted),
    ...closeness(one.before, ours, wanted),
    findings: checks.at(-1)?.event.findings.length ?? 0,
    inputTokens: job.inputTokens + job.cacheReadTokens + job.cacheWriteTokens,
    outputTokens: job.outputTokens,
    ...knownCost(job),
    seconds: ((job.finishedAt ?? job.updatedAt).getTime() - job.createdAt.getTime()) / 1000,
  };
}
