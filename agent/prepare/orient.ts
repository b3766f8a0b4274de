import { contextTokens } from '../../shared/models/known-models.ts';
import type { JobProject } from '../../db/jobs/job-project.ts';
import { readTranscript } from '../../db/jobs/transcript.ts';
import { projectFolder } from '../../sites/project-site.ts';
import type { Snapshot } from '../../shared/workspace.ts';
import type { ActivityDeps, Attempt } from '../deps.ts';
import { policyProject } from '../policy/policy-project.ts';
import type { PrepareInput } from '../../shared/jobs/activity-types.ts';
import { dateNote } from './notes.ts';
import { dateOf, readOrientation } from './orientation.ts';
import type { Start } from './plan.ts';
import { turnInstructions } from '../../db/jobs/instructions.ts';
import { asksForComments, quoteReviewComments } from '../../hosts/review-comments.ts';
import type { RepositoryAddress } from '../../hosts/host.ts';

/** The first history of a repository may be long in coming; a later job then has it. */
const HISTORY_TIMEOUT_MS = 20_000;
const COMMITS = 12;

/** What a turn begins with beside its files. */
export interface Told {
  /** For a model that has not been told, or not of this base. */
  orientation: string | null;
  /** On the pull request, if an instruction asks for them. */
  comments: string | null;
  /** The day that the model knows of from here on. */
  date: string;
  dateNotes: string[];
}

/** What earlier preparations have brought into the transcript is not told again. */
export async function whatToTell(
  deps: ActivityDeps,
  project: JobProject,
  { jobId, transcriptHead, turn }: PrepareInput,
  { start, snapshot }: { start: Start; snapshot: Snapshot },
  attempt: Attempt,
): Promise<Told> {
  const date = dateOf(attempt.dueAt);
  const entries = await readTranscript(deps.pool, transcriptHead);
  const isOriented = !start.overtaken && entries.some(({ meta }) => meta.orientation);
  const hasComments = entries.some(entry => entry.turn === turn && entry.meta.comments);
  const toldDate = entries.findLast(({ meta }) => meta.date)?.meta.date;
  return {
    orientation: isOriented ? null : await orient(deps, project, snapshot, attempt),
    comments: hasComments ? null : await commentsAskedFor(deps, project, jobId, turn),
    date,
    dateNotes: dateNote(toldDate, date),
  };
}

/** The orientation for a job that begins at a snapshot. */
async function orient(
  { config, hostFor }: ActivityDeps,
  project: JobProject,
  snapshot: Snapshot,
  { signal, log, dueAt }: Attempt,
): Promise<string> {
  const commits = await hostFor(project)
    .history(
      project,
      snapshot.commit,
      { kind: 'log', path: project.docsFolder, skip: 0, limit: COMMITS },
      AbortSignal.any([signal, AbortSignal.timeout(HISTORY_TIMEOUT_MS)]),
    )
    .then(
      ({ text }) => text,
      (error: unknown) => {
        if (signal.aborted) throw error;
        log.warn('the history is left out of the orientation', {
          error: error instanceof Error ? error.message : '',
        });
        return undefined;
      },
    );
  return readOrientation({
    now: dueAt,
    snapshot,
    baseRef: project.baseRef,
    folder: projectFolder(project),
    project: policyProject(project),
    contextTokens: contextTokens(config, project.model),
    commits,
    repositories: project.settings.contextRepositories ?? [],
  });
}

/**
 * What people who may write have said on the job's pull request, quoted for the transcript, where
 * an instruction of the turn asks for it; else null. For `prepare`, which may wait for the host.
 * Throws `RepositoryError`.
 */
export async function commentsAskedFor(
  deps: Pick<ActivityDeps, 'pool' | 'hostFor'>,
  address: RepositoryAddress,
  jobId: string,
  turn: number,
): Promise<string | null> {
  const host = deps.hostFor(address);
  if (!host.reviewComments) return null;
  const { prompts, pullRequest } = await turnInstructions(deps.pool, jobId, turn);
  if (pullRequest === null || !prompts.some(asksForComments)) return null;
  return quoteReviewComments(await host.reviewComments(address, pullRequest));
}
