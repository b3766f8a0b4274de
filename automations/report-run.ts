import { type Automation, pauseAutomation } from '../db/automations/automations.ts';
import { changesInPullRequest, failuresInARow, type Run } from '../db/automations/runs.ts';
import { OPERATOR, recordAudit } from '../db/audit/audit-log.ts';
import { transaction } from '../db/pool.ts';
import type { Project } from '../db/projects/projects.ts';
import { requireMayRead } from '../hosts/context-repositories.ts';
import { withMarked } from '../hosts/marked-text.ts';
import type { Change } from '../shared/jobs/automation.ts';
import { contextOf } from './changed-files.ts';
import type { AutomationDeps } from './deps.ts';
import { permitted } from './permitted.ts';
import { preparedLink, settlePreparation } from './preparations.ts';

/** So many failures in a row pause an automation. */
const MOST_FAILURES = 3;
const MARKER = 'docent-changes';

export interface ReportedRun {
  run: Run;
  automation: Automation;
  project: Project;
}

/** What people are told of a run that is done. Each of it may come twice. */
export async function reportRun(deps: AutomationDeps, reported: ReportedRun): Promise<void> {
  const { run } = reported;
  if (run.outcome === 'published' && run.prNumber !== null)
    await permitted(() => describePullRequest(deps, reported, run.prNumber!));
  if (run.cause.kind === 'change') {
    const { change } = run.cause;
    await permitted(() => commentOnChange(deps, reported, change));
    await permitted(() => settlePreparation(deps, run, change));
  }
  await pauseIfFailing(deps, reported);
}

/** Labels, reviewers, and the changes that the pull request is about. */
async function describePullRequest(
  deps: AutomationDeps,
  { automation, project, run }: ReportedRun,
  number: number,
): Promise<void> {
  const host = deps.hostFor(project);
  const runs = await changesInPullRequest(deps.pool, automation.id, number);
  const changes = runs.flatMap(({ cause }) => (cause.kind === 'change' ? [cause.change] : []));
  const names = [...new Set(changes.map(nameOf))]; // each push has a run
  const { body } = await host.getPullRequest(project, number);
  const text =
    names.length === 0 ? '' : `Docs for:\n\n${names.map(name => `- ${name}`).join('\n')}`;
  const described = withMarked(body, MARKER, text);
  if (described !== body.trimEnd())
    await host.updatePullRequest(project, number, { body: described });
  const author = run.cause.kind === 'change' ? run.cause.change.author : '';
  await host.decorate?.(project, number, {
    labels: automation.definition?.labels ?? [],
    reviewers: author === '' ? [] : [author],
  });
}

function nameOf({ repository, number, commit, url }: Change): string {
  const name = number === null ? `${repository}@${commit.slice(0, 10)}` : `${repository}#${number}`;
  return url === null ? name : `[${name}](${url})`;
}

/** One comment on the code's pull request, edited later. Nothing where no one asked a model. */
async function commentOnChange(
  deps: AutomationDeps,
  { automation, project, run }: ReportedRun,
  change: Change,
): Promise<void> {
  if (change.number === null) return;
  // A run that changes nothing leaves the docs that an earlier one opened for this.
  const left = run.outcome === 'unchanged' ? await preparedLink(deps, run, change) : undefined;
  const text = commentOf(left === undefined ? run : { ...run, outcome: 'published', prLink: left });
  if (text === undefined) return;
  const { host, repository } = change;
  const address = { host, repository };
  await requireMayRead(deps, project.organizationId, contextOf(change));
  await deps
    .hostFor(address)
    .commentOnce?.(address, change.number, `docent-${automation.id}`, text);
}

/**
 * Fixed sentences: a model may quote private pages in its reason, and the code's pull request may be
 * public. An agent that only asked has not said that nothing is needed.
 */
function commentOf({ outcome, prLink, judged, cause }: Run): string | undefined {
  const until = cause.kind === 'change' && cause.change.prepares ? ', a draft until the merge' : '';
  if (outcome === 'published' && prLink !== null)
    return `The docs change for this${until}: ${prLink}`;
  const isNone = outcome === 'no_action' ? judged : outcome === 'unchanged';
  return isNone ? 'No docs change needed.' : undefined;
}

/** One notice: the audit log and the automation's page, and no further run. */
async function pauseIfFailing(
  { pool }: AutomationDeps,
  { automation, project, run }: ReportedRun,
): Promise<void> {
  if (run.outcome !== 'failed') return;
  if ((await failuresInARow(pool, automation.id)) < MOST_FAILURES) return;
  const why = `Paused after ${MOST_FAILURES} failed runs in a row. ${run.reason ?? ''}`.trim();
  await transaction(pool, async tx => {
    if (!(await pauseAutomation(tx, automation.id, why))) return;
    await recordAudit(tx, project.organizationId, {
      action: 'automation.paused',
      actor: OPERATOR,
      subject: { kind: 'automation', id: automation.id, name: automation.name },
      details: { failures: MOST_FAILURES },
    });
  });
}
