import { Context } from '@temporalio/activity';
import { newId } from '../shared/ids.ts';
import { checkWorkspace } from './checks/check.ts';
import type { Finding } from './checks/finding.ts';
import type { ActivityDeps } from './deps.ts';
import type { PullRequest, RepositoryAddress, RepositoryHost } from './hosts/host.ts';
import { loadWorkspace } from './job-workspace.ts';
import { once, storedResult } from './once.ts';
import { neutralise, neutralisePlain } from './policy/neutralise.ts';
import { policyViolations } from './policy/policy.ts';
import { type JobProject, readJobProject } from './store/project.ts';
import { addPublication, type Publication, publishedTo, readPublication, setPublicationState } from './store/publications.ts';
import { readTranscript } from './store/transcript.ts';
import { publicationText } from './turn-text.ts';
import type { Opened, Planned, PlanInput, PublishInput, Pushed } from './types.ts';

/** Fixes everything of a publication before anything leaves: parent, tree, message, time, commit id, branch, title and body. */
export function createPlanPublish(deps: ActivityDeps) {
  return async function planPublish(input: PlanInput): Promise<Planned> {
    const stored = await storedResult<Planned>(deps);
    if (stored) return stored;
    if (!input.workspaceHead) throw new Error('no workspace');
    const signal = Context.current().cancellationSignal;
    const project = await readJobProject(deps.pool, input.jobId);
    const host = deps.hostFor(project);
    const { revision, workspace } = await loadWorkspace(deps, project, input.workspaceHead, signal);
    const changes = await workspace.changes();
    if (changes.size === 0) return once(deps, input, async () => ({ result: { outcome: 'nothing' as const } }));
    const [violations, findings, transcript, head] = await Promise.all([
      policyViolations(workspace, { docsFolder: project.docs_folder, allowMdxCode: project.settings.allowMdxCode ?? false }),
      checkWorkspace(workspace, { docsFolder: project.docs_folder }),
      readTranscript(deps.pool, input.transcriptHead),
      host.resolveBranch(project, project.branch),
    ]);
    if (violations.length > 0) {
      const reasons = violations.slice(0, 10).map(violation => `${violation.path}: ${violation.message}`);
      return once(deps, input, async () => ({ result: { outcome: 'refused' as const, reasons } }));
    }
    const text = publicationText(transcript, input.turn);
    const title = neutralisePlain(text.title).split('\n')[0]?.slice(0, 120).trim() || 'Update the docs';
    const body = neutralise(text.body) + findingsSection(findings);
    const plan = { parent: revision.base_commit, changes, message: `${title}\n\nDocent-Job: ${input.jobId}\n`, time: Math.floor(input.now / 1000) };
    const commit = await host.planCommit(project, plan);
    // What the branch was at when the turn was prepared; a branch that has moved since refuses the push.
    const expectedHead = head === null ? null : revision.base_commit;
    return once(deps, input, async (tx, row) => {
      const id = newId('pub');
      await addPublication(tx, {
        id, job_id: input.jobId, turn: input.turn, revision_id: revision.id, branch: project.branch, parent: plan.parent, expected_head: expectedHead,
        commit: commit.commit, tree: commit.tree, message: plan.message, author_time: plan.time, title, body, draft: row.as_draft,
      });
      return { result: { outcome: 'planned' as const, publicationId: id, branch: project.branch, title }, change: { title } };
    });
  };
}

/** Carries out the plan: the same commit however often it runs. */
export function createPush(deps: ActivityDeps) {
  return async function push(input: PublishInput): Promise<Pushed> {
    const stored = await storedResult<Pushed>(deps);
    if (stored) return stored;
    const signal = Context.current().cancellationSignal;
    const [project, publication] = await Promise.all([readJobProject(deps.pool, input.jobId), readPublication(deps.pool, input.publicationId)]);
    const { workspace } = await loadWorkspace(deps, project, publication.revision_id, signal);
    const plan = { parent: publication.parent, changes: await workspace.changes(), message: publication.message, time: publication.author_time };
    const pushed = await deps.hostFor(project).push(project, publication.branch, plan, publication.expected_head, signal);
    return once<Omit<Pushed, 'at'>>(deps, input, async tx => {
      await setPublicationState(tx, publication.id, 'pushed');
      return {
        result: { ref: publication.branch, commit: pushed.commit },
        change: { ref: publication.branch },
        events: [{ type: 'commit', commit: pushed.commit, branch: publication.branch, turn: input.turn }],
      };
    });
  };
}

/** Finds the job's open pull request or opens one, and reads it again: people may have merged or closed it meanwhile. */
export function createOpenPullRequest(deps: ActivityDeps) {
  return async function openPullRequest(input: PublishInput): Promise<Opened> {
    const stored = await storedResult<Opened>(deps);
    if (stored) return stored;
    const [project, publication] = await Promise.all([readJobProject(deps.pool, input.jobId), readPublication(deps.pool, input.publicationId)]);
    const host = deps.hostFor(project);
    const earlier = await publishedTo(deps.pool, input.jobId, publication.branch);
    const pullRequest = await findOrOpen(deps, host, project, publication, earlier);
    const overtaken = pullRequest.state === 'closed' || (pullRequest.state === 'merged' && pullRequest.headCommit !== publication.commit);
    return once<Omit<Opened, 'at'>>(deps, input, async tx => {
      if (overtaken) {
        // The commit is on the old branch, which nobody will merge: the next preparation brings the edits onto a new one.
        await setPublicationState(tx, publication.id, 'abandoned');
        return { result: { outcome: 'overtaken' as const } };
      }
      await setPublicationState(tx, publication.id, 'published', { number: pullRequest.number, link: pullRequest.url });
      return {
        result: { outcome: 'published' as const, prLink: pullRequest.url, prNumber: pullRequest.number, title: pullRequest.title },
        change: { pr_number: pullRequest.number, pr_link: pullRequest.url },
        events: [{ type: 'pull_request', prLink: pullRequest.url, title: pullRequest.title, state: earlier.length > 0 ? 'updated' : 'opened', turn: input.turn }],
      };
    }) as Promise<Opened>;
  };
}

async function findOrOpen(deps: ActivityDeps, host: RepositoryHost, project: JobProject, publication: Publication, earlier: Publication[]): Promise<PullRequest> {
  const address: RepositoryAddress = { host: project.host, repository: project.repository };
  const known = earlier.at(-1)?.pr_number ?? null;
  const found = known !== null ? await host.getPullRequest(address, known) : (await host.findPullRequests(address, publication.branch)).find(one => one.state === 'open');
  const body = bodyOf([...earlier, publication], footer(deps, project));
  if (!found) {
    return host.openPullRequest(address, { title: publication.title, body, head: publication.branch, base: project.base_ref, draft: publication.draft, jobId: project.job_id });
  }
  // What people have written into the body stays: only a body that is still ours is brought up to date.
  const untouched = earlier.length > 0 && found.body.trim() === bodyOf(earlier, footer(deps, project)).trim();
  if (found.state === 'open' && untouched) await host.updatePullRequest(address, found.number, { body });
  return host.getPullRequest(address, found.number);
}

/** One section a turn; the first has no heading, since the title is its own. */
function bodyOf(publications: Publication[], end: string): string {
  return publications.map((one, i) => (i === 0 ? one.body : `### ${one.title}\n\n${one.body}`)).join('\n\n').concat(`\n\n---\n${end}\n`);
}

function footer(deps: ActivityDeps, project: JobProject): string {
  return `Opened by Docent for [${project.job_id}](${deps.publicUrl}/dashboard/${project.organization}/${project.domain}/jobs/${project.job_id}).`;
}

function findingsSection(findings: Finding[]): string {
  if (findings.length === 0) return '';
  const lines = findings.slice(0, 30).map(finding => `- \`${finding.path}${finding.line === null ? '' : `:${finding.line}`}\` ${finding.severity}: ${neutralise(finding.message)}`);
  return `\n\n**Left by the checks**\n\n${lines.join('\n')}${findings.length > 30 ? `\n- and ${findings.length - 30} more` : ''}`;
}
