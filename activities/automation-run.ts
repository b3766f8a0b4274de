import { Context } from '@temporalio/activity';
import { brakeFor, type HeldBack } from '../automations/brakes.ts';
import { readChangedFiles } from '../automations/changed-files.ts';
import type { AutomationDeps } from '../automations/deps.ts';
import { GateError } from '../automations/gate.ts';
import { judgeRun } from '../automations/judge-run.ts';
import { proposeFile } from '../automations/propose-file.ts';
import { digestFor, NO_DIGEST } from '../automations/digest.ts';
import { NO_QUESTIONS, questionsFor } from '../automations/reader-questions.ts';
import { readChanges } from '../automations/read-changes.ts';
import { reportRun } from '../automations/report-run.ts';
import { runPrompt } from '../automations/run-prompt.ts';
import { withAdvisoryLock } from '../db/advisory-lock.ts';
import { type Automation, findAutomation } from '../db/automations/automations.ts';
import { findPreparation, type Preparation } from '../db/automations/preparations.ts';
import { useOfProject } from '../db/automations/project-use.ts';
import {
  addRun,
  changeRun,
  findRun,
  type Run,
  runBefore,
  turnOfMessage,
} from '../db/automations/runs.ts';
import { jobById } from '../db/jobs/jobs.ts';
import { findProject, type Project } from '../db/projects/projects.ts';
import { notePullRequest } from '../db/webhook/deliveries.ts';
import type { Admitted, AutomationActivities, RunOutcome } from '../shared/jobs/automation.ts';
import { Problem } from '../shared/errors.ts';
import { modelEndpoint } from '../shared/models/model-features.ts';
import { modelFailure } from './model-failures.ts';
import { endOnPermanent } from './permanent-problems.ts';

const ENDED: Admitted = { next: 'ended', again: 0 };
const START: Admitted = { next: 'start', again: 0 };
const wait = (again: number): Admitted => ({ next: 'wait', again });
/** Another run of the project is being looked at. */
const BUSY_MS = 1_000;
const LIMIT_MS = 60_000;

interface Opened {
  run: Run;
  automation: Automation;
  project: Project;
  preparation: Preparation | undefined;
  /** Where the run's turn goes; null: that job is not made yet. */
  jobId: string | null;
}

/** The activities of automations, for the worker to register. */
export function createAutomationActivities(deps: AutomationDeps): AutomationActivities {
  const { pool } = deps;
  return endOnPermanent<AutomationActivities>({
    async beginRun({ automationId, key, dueAt }) {
      const automation = await findAutomation(pool, automationId);
      if (!automation?.definition || automation.pausedAt) return null;
      return addRun(pool, { automationId, key, cause: { kind: 'schedule', dueAt } });
    },

    async judgeRun({ runId }) {
      const opened = await open(deps, runId);
      return opened ? judge(deps, opened) : ENDED;
    },

    async admitRun({ runId }) {
      const opened = await open(deps, runId);
      if (!opened) return ENDED;
      const name = `automations of ${opened.project.id}`;
      return (await withAdvisoryLock(pool, name, () => admit(deps, opened))) ?? wait(BUSY_MS);
    },

    async startTurn({ runId }) {
      const opened = await open(deps, runId);
      return opened ? startTurn(deps, opened) : ENDED;
    },

    async readTurn({ runId }) {
      const run = await findRun(pool, runId);
      return !run || run.state === 'done' || (await settleTurn(deps, run));
    },

    async reportRun({ runId, failed }) {
      if (failed !== undefined) await end(deps, runId, 'failed', failed);
      const run = await findRun(pool, runId);
      const automation = run && (await findAutomation(pool, run.automationId));
      const project = automation && (await findProject(pool, automation.projectId));
      if (project) await reportRun(deps, { run, automation, project });
    },

    readChanges: ({ automationId }) =>
      readChanges(deps, automationId, Context.current().cancellationSignal),

    addAutomation: input => proposeFile(deps, input, Context.current().cancellationSignal),
  });
}

/** A run that is not done, of an automation that may run; undefined otherwise: then it is done. */
async function open(deps: AutomationDeps, runId: string): Promise<Opened | undefined> {
  const run = await findRun(deps.pool, runId);
  if (!run || run.state === 'done') return undefined;
  const automation = await findAutomation(deps.pool, run.automationId);
  const project = automation && (await findProject(deps.pool, automation.projectId));
  const change = run.cause.kind === 'change' ? run.cause.change : undefined;
  const followed = change && (await findPreparation(deps.pool, run.automationId, change));
  const preparation = followed?.state === 'open' ? followed : undefined;
  const why = !project
    ? 'The automation was removed.'
    : automation.definition === null
      ? 'The automation’s file cannot be used.'
      : automation.pausedAt && run.cause.kind !== 'hand' && run.messageId === null
        ? 'The automation is paused.'
        : change?.prepares && !preparation && run.messageId === null
          ? 'The pull request was closed, or merged with nothing prepared.'
          : undefined;
  if (project && why === undefined) {
    const { jobId } = preparation ?? automation;
    return { run, automation, project, preparation, jobId };
  }
  await end(deps, runId, 'held_back', why ?? '');
  return undefined;
}

async function end(
  { pool }: AutomationDeps,
  runId: string,
  outcome: RunOutcome,
  reason: string,
): Promise<Admitted> {
  await changeRun(pool, runId, { state: 'done', outcome, reason });
  return ENDED;
}

/** Stored, so that a repeat asks no model. */
async function judge(deps: AutomationDeps, opened: Opened): Promise<Admitted> {
  const { run, automation } = opened;
  if (run.judged || run.messageId !== null) return START;
  const { info, cancellationSignal: signal } = Context.current();
  const attempt = {
    signal,
    runId: info.workflowExecution?.runId ?? '',
    activityId: info.activityId,
    attempt: info.attempt,
  };
  const judged = await judgeRun(deps, opened, automation.definition!, attempt).catch(
    (error: unknown) => {
      if (!(error instanceof GateError)) throw error;
      throw modelFailure(error.cause, new URL(modelEndpoint(deps.config)).host);
    },
  );
  if ('held' in judged) return hold(deps, run, judged.held);
  const { needed, reason, pages, byModel } = judged;
  await changeRun(deps.pool, run.id, {
    ...{ judged: byModel, pages, reason: reason === '' ? null : reason },
    ...(!needed && { state: 'done', outcome: 'no_action' }),
  });
  return needed ? START : ENDED;
}

/** Alone in its project, so that limits hold. */
async function admit(deps: AutomationDeps, opened: Opened): Promise<Admitted> {
  const { run, automation, project, preparation } = opened;
  const { pool, config } = deps;
  if (run.startedAt) return START; // an attempt whose answer was lost
  const address = { host: project.host, repository: project.repository };
  const baseCommit = await deps.hostFor(project).resolveBranch(address, project.baseRef);
  const closed = await closedByPerson(deps, opened, baseCommit);
  const held = closed
    ? { why: closed, again: null }
    : brakeFor(config, await useOfProject(pool, project.id), {
        holder: (preparation ?? automation).id,
        kind: run.cause.kind,
        waitedMs: Date.now() - run.createdAt.getTime(),
      });
  if (!held) {
    await changeRun(pool, run.id, { state: 'running', ...(baseCommit !== null && { baseCommit }) });
    return START;
  }
  return hold(deps, run, held);
}

async function hold(
  deps: AutomationDeps,
  { id }: Run,
  { why, again }: HeldBack,
): Promise<Admitted> {
  if (again === null) return end(deps, id, 'held_back', why);
  await changeRun(deps.pool, id, { state: 'held_back', reason: why });
  return wait(again);
}

/** A schedule does not open again what a person closed, until the docs have changed. */
async function closedByPerson(
  deps: AutomationDeps,
  { run, automation, project, preparation, jobId }: Opened,
  baseCommit: string | null,
): Promise<string | undefined> {
  const job = jobId === null ? undefined : await jobById(deps.pool, jobId);
  if (!job?.prNumber) return undefined;
  const { number, state } = await deps.hostFor(project).getPullRequest(job, job.prNumber);
  const names = [job.repository.toLowerCase()];
  const at = new Date().toISOString();
  if (state !== 'open') await notePullRequest(deps.pool, job.host, { names, number, state, at });
  if (state === 'closed' && preparation)
    return `A person closed pull request #${number}, which was prepared for this.`;
  if (state !== 'closed' || run.cause.kind !== 'schedule') return undefined;
  const before = await runBefore(deps.pool, automation.id, run.id);
  return before?.baseCommit === baseCommit
    ? `A person closed pull request #${number}, and the docs have not changed since.`
    : undefined;
}

async function startTurn(deps: AutomationDeps, opened: Opened): Promise<Admitted> {
  const { run, automation, project, preparation } = opened;
  const { cause } = run;
  const definition = automation.definition!;
  if (run.messageId === null && (await waitsForPerson(deps, opened))) {
    await changeRun(deps.pool, run.id, {
      reason: 'The job of this automation waits for a person.',
    });
    return wait(LIMIT_MS);
  }
  const files =
    cause.kind === 'change'
      ? await readChangedFiles(deps, project, cause.change, Context.current().cancellationSignal)
      : undefined;
  const gaps = definition.questions ? await questionsFor(deps.pool, project.id) : [];
  if (definition.questions && gaps.length === 0 && run.messageId === null)
    return end(deps, run.id, 'no_action', NO_QUESTIONS);
  const changed = files && { ...files, pages: run.pages };
  const asked = gaps.map(({ question }) => question);
  const digest = definition.digest ? await digestFor(deps.pool, project.id) : undefined;
  if (definition.digest && digest === undefined && run.messageId === null)
    return end(deps, run.id, 'no_action', NO_DIGEST);
  const prompt = runPrompt(definition, cause, changed, { questions: asked, digest });
  const draft = definition.draft || preparation !== undefined;
  try {
    await deps.startRunTurn({ run, automation, project, prompt, draft, preparation, gaps });
    return START;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'limit_exceeded') throw error;
    await changeRun(deps.pool, run.id, { reason: error.message });
    return wait(LIMIT_MS);
  }
}

/** Whatever comes to a job that waits counts as the answer of a person. */
async function waitsForPerson({ pool }: AutomationDeps, { jobId }: Opened): Promise<boolean> {
  const job = jobId === null ? undefined : await jobById(pool, jobId);
  return job?.archivedAt === null && job.state !== 'active' && job.waitingFor !== null;
}

/** False while the turn runs. */
async function settleTurn({ pool }: AutomationDeps, run: Run): Promise<boolean> {
  const { jobId, messageId } = run;
  if (jobId === null || messageId === null) return true;
  const job = await jobById(pool, jobId);
  const turn = await turnOfMessage(pool, jobId, messageId);
  if (!turn && job && !job.archivedAt) return false;
  const { result = 'failed', sentence = 'The job is gone.' } = turn ?? {};
  await changeRun(pool, run.id, {
    state: 'done',
    outcome: result,
    reason: sentence.slice(0, 1_000),
    ...(result === 'published' && job && { prLink: job.prLink, prNumber: job.prNumber }),
  });
  return true;
}
