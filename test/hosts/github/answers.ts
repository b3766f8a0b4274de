import type { components } from '@octokit/openapi-types';
import type { Comment, Installation, Pull, Repository, Token } from './state.ts';

type Schemas = components['schemas'];
/**
 * A part of one of GitHub's published schemas: the type-checker compares what the stand-in answers
 * with them.
 */
type Part<S extends keyof Schemas, K extends keyof Schemas[S]> = Pick<Schemas[S], K>;

export function repositoryAnswer(repository: Repository, web: string, push: boolean) {
  const { id, owner, name, archived, disabled, defaultBranch } = repository;
  const login: Part<'simple-user', 'login' | 'type'> = { login: owner, type: 'Organization' };
  const fields: Part<
    'full-repository',
    | 'id'
    | 'name'
    | 'full_name'
    | 'html_url'
    | 'default_branch'
    | 'archived'
    | 'disabled'
    | 'private'
    | 'permissions'
  > = {
    id,
    name,
    full_name: `${owner}/${name}`,
    html_url: `${web}/${owner}/${name}`,
    default_branch: defaultBranch,
    archived,
    disabled,
    private: true,
    permissions: { admin: false, maintain: false, push, triage: push, pull: true },
  };
  return { ...fields, owner: login };
}

/** As lists have it: one by itself tells more. */
export function branchAnswer(repository: Repository, name: string, sha: string) {
  const fields: Part<'short-branch', 'name' | 'protected'> = {
    name,
    protected: repository.protectedBranches.includes(name),
  };
  return { ...fields, commit: { sha } };
}

/** As lists have it: by itself it also tells whether it is `merged`. */
export function pullAnswer(repository: Repository, pull: Pull, sha: string, web: string) {
  const fields: Part<
    'pull-request-simple',
    | 'number'
    | 'node_id'
    | 'updated_at'
    | 'html_url'
    | 'state'
    | 'title'
    | 'body'
    | 'draft'
    | 'merged_at'
    | 'merge_commit_sha'
  > = {
    number: pull.number,
    node_id: `PR_${repository.id}_${pull.number}`,
    updated_at: pull.updatedAt ?? new Date().toISOString(),
    html_url: `${web}/${repository.owner}/${repository.name}/pull/${pull.number}`,
    state: pull.state,
    title: pull.title,
    body: pull.body,
    draft: pull.draft,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommit,
  };
  const repo = { id: repository.id, full_name: `${repository.owner}/${repository.name}` };
  return {
    ...fields,
    user: { login: pull.author, type: 'User' },
    labels: pull.labels.map(name => ({ name })),
    head: { ref: pull.head, sha, repo: pull.fork ? { ...repo, id: repo.id + 100_000 } : repo },
    base: { ref: pull.base, sha: '', repo },
  };
}

export function installationAnswer(installation: Installation) {
  const fields: Part<'installation', 'id' | 'suspended_at' | 'permissions'> = {
    id: installation.id,
    suspended_at: installation.suspended ? '2026-01-01T00:00:00Z' : null,
    permissions: installation.permissions,
  };
  return { ...fields, account: { login: installation.account, type: 'Organization' } };
}

export function tokenAnswer(token: Token, repositories: { id: number; name: string }[]) {
  const fields: Part<'installation-token', 'token' | 'expires_at' | 'permissions'> = {
    token: token.value,
    expires_at: new Date(token.expiresAt).toISOString(),
    permissions: token.permissions,
  };
  return {
    ...fields,
    repositories: repositories.map(({ id, name }) => ({ id, name })),
    repository_selection: 'selected' as const,
  };
}

export function permissionAnswer(
  role: string,
): Part<'repository-collaborator-permission', 'permission' | 'role_name' | 'user'> {
  return {
    permission: role === 'maintain' ? 'write' : role === 'triage' ? 'read' : role,
    role_name: role,
    user: null,
  };
}

export function commentAnswer(comment: Comment) {
  const user: Part<'simple-user', 'login' | 'type'> = {
    login: comment.login,
    type: comment.bot ? 'Bot' : 'User',
  };
  const line: Part<'pull-request-review-comment', 'id' | 'body' | 'created_at'> = {
    id: comment.id,
    body: comment.body,
    created_at: comment.at,
  };
  if (comment.kind === 'review')
    return {
      id: comment.id,
      body: comment.body,
      user,
      state: 'COMMENTED',
      submitted_at: comment.at,
    };
  return {
    ...line,
    user,
    ...(comment.kind === 'line' && { path: comment.path, line: comment.line }),
  };
}
