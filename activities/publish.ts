import { Context } from '@temporalio/activity';
import { newId } from '../shared/ids.ts';
import { redact } from '../shared/secrets/redact.ts';
import { checkWorkspace } from './checks/check.ts';
import type { Finding } from './checks/finding.ts';
import type { ActivityDeps } from './deps.ts';
import type { PullRequest, RepositoryAddress, RepositoryHost } from '../hosts/host.ts';
import { loadWorkspace } from './job-workspace.ts';
import { once, ownedJob, storedResult } from './once.ts';
import { neutralise, neutralisePlain } from './policy/neutralise.ts';
import { policyViolations } from './policy/policy.ts';
import type { JobProject } from '../shared/db/jobs/job-project.ts';
import {
  addPublication,
  lastShown,
  type Publication,
  readPublication,
  sectionsOf,
  setPublicationState,
  undonePublications,
  unopenedPublications,
} from '../shared/db/jobs/publications.ts';
import { readTranscript } from '../shared/db/jobs/transcript.ts';
import type { Revision } from '../shared/db/jobs/workspace-revisions.ts';
import { publicationText } from './turn-text.ts';
import type { Opened, Planned, PlanInput, PublishInput, Pushed } from './types.ts';

/** Of a pull request's text without its footer: GitHub takes 65,536 characters in all. */
const MAX_BODY = 64_000;

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/**
 * Fixes everything of a publication before anything leaves: parent, tree, message, time, commit id,
 * branch, title and body.
 */
export function createPlanPublish(deps: ActivityDeps) {
  return async function planPublish(input: PlanInput): Promise<Planned> {
    const stored = await storedResult<Planned>(deps);
    if (stored) return stored;
    if (!input.workspaceHead) throw new Error('no workspace');
    const signal = Context.current().cancellationSignal;
    const project = await ownedJob(deps, input);
    const host = deps.hostFor(project);
    const { revision, workspace } = await loadWorkspace(deps, project, input.workspaceHead, signal);
    const [changes, head] = await Promise.all([
      workspace.changes(),
      host.resolveBranch(project, project.branch),
    ]);
    // The branch is not what this turn was prepared on: people pushed, or a rewind left commits of
    // ours upon it.
    const moved =
      input.branch !== project.branch || (head !== null && head !== revision.base_commit);
    if (changes.size === 0) {
      const planned = await planWithoutChanges(deps, host, project, { revision, moved });
      return once(deps, input, async () => ({ result: planned }));
    }
    const [violations, findings, transcript] = await Promise.all([
      policyViolations(workspace, {
        docsFolder: project.docsFolder,
        allowMdxCode: project.settings.allowMdxCode ?? false,
      }),
      checkWorkspace(workspace, { docsFolder: project.docsFolder }),
      readTranscript(deps.pool, input.transcriptHead),
    ]);
    if (moved) return once(deps, input, async () => ({ result: { outcome: 'moved' as const } }));
    if (violations.length > 0) {
      const reasons = violations
        .slice(0, 10)
        .map(violation => `${violation.path}: ${violation.message}`);
      return once(deps, input, async () => ({ result: { outcome: 'refused' as const, reasons } }));
    }
    const text = publicationText(transcript, input.turn);
    const title =
      redact(neutralisePlain(text.title)).split('\n')[0]?.slice(0, 120).trim() || 'Update the docs';
    const body = redact(neutralise(text.body)) + findingsSection(findings);
    const plan = {
      parent: revision.base_commit,
      changes,
      message: `${title}\n\nDocent-Job: ${input.jobId}\n`,
      time: Math.floor(input.now / 1000),
    };
    const commit = await host.planCommit(project, plan);
    return once(deps, input, async (tx, row) => {
      const id = newId('pub');
      await addPublication(tx, {
        id,
        job_id: input.jobId,
        turn: input.turn,
        revision_id: revision.id,
        branch: project.branch,
        parent: plan.parent,
        expected_head: head,
        commit: commit.commit,
        tree: commit.tree,
        message: plan.message,
        author_time: plan.time,
        title,
        body,
        draft: row.asDraft,
      });
      return {
        result: { outcome: 'planned' as const, publicationId: id, branch: project.branch, title },
        ...(row.title === null && { change: { title } }),
      };
    });
  };
}

/**
 * Nothing to add. But what a rewind undid must go from the branch, and what an old run pushed may
 * lack its pull request.
 */
async function planWithoutChanges(
  deps: ActivityDeps,
  host: RepositoryHost,
  project: JobProject,
  { revision, moved }: { revision: Revision; moved: boolean },
): Promise<Unstamped<Planned>> {
  const { jobId, branch } = project;
  const unopened = await unopenedPublications(deps.pool, jobId, branch);
  if (moved)
    return {
      outcome:
        unopened.length > 0 ||
        (await undonePublications(deps.pool, jobId, branch, revision.id)).length > 0
          ? 'moved'
          : 'nothing',
    };
  for (const { id, commit, title } of unopened) {
    if (await isIn(host, project, commit, revision.base_commit))
      return { outcome: 'planned', publicationId: id, branch, title };
  }
  return { outcome: 'nothing' };
}

async function isIn(
  host: RepositoryHost,
  project: JobProject,
  commit: string,
  head: string | null,
): Promise<boolean> {
  return head !== null && (await host.mergeBase(project, head, commit)) === commit;
}

/** Carries out the plan: the same commit however often it runs. */
export function createPush(deps: ActivityDeps) {
  return async function push(input: PublishInput): Promise<Pushed> {
    const stored = await storedResult<Pushed>(deps);
    if (stored) return stored;
    const signal = Context.current().cancellationSignal;
    const [project, publication] = await Promise.all([
      ownedJob(deps, input),
      readPublication(deps.pool, input.publicationId),
    ]);
    const { workspace } = await loadWorkspace(deps, project, publication.revision_id, signal);
    const plan = {
      parent: publication.parent,
      changes: await workspace.changes(),
      message: publication.message,
      time: publication.author_time,
    };
    const host = deps.hostFor(project);
    await host
      .push(project, publication.branch, plan, publication.expected_head, signal)
      .catch(async (error: unknown) => {
        // Pushed before, by an attempt that did not live to say so; and somebody else has pushed on
        // top.
        const there = await host
          .resolveBranch(project, publication.branch)
          .then(head => isIn(host, project, publication.commit, head))
          .catch(() => false);
        if (!there) throw error;
      });
    return once<Omit<Pushed, 'at'>>(deps, input, async tx => {
      await setPublicationState(tx, publication.id, 'pushed');
      return {
        result: { ref: publication.branch, commit: publication.commit },
        change: { ref: publication.branch },
        events: [
          {
            type: 'commit',
            commit: publication.commit,
            branch: publication.branch,
            turn: input.turn,
          },
        ],
      };
    });
  };
}

/**
 * Finds the job's open pull request as it is after the push, or opens one: people may have merged
 * or closed it meanwhile.
 */
export function createOpenPullRequest(deps: ActivityDeps) {
  return async function openPullRequest(input: PublishInput): Promise<Opened> {
    const stored = await storedResult<Opened>(deps);
    if (stored) return stored;
    const [project, publication] = await Promise.all([
      ownedJob(deps, input),
      readPublication(deps.pool, input.publicationId),
    ]);
    const host = deps.hostFor(project);
    const shown = await lastShown(deps.pool, input.jobId, publication.branch, publication.id);
    const pullRequest = await findOrOpen(deps, host, project, publication, shown);
    const overtaken =
      pullRequest.state === 'closed' ||
      (pullRequest.state === 'merged' && pullRequest.headCommit !== publication.commit);
    return once<Omit<Opened, 'at'>>(deps, input, async tx => {
      if (overtaken) {
        // The commit is on the old branch, which nobody will merge: the next preparation brings the
        // edits onto a new one.
        await setPublicationState(tx, publication.id, 'abandoned');
        return { result: { outcome: 'overtaken' as const } };
      }
      await setPublicationState(tx, publication.id, 'published', {
        number: pullRequest.number,
        link: pullRequest.url,
      });
      return {
        result: {
          outcome: 'published' as const,
          prLink: pullRequest.url,
          prNumber: pullRequest.number,
          title: pullRequest.title,
        },
        change: {
          title: pullRequest.title,
          prNumber: pullRequest.number,
          prLink: pullRequest.url,
        },
        events: [
          {
            type: 'pull_request',
            prLink: pullRequest.url,
            title: pullRequest.title,
            state: shown ? 'updated' : 'opened',
            turn: input.turn,
          },
        ],
      };
    }) as Promise<Opened>;
  };
}

/** `shown`: what the pull request was last written for. */
async function findOrOpen(
  deps: ActivityDeps,
  host: RepositoryHost,
  project: JobProject,
  publication: Publication,
  shown: Publication | undefined,
): Promise<PullRequest> {
  const address: RepositoryAddress = { host: project.host, repository: project.repository };
  const found =
    shown?.pr_number != null
      ? await host.getPullRequest(address, shown.pr_number)
      : (await host.findPullRequests(address, publication.branch)).find(
          one => one.state === 'open',
        );
  const now = await pullRequestText(deps, project, publication);
  const pullRequest =
    found ??
    (await host.openPullRequest(address, {
      ...now,
      head: publication.branch,
      base: project.baseRef,
      draft: publication.draft,
      jobId: project.jobId,
    }));
  if (pullRequest.state !== 'open') return pullRequest;
  // What people have written stays: only a title or body that is still ours is brought up to date.
  // Where none of ours is known to be shown, it may be that of an old run, whose last request came
  // through after the rewind.
  const ours = shown
    ? [shown]
    : await unopenedPublications(deps.pool, project.jobId, publication.branch);
  const before = await Promise.all(ours.map(one => pullRequestText(deps, project, one)));
  const isOurs = (what: 'title' | 'body') =>
    pullRequest[what].trim() !== now[what].trim() &&
    before.some(text => text[what].trim() === pullRequest[what].trim());
  const change = {
    ...(isOurs('title') && { title: now.title }),
    ...(isOurs('body') && { body: now.body }),
  };
  return Object.keys(change).length > 0
    ? host.updatePullRequest(address, pullRequest.number, change)
    : pullRequest;
}

/**
 * The first publication's title; one section a publication, the first without a heading, since the
 * title is its own. What a model closes every turn with is said once.
 */
async function pullRequestText(
  deps: ActivityDeps,
  project: JobProject,
  publication: Publication,
): Promise<{ title: string; body: string }> {
  const sections = await sectionsOf(deps.pool, publication);
  const text = sections
    .map(({ title, body }, i) => {
      const closing = closingOf(body);
      const isSaid =
        closing !== undefined &&
        sections.slice(0, i).some(before => closingOf(before.body) === closing);
      const own = isSaid ? body.trim().slice(0, -closing.length).trim() : body;
      return i === 0 ? own : `### ${title}\n\n${own}`;
    })
    .join('\n\n');
  return {
    title: sections[0]?.title ?? publication.title,
    body: `${cutBody(text)}\n\n---\n${footer(deps, project)}\n`,
  };
}

/** A cut may leave code open, and half a character. */
function cutBody(text: string): string {
  return text.length <= MAX_BODY
    ? text
    : `${neutralise(text.slice(0, MAX_BODY).replace(/[\uD800-\uDBFF]$/, '')).trimEnd()}\n\n(cut: the text was too long)`;
}

/** A last paragraph of one line, such as a signature, after others. */
function closingOf(body: string): string | undefined {
  return /(?<=\n\n)\p{L}.*$/u.exec(body.trim())?.[0];
}

function footer(deps: ActivityDeps, project: JobProject): string {
  return `Opened by Docent for [${project.jobId}](${deps.publicUrl}/dashboard/${project.organization}/${project.domain}/jobs/${project.jobId}).`;
}

function findingsSection(findings: Finding[]): string {
  if (findings.length === 0) return '';
  const lines = findings
    .slice(0, 30)
    .map(
      finding =>
        `- \`${finding.path}${finding.line === null ? '' : `:${finding.line}`}\` ${finding.severity}: ${neutralise(finding.message)}`,
    );
  return `\n\n**Left by the checks**\n\n${lines.join('\n')}${findings.length > 30 ? `\n- and ${findings.length - 30} more` : ''}`;
}
