import { Context } from '@temporalio/activity';
import { docentNote } from '../shared/agent-text.ts';
import type { JobEvent } from '../shared/jobs/job.ts';
import { checkWorkspace } from './checks/check.ts';
import type { Finding } from './checks/finding.ts';
import type { ActivityDeps } from './deps.ts';
import { loadWorkspace } from './job-workspace.ts';
import { once, ownedJob, storedResult } from './once.ts';
import { undonePublications, unopenedPublications } from '../shared/db/jobs/publications.ts';
import { appendEntry } from '../shared/db/jobs/transcript.ts';
import type { Settled, SettleInput } from './types.ts';

const MAX_FINDINGS_TOLD = 30;

/**
 * The model stopped without `finish`. An answer that was cut or empty is asked for again; edits are
 * taken for done once they pass the checks; without edits, what it said is the outcome.
 */
export function createSettleTurn(deps: ActivityDeps) {
  return async function settleTurn(input: SettleInput): Promise<Settled> {
    const stored = await storedResult<Settled>(deps);
    if (stored) return stored;
    if (!input.workspaceHead) throw new Error('no workspace');
    const project = await ownedJob(deps, input);
    const { workspace } = await loadWorkspace(
      deps,
      project,
      input.workspaceHead,
      Context.current().cancellationSignal,
    );
    const edited = (await workspace.changes()).size > 0;
    const findings = edited
      ? (await checkWorkspace(workspace, { docsFolder: project.docs_folder })).filter(
          finding => finding.severity === 'error',
        )
      : [];
    const note = noteFor(input, findings);
    // Without edits too, what a rewind undid must go from the branch, and what an old run pushed
    // needs its pull request.
    const [undone, unopened] = await Promise.all([
      undonePublications(deps.pool, input.jobId, project.branch, input.workspaceHead),
      unopenedPublications(deps.pool, input.jobId, project.branch),
    ]);
    const publish = edited || undone.length > 0 || unopened.length > 0;

    return once<Omit<Settled, 'at'>>(deps, input, async tx => {
      const events: JobEvent[] =
        findings.length > 0
          ? [
              {
                type: 'checks',
                findings: findings.map(({ path, line, rule, message }) => ({
                  path,
                  line,
                  rule,
                  message,
                })),
                turn: input.turn,
              },
            ]
          : [];
      if (note === null)
        return {
          result: {
            transcriptHead: input.transcriptHead,
            workspaceHead: input.workspaceHead,
            next: publish ? 'publish' : 'rest',
          },
          events,
        };
      const transcriptHead = await appendEntry(tx, {
        jobId: input.jobId,
        parent: input.transcriptHead,
        kind: 'user',
        turn: input.turn,
        step: input.step,
        content: [{ type: 'text', text: docentNote(note) }],
      });
      return {
        result: { transcriptHead, workspaceHead: input.workspaceHead, next: 'again' },
        change: { transcript_head: transcriptHead },
        events,
      };
    });
  };
}

/** What the model is told, or null where the turn may end. */
function noteFor(input: SettleInput, findings: Finding[]): string | null {
  if (input.stopReason === 'max_tokens')
    return 'Your answer was cut off at the output limit. Go on, in smaller steps.';
  if (input.stopReason === 'pause_turn') return 'Go on.';
  if (input.stopReason === 'empty')
    return 'Your answer was empty. Carry out the instruction with the tools, or say why you cannot.';
  if (findings.length === 0 || input.mendRoundsLeft === 0) return null;
  const told = findings
    .slice(0, MAX_FINDINGS_TOLD)
    .map(
      finding =>
        `- ${finding.path}${finding.line === null ? '' : `:${finding.line}`} ${finding.message}`,
    );
  const more =
    findings.length > MAX_FINDINGS_TOLD
      ? `\n- and ${findings.length - MAX_FINDINGS_TOLD} more`
      : '';
  return `Your edits break the following. Mend it, then call finish.\n${told.join('\n')}${more}`;
}
