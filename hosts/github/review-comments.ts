import type { Octokit } from '@octokit/rest';
import type { ReviewComment } from '../review-comments.ts';
import type { GitHubClient } from './client.ts';
import type { RepositoryName } from './site.ts';

/**
 * Roles by which GitHub says that a person may write; a contributor's pull request alone does not
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
    const said = await readAll(octokit, name, number);
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

interface Comment extends Omit<ReviewComment, 'author' | 'text'> {
  user: { login: string; type: string } | null;
  text?: string | null | undefined;
}

/** What people said, in GitHub's three ways. */
async function readAll(octokit: Octokit, name: RepositoryName, number: number): Promise<Comment[]> {
  const ofPull = { ...name, pull_number: number, per_page: 100 };
  const [comments, onLines, reviews] = await Promise.all([
    octokit.paginate(octokit.rest.issues.listComments, {
      ...name,
      issue_number: number,
      per_page: 100,
    }),
    octokit.paginate(octokit.rest.pulls.listReviewComments, ofPull),
    octokit.paginate(octokit.rest.pulls.listReviews, ofPull),
  ]);
  const nowhere = { path: null, line: null };
  const said: Comment[] = [
    ...comments.map(({ user, body: text, created_at: createdAt }) => ({
      user,
      text,
      ...nowhere,
      createdAt,
    })),
    ...onLines.map(each => ({
      user: each.user,
      text: each.body,
      path: each.path,
      line: each.line ?? each.original_line ?? null,
      createdAt: each.created_at,
    })),
    ...reviews.map(({ user, body: text, submitted_at: createdAt = '' }) => ({
      user,
      text,
      ...nowhere,
      createdAt,
    })),
  ];
  return said.filter(({ user, text }) => user?.type === 'User' && text?.trim());
}

async function writes(octokit: Octokit, name: RepositoryName, login: string): Promise<boolean> {
  const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({
    ...name,
    username: login,
  });
  return WRITERS.has(data.role_name) || WRITERS.has(data.permission);
}
