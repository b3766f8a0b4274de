import { globFilter } from '../agent/tools/glob.ts';
import type { Automation } from '../db/automations/automations.ts';
import { takeCheck, useOfProject } from '../db/automations/project-use.ts';
import type { Run } from '../db/automations/runs.ts';
import type { Project } from '../db/projects/projects.ts';
import type { Definition } from '../shared/jobs/automation.ts';
import { isOffline } from '../shared/models/model-ids.ts';
import { checkBrake, type HeldBack } from './brakes.ts';
import { readChangedFiles } from './changed-files.ts';
import type { AutomationDeps, RunAttempt } from './deps.ts';
import { digestFor, NO_DIGEST } from './digest.ts';
import { judgePrepared } from './preparations.ts';
import { NO_QUESTIONS, questionsFor } from './reader-questions.ts';
import { askGate, type Verdict } from './gate.ts';

/** A merged change with this label needs no docs. */
export const SKIP_LABEL = 'docs: skip';

export interface Judged extends Verdict {
  /** The model judged it, so that the change's author is told. */
  byModel: boolean;
}

/** Whether a run has anything to do, or must wait for its check: what costs nothing first. */
export async function judgeRun(
  deps: AutomationDeps,
  { run, automation, project }: { run: Run; automation: Automation; project: Project },
  definition: Definition,
  attempt: RunAttempt,
): Promise<Judged | { held: HeldBack }> {
  if (definition.questions && (await questionsFor(deps.pool, project.id)).length === 0)
    return unjudged(false, NO_QUESTIONS);
  if (definition.digest && (await digestFor(deps.pool, project.id)) === undefined)
    return unjudged(false, NO_DIGEST);
  if (run.cause.kind !== 'change') return unjudged(true, '');
  const { change } = run.cause;
  if (change.labels.includes(SKIP_LABEL))
    return unjudged(false, `The change has the label "${SKIP_LABEL}".`);
  const prepared = await judgePrepared(deps, run, change);
  if (prepared) return 'held' in prepared ? prepared : unjudged(prepared.needed, prepared.reason);
  // What waits for its check touches the paths, and its repository is not asked again until then.
  const held = run.state === 'held_back' ? await withoutCheck(deps, run, project) : undefined;
  if (held) return held;
  const files = await readChangedFiles(deps, project, change, attempt.signal);
  // Of a diff that is cut, not every path is known.
  if (!files.isCut && definition.paths.length > 0 && !touches(files.paths, definition.paths))
    return unjudged(false, `No changed file matches ${definition.paths.join(', ')}.`);
  const unchecked = await withoutCheck(deps, run, project);
  if (unchecked) return unchecked;
  const jobId = await deps.standingJob(automation.id);
  const asked = { project, definition, change, files, jobId };
  return { ...(await askGate(deps, asked, attempt)), byModel: true };
}

/** What is said of a run that the model does not check, or not yet; undefined: it has its check. */
async function withoutCheck(
  { config, pool }: AutomationDeps,
  run: Run,
  project: Project,
): Promise<Judged | { held: HeldBack } | undefined> {
  if (isOffline(config)) return unjudged(true, 'Not judged: the offline model cannot.');
  // The run that spends what is left is held back by its brake, with its reason.
  const { costMicroUsd } = await useOfProject(pool, project.id);
  if (costMicroUsd >= config.AUTOMATION_MONTHLY_COST_LIMIT_USD * 1e6) return unjudged(true, '');
  const most = config.AUTOMATION_MAX_CHECKS_PER_HOUR;
  const freeInSeconds = await takeCheck(pool, { runId: run.id, projectId: project.id, most });
  if (freeInSeconds === null) return undefined;
  return { held: checkBrake(config, freeInSeconds, Date.now() - run.createdAt.getTime()) };
}

function unjudged(needed: boolean, reason: string): Judged {
  return { needed, reason, pages: [], byModel: false };
}

/** Patterns that begin with `!` take files out again. */
function touches(paths: readonly string[], patterns: readonly string[]): boolean {
  const wanted = patterns.filter(one => !one.startsWith('!')).map(one => globFilter(one, ''));
  const unwanted = patterns
    .filter(one => one.startsWith('!'))
    .map(one => globFilter(one.slice(1), ''));
  return paths.some(
    path =>
      (wanted.length === 0 || wanted.some(matches => matches(path))) &&
      !unwanted.some(matches => matches(path)),
  );
}
