import type { Octokit } from '@octokit/rest';
import type { ReviewComment } from '../review-comments.ts';
import type { GitHubClient } from './client.ts';
import type { RepositoryName } from './site.ts';

/**
 * Roles by which GitHub says that somebody may write; a contributor's pull request alone does not
 * make one.
 */
const WRITERS = new Set(['admin', 'maintain', 'write']);
const MOST_COMMENTS = 100;
const LONGEST_TEXT = 4_000;

/** Whether a person may write to the repository. Throws `RepositoryError`. */
export async function mayWrite(
  github: GitHubClient,
  repository: string,
  login: string,
): Promise<boolean> {
  return await github.call(repository, (octokit, name) => writes(octokit, name, login));
}

/**
 * Comments, line comments and reviews on a pull request by people who may write, oldest first;
 * bots' are left out. Throws `RepositoryError`.
 */
export async function readReviewComments(
  github: GitHubClient,
  repository: string,
  number: number,
): Promise<ReviewComment[]> {
  return await github.call(repository, async (octokit, name) => {
    const [comments, onLines, reviews] = await Promise.all([
      octokit.paginate(octokit.rest.issues.listComments, {
        ...name,
        issue_number: number,
        per_page: 100,
      }),
      octokit.paginate(octokit.rest.pulls.listReviewComments, {
        ...name,
        pull_number: number,
        per_page: 100,
      }),
      octokit.paginate(octokit.rest.pulls.listReviews, {
        ...name,
        pull_number: number,
        per_page: 100,
      }),
    ]);
    const said = [
      ...comments.map(each => ({
        user: each.user,
        text: each.body,
        path: null,
        line: null,
        createdAt: each.created_at,
      })),
      ...onLines.map(each => ({
        user: each.user,
        text: each.body,
        path: each.path,
        line: each.line ?? each.original_line ?? null,
        createdAt: each.created_at,
      })),
      ...reviews.map(each => ({
        user: each.user,
        text: each.body,
        path: null,
        line: null,
        createdAt: each.submitted_at ?? '',
      })),
    ].filter(({ user, text }) => user?.type === 'User' && text?.trim());
    const logins = [...new Set(said.map(each => each.user?.login ?? ''))];
    const allowed = new Map(
      await Promise.all(
        logins.map(async login => [login, await writes(octokit, name, login)] as const),
      ),
    );
    return said
      .filter(({ user }) => user && allowed.get(user.login))
      .map(({ user, text, ...where }) => ({
        author: user?.login ?? '',
        text: (text ?? '').slice(0, LONGEST_TEXT),
        ...where,
      }))
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
      .slice(-MOST_COMMENTS);
  });
}

async function writes(octokit: Octokit, name: RepositoryName, login: string): Promise<boolean> {
  const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({
    ...name,
    username: login,
  });
  return WRITERS.has(data.role_name) || WRITERS.has(data.permission);
}
