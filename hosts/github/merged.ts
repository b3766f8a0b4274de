import type { Octokit } from '@octokit/rest';
import type { MergedPullRequest } from '../host.ts';
import { isMarked, marked } from '../marked-text.ts';
import type { GitHubClient } from './client.ts';
import { comparedCommits } from './commits.ts';
import { refusedWith } from './failures.ts';
import type { RepositoryName } from './site.ts';

const MOST = 100;
/** Pages of 100 that are looked through for what was merged since: all but what nobody has. */
const MOST_PAGES = 100;

/** Throws what Octokit throws, and where it cannot read as far back as `since`. */
export async function readMerged(
  octokit: Octokit,
  name: RepositoryName,
  base: string,
  since: Date,
): Promise<MergedPullRequest[]> {
  // GitHub's times are whole seconds.
  const from = Math.floor(since.getTime() / 1000) * 1000;
  const found: MergedPullRequest[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data } = await octokit.rest.pulls.list({
      ...name,
      base,
      state: 'closed',
      sort: 'updated',
      direction: 'desc',
      per_page: MOST,
      page,
    });
    for (const pull of data)
      if (pull.merged_at && Date.parse(pull.merged_at) >= from && pull.merge_commit_sha)
        found.push({
          number: pull.number,
          url: pull.html_url,
          title: pull.title,
          body: pull.body ?? '',
          author: pull.user?.login ?? '',
          labels: pull.labels.map(label => label.name),
          commit: pull.merge_commit_sha,
          from: null,
          mergedAt: pull.merged_at,
        });
    const oldest = data.at(-1);
    if (data.length < MOST || !oldest || Date.parse(oldest.updated_at) < from)
      return found.toSorted((a, b) => a.mergedAt.localeCompare(b.mergedAt)).slice(0, MOST);
  }
  throw new Error(
    `More than ${MOST * MOST_PAGES} pull requests have changed since ${since.toISOString()}.`,
  );
}

/**
 * The commit before a pull request whose commits were put onto its base one by one; null if it was
 * merged in one commit, which its parent shows. Throws `RepositoryError`.
 */
export async function beforeRebase(
  github: GitHubClient,
  repository: string,
  number: number,
  commit: string,
): Promise<string | null> {
  return await github.call(repository, async (octokit, name) => {
    const { data } = await octokit.rest.pulls.get({ ...name, pull_number: number });
    const own = await comparedCommits(octokit, name, commit, data.head.sha);
    if (own.length < 2) return null;
    const merged = await comparedCommits(octokit, name, data.head.sha, commit);
    const copies = merged.slice(-own.length);
    // A rebase keeps the message and the author's time of each.
    const isRebased =
      copies.at(-1)?.commit === commit &&
      own.every(
        ({ message, time }, at) => message === copies[at]?.message && time === copies[at]?.time,
      );
    return (isRebased && copies[0]?.parent) || null;
  });
}

/**
 * One comment, found again by its marker; what another person or App copied is left alone. Throws
 * `RepositoryError`.
 */
export async function commentOnce(
  github: GitHubClient,
  repository: string,
  number: number,
  { marker, text }: { marker: string; text: string },
): Promise<void> {
  const bot = await github.credentials.login?.();
  await github.call(repository, async (octokit, name) => {
    const login = bot ?? (await octokit.rest.users.getAuthenticated()).data.login;
    const onPull = { ...name, issue_number: number };
    const comments = await octokit.paginate(octokit.rest.issues.listComments, {
      ...onPull,
      per_page: 100,
    });
    const body = marked(marker, text);
    const own = comments.find(
      ({ body: said, user }) => isMarked(said ?? '', marker) && user?.login === login,
    );
    if (own?.body === body) return;
    if (own) await octokit.rest.issues.updateComment({ ...name, comment_id: own.id, body });
    else await octokit.rest.issues.createComment({ ...onPull, body });
  });
}

/** GitHub refuses reviewers who cannot be asked, and that does not fail the run. */
export async function decorate(
  octokit: Octokit,
  name: RepositoryName,
  number: number,
  { labels, reviewers }: { labels: readonly string[]; reviewers: readonly string[] },
): Promise<void> {
  if (labels.length > 0)
    await octokit.rest.issues.addLabels({ ...name, issue_number: number, labels: [...labels] });
  for (const reviewer of reviewers)
    await octokit.rest.pulls
      .requestReviewers({ ...name, pull_number: number, reviewers: [reviewer] })
      .catch((error: unknown) => {
        if (refusedWith(error, 422) === undefined) throw error;
      });
}
