import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { signalEnd } from '../../jobs/workflow-client.ts';
import { unifiedDiff } from '../../jobs/unified-diff.ts';
import { createJob } from '../../jobs/create-job.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { findRepository } from '../../db/local-host/local-host.ts';
import { readChangedFiles } from '../../db/jobs/conversation.ts';
import { readEventsOfTypes } from '../../db/jobs/events.ts';
import { findJob, listJobs } from '../../db/jobs/jobs.ts';
import type { Job } from '../../db/jobs/job.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import { findProjectByDomain, type Project } from '../../db/projects/projects.ts';
import { createRecordedProject } from '../../cli/operator-acts.ts';
import { publicUrl } from '../../shared/config.ts';
import { changesBetween, closeness } from './line-score.ts';
import { OFFLINE_MODEL } from '../../shared/agent-text.ts';
import { hasModel } from '../../shared/models/model-client.ts';
import type { Effort } from '../../shared/models/thinking.ts';
import { newId } from '../../shared/ids.ts';
import { type Cost, knownCost } from '../../shared/models/cost.ts';
import type { ConnectedConfig } from '../../cli/connect/settings.ts';
import type { EvalCase } from './cases.ts';

/** What every job of a run is given, besides its case. */
export interface Variant {
  /** What answers, if not the configured endpoint. */
  endpoint?: string;
  /** A model id as the endpoint knows it; without it, the configured one. */
  model?: string;
  /** How much the model may think; without it, as the settings say. */
  effort?: Effort;
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
  /** What the job changed and what people did, as unified diffs. */
  diff: string;
  referenceDiff: string;
  inputTokens: number;
  outputTokens: number;
  seconds: number;
}

const POLL_MS = 500;
/** How long the archiving of a job is waited for. */
const ARCHIVE_MS = 5_000;

/**
 * Carries a case out in a job that publishes nothing, and scores it. A case has one project and one
 * job, found again by name: a run that continues makes no call twice.
 */
export async function runCase(run: EvalRun, one: EvalCase): Promise<CaseResult> {
  const project = await projectOf(run, one);
  for (;;) {
    const job = await jobOf(run, project, one);
    const ended = await rest(run.pool, job);
    if (ended) {
      const scored = await result(run.pool, ended, one);
      await archive(run, ended);
      return scored;
    }
  }
}

function projectOf(run: EvalRun, one: EvalCase): Promise<Project> {
  const hash = createHash('sha256').update(one.id).digest('hex').slice(0, 12);
  const named = {
    domain: `eval-${run.runId}-${hash}`,
    name: `Evaluation ${run.runId}: ${one.id}`.slice(0, 100),
    docsFolder: docsFolderOf(one),
  };
  return projectWith(run, named, filesOf(run.variant, one));
}

/** The project of this domain, made with these files the first time. */
export async function projectWith(
  { pool, config, organizationId }: Pick<EvalRun, 'pool' | 'config' | 'organizationId'>,
  named: Pick<Project, 'domain' | 'name' | 'docsFolder'>,
  files: Record<string, string>,
): Promise<Project> {
  const { domain } = named;
  const found = await findProjectByDomain(pool, domain);
  if (found) return found;
  const at = { pool, dataDir: config.DATA_DIR, publicUrl: publicUrl(config) };
  if (!(await findRepository(pool, domain)))
    await withFiles(files, folder => importRepository(at, { name: domain }, folder));
  const repositoryUrl = `${at.publicUrl}/git/${domain}.git`;
  const place = { host: 'local', repository: domain, repositoryUrl, baseRef: 'main' } as const;
  return await transaction(pool, tx =>
    createRecordedProject(tx, { organizationId, ...named, ...place }),
  );
}

function filesOf({ agents }: Variant, { before }: EvalCase): Record<string, string> {
  return agents === undefined ? before : { ...before, 'AGENTS.md': agents };
}

/** Without the rest of the repository, its kind and folder cannot be detected. */
function docsFolderOf({ docsFolder, before, after }: EvalCase): string {
  if (docsFolder !== undefined) return docsFolder;
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
    ...(run.variant.effort !== undefined && { effort: run.variant.effort }),
    idempotency: undefined,
  });
}

/** Waits until a job is idle; undefined if it was given up before it began. */
async function rest(pool: Pool, { projectId, id }: Job): Promise<Job | undefined> {
  for (;;) {
    const job = await findJob(pool, projectId, id);
    if (!job || (job.state !== 'starting' && job.state !== 'active')) return job;
    await delay(POLL_MS);
  }
}

/**
 * A job that nobody will write to leaves Temporal now, not after months. What a job without a
 * worker or a workflow does not do now, the API's own archiving does later.
 */
async function archive({ pool, temporal }: EvalRun, job: Job): Promise<void> {
  if (job.archivedAt || job.state === 'given_up') return;
  await signalEnd(temporal, job.id, 'archive', job).catch(() => undefined);
  const end = Date.now() + ARCHIVE_MS;
  while (Date.now() < end) {
    if ((await findJob(pool, job.projectId, job.id))?.archivedAt) return;
    await delay(POLL_MS / 5);
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
    diff: unifiedDiff(files),
    referenceDiff: unifiedDiff(
      Object.entries(wanted).map(([path, after]) => ({
        path,
        before: bytesOf(one.before[path]),
        after: bytesOf(after),
      })),
    ),
    findings: checks.at(-1)?.event.findings.length ?? 0,
    inputTokens: job.inputTokens + job.cacheReadTokens + job.cacheWriteTokens,
    outputTokens: job.outputTokens,
    ...knownCost(job),
    seconds: ((job.finishedAt ?? job.updatedAt).getTime() - job.createdAt.getTime()) / 1000,
  };
}

function bytesOf(text: string | null | undefined): Buffer | null {
  return text === null || text === undefined ? null : Buffer.from(text);
}
