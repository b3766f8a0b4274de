import { jobCommits, newPublication, publicationState } from '../../db/jobs/publications.ts';
import { holdJob, noteFoundPullRequest } from '../../db/jobs/found-work.ts';
import type { JobProject } from '../../db/jobs/job-project.ts';
import { addRevision, storeBlobs } from '../../db/jobs/workspace-revisions.ts';
import { transaction } from '../../db/pool.ts';
import { execute } from '../../db/statement-part.ts';
import { newId } from '../../shared/ids.ts';
import { jobOfCommit } from '../../shared/jobs/job-trailer.ts';
import type { HostedCommit, PullRequest } from '../../hosts/host.ts';
import type { ActivityDeps, Attempt } from '../deps.ts';
import { type EditedFiles, editedFiles } from '../job-workspace.ts';
import { openWorkspace } from '../workspace.ts';
import type { PrepareInput } from '../../shared/jobs/activity-types.ts';
import type { ReadHeads } from './read-facts.ts';

/**
 * Records the commits of this job that its branch has and our rows do not, with their pull request:
 * Postgres was restored from a backup, and the host is newer. Whose they are is proven by the
 * trailer with the job's id, and by their bytes, which are those that Docent writes. From then on
 * they are publications like those of a run that was rewound: what they changed is taken back if
 * the turn does it again, and their pull request is this job's. True if there are some that the
 * heads do not know.
 */
export async function adoptCommits(
  deps: ActivityDeps,
  { turn }: PrepareInput,
  project: JobProject,
  { branch, base, head, planned }: ReadHeads,
  { signal, log }: Pick<Attempt, 'signal' | 'log'>,
): Promise<boolean> {
  if (head === null || base === null || head === base) return false;
  const known = await jobCommits(deps.pool, project.jobId);
  // Another attempt has adopted them since the heads were read.
  const isNewer = known.length > planned;
  if (known.includes(head)) return isNewer;
  const host = deps.hostFor(project);
  const { commitAuthor } = project.settings;
  const authors = commitAuthor ? [commitAuthor] : [];
  const lost = (await host.ownCommits(project, base, head, authors)).filter(
    ({ commit, message }) => !known.includes(commit) && jobOfCommit(message) === project.jobId,
  );
  if (lost.length === 0) return isNewer;
  const pulls = await host.findPullRequests(project, branch);
  const pull = pulls.find(({ state }) => state === 'open') ?? pulls[0];
  // One transaction each: their order is that of their times.
  for (const commit of lost) {
    const edits = await editsOf(deps, project, commit, signal);
    await adopt(deps, project, { commit, edits, turn, branch, pull });
  }
  log.warn('commits of the job were found on its branch', {
    jobId: project.jobId,
    commits: lost.map(({ commit }) => commit),
  });
  return true;
}

/** What a commit changed in the one before it. */
async function editsOf(
  deps: ActivityDeps,
  project: JobProject,
  { commit, parent }: HostedCommit,
  signal: AbortSignal,
): Promise<EditedFiles> {
  const host = deps.hostFor(project);
  const [before, after] = await Promise.all([
    host.snapshot(project, parent, signal),
    host.snapshot(project, commit, signal),
  ]);
  const edits = new Map<string, Buffer | null>();
  for (const path of new Set([...before.entries.keys(), ...after.entries.keys()]))
    if (before.entries.get(path)?.id !== after.entries.get(path)?.id)
      edits.set(path, (await after.read(path)) ?? null);
  const none = { id: '', base_commit: parent, files: {}, touched: {} };
  return editedFiles(openWorkspace(before, edits), none);
}

interface Adopted {
  commit: HostedCommit;
  edits: EditedFiles;
  turn: number;
  branch: string;
  pull: PullRequest | undefined;
}

async function adopt(
  deps: ActivityDeps,
  { jobId, runId }: JobProject,
  { commit: found, edits, turn, branch, pull }: Adopted,
): Promise<void> {
  await transaction(deps.pool, async tx => {
    // Another attempt may have been quicker, or another run have taken the job over.
    if (!(await holdJob(tx, jobId, runId))) return;
    if ((await jobCommits(tx, jobId)).includes(found.commit)) return;
    await storeBlobs(tx, jobId, edits.blobs);
    const revision_id = await addRevision(tx, jobId, null, {
      base_commit: found.parent,
      files: edits.files,
      touched: edits.touched,
    });
    const { parent, commit, tree, message, time: author_time, author = null } = found;
    const id = newId('pub');
    const adopted = newPublication({
      ...{
        id,
        job_id: jobId,
        turn,
        revision_id,
        branch,
        parent,
        commit,
        tree,
        author_time,
        author,
      },
      message: `${message.trimEnd()}\n`,
      expected_head: parent,
      title: message.split('\n')[0] ?? '',
      body: '',
      findings: null,
      draft: pull?.draft ?? false,
    });
    await execute(tx, adopted);
    const shown = pull && { number: pull.number, link: pull.url };
    await execute(tx, publicationState(id, pull ? 'published' : 'pushed', shown));
    await noteFoundPullRequest(tx, jobId, branch, pull);
  });
}
