import type { Config } from '../../../shared/config.ts';
import type { Job, JobDetail } from '../contract/jobs.ts';
import { gapsOfJob } from '../../../db/assistant/gaps.ts';
import { type JobOverview, listJobOverviews } from '../../../db/jobs/job-overviews.ts';
import { cachedShare, knownCost } from '../../../shared/models/cost.ts';
import type { Job as JobRow } from '../../../db/jobs/job.ts';
import type { Project } from '../../../db/projects/projects.ts';
import { jobEffort } from '../../../shared/models/thinking.ts';
import { Problem } from '../../../shared/errors.ts';
import { readJob, rowStatus } from '../../../jobs/read-job.ts';
import { waitingFor } from '../../../jobs/waiting/first-answer.ts';
import { readWaiting } from '../../../jobs/waiting/read-waiting.ts';
import { hostOf, linkNow } from '../../../hosts/registry.ts';
import type { DashboardDeps } from '../deps.ts';

/** A job as lists show it. */
export function jobView(config: Config, row: JobOverview): Job {
  const status = row.state === 'starting' ? 'active' : row.state;
  return {
    id: row.id,
    project: { id: row.projectId, domain: row.projectDomain },
    status,
    outcome: row.outcome,
    waitingFor: waitingFor(row),
    problems: row.problems,
    title: row.title,
    prompt: row.prompt,
    branch: row.branch,
    prLink: linkNow(config, row.host, row.prLink),
    previewUrl: row.previewUrl,
    prNumber: hostOf(row.host).pullRequests ? row.prNumber : null,
    model: row.model,
    generation: row.generation,
    startedBy: startedBy(row),
    turns: row.turns,
    ...knownCost(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    archivedAt: row.archivedAt?.toISOString() ?? null,
  };
}

function startedBy({ userName, keyName, automationName }: JobOverview): Job['startedBy'] {
  if (userName !== null) return { type: 'user', name: userName };
  if (keyName !== null) return { type: 'key', name: keyName };
  return automationName === null ? null : { type: 'automation', name: automationName };
}

export async function readJobView(
  deps: Pick<DashboardDeps, 'config' | 'pool'>,
  projectId: string,
  jobId: string,
): Promise<Job> {
  const [row] = await listJobOverviews(deps.pool, { projectId }, { id: jobId, limit: 1 });
  if (!row) throw new Problem('not_found', 'There is no such job.');
  return jobView(deps.config, row);
}

/**
 * A job with all that its page shows, as its workflow sees it where that can be had. Throws 404.
 */
export async function readJobDetail(
  deps: DashboardDeps,
  project: Project,
  jobId: string,
  forOwner: boolean,
): Promise<JobDetail> {
  const job = await readJob(deps, project.id, jobId);
  const view = await readJobView(deps, project.id, jobId);
  return {
    ...view,
    status: rowStatus(job),
    title: job.title,
    prLink: linkNow(deps.config, job.host, job.prLink),
    model: job.model,
    archivedAt: job.archivedAt?.toISOString() ?? null,
    fullPrompt: job.prompt,
    messageToUser: job.messageToUser,
    haltReason: job.haltReason,
    todos: job.todos,
    tokens: {
      input: job.inputTokens,
      output: job.outputTokens,
      cacheRead: job.cacheReadTokens,
      cacheWrite: job.cacheWriteTokens,
      cachedShare: cachedShare(job),
    },
    baseRef: job.baseRef,
    repositoryUrl: linkNow(deps.config, job.host, job.repositoryUrl),
    ref: job.ref,
    asDraft: job.asDraft,
    budgetUsd: job.budgetMicroUsd === null ? null : job.budgetMicroUsd / 1e6,
    waitingFor: waitingFor(job),
    waiting: await readWaiting(deps.pool, job),
    effort: await effortOf(deps, project, job),
    lastEvent: job.lastEvent,
    questions: (await gapsOfJob(deps.pool, job.id)).map(({ question, askedAt, sources }) => ({
      ...{ question, sources, askedAgainAt: askedAt?.toISOString() ?? null },
    })),
    operator: forOwner ? operatorView(deps.config, job) : null,
  };
}

/** Null if nothing is set, or the model does not think. */
async function effortOf(
  { config, assistant }: DashboardDeps,
  { settings }: Project,
  job: JobRow,
): Promise<JobDetail['effort']> {
  const model = job.requestedModel ?? job.model;
  const features = await assistant.answering.featuresOf(model);
  return (features.has('thinking') && jobEffort(config, { ...job, model, settings })) || null;
}

/**
 * Where the operator sees the job's history, and the commands that do what the page offers just
 * now.
 */
function operatorView(config: Config, job: JobRow): JobDetail['operator'] {
  const { id, epoch } = job;
  const ending =
    rowStatus(job) === 'active'
      ? { label: 'Cancel the turn', name: 'cancel' }
      : { label: 'Archive', name: 'archive' };
  const {
    TEMPORAL_UI_URL: uiUrl,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_CLI_PATH: cli = 'temporal',
  } = config;
  const at = [
    address && `--address ${address}`,
    namespace !== 'default' && `--namespace ${namespace}`,
    `--workflow-id ${id}`,
  ]
    .filter(Boolean)
    .join(' ');
  const signal = (name: string, input: object) =>
    `${cli} workflow signal ${at} --name ${name} --input '${JSON.stringify(input)}'`;
  return {
    workflowId: id,
    historyUrl: uiUrl
      ? `${uiUrl.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/${id}`
      : null,
    commands: [
      ...(job.archivedAt === null
        ? [
            { label: 'Send a message', command: signal('message', { prompt: '…' }) },
            { label: ending.label, command: signal(ending.name, { epoch }) },
          ]
        : []),
      { label: 'Ask for its state', command: `${cli} workflow query ${at} --type job` },
      { label: 'Show the history', command: `${cli} workflow show ${at}` },
    ],
  };
}
