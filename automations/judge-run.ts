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
  if (run.cause.kind !== 'change') return unjudged(true, '');
  const { change } = run.cause;
  if (change.labels.includes(SKIP_LABEL))
    return unjudged(false, `The change has the label "${SKIP_LABEL}".`);
  const files = await readChangedFiles(deps, project, change, attempt.signal);
  // Of a diff that is cut, not every path is known.
  if (!files.isCut && definition.paths.length > 0 && !touches(files.paths, definition.paths))
    return unjudged(false, `No changed file matches ${definition.paths.join(', ')}.`);
  if (isOffline(deps.config)) return unjudged(true, 'Not judged: the offline model cannot.');
  // The run that spends what is left is held back by its brake, with its reason.
  const { costMicroUsd } = await useOfProject(deps.pool, project.id);
  if (costMicroUsd >= deps.config.AUTOMATION_MONTHLY_COST_LIMIT_USD * 1e6)
    return unjudged(true, '');
  const most = deps.config.AUTOMATION_MAX_CHECKS_PER_HOUR;
  const taken = { runId: run.id, projectId: project.id, most };
  const freeInSeconds = await takeCheck(deps.pool, taken);
  if (freeInSeconds !== null) {
    const waitedMs = Date.now() - run.createdAt.getTime();
    return { held: checkBrake(deps.config, freeInSeconds, waitedMs) };
  }
  const jobId = await deps.standingJob(automation.id);
  const asked = { project, definition, change, files, jobId };
  return { ...(await askGate(deps, asked, attempt)), byModel: true };
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
