/**
 * The contract between the built-in repository host (api/local-host) and its clients
 * (hosts/local/host.ts, `docent pr`): JSON under `/git/<name>`, beside git's own
 * `/git/<name>.git`, all with the same token.
 */
import { type Static, Type } from '@sinclair/typebox';
import { worded } from '../../shared/text/worded.ts';

const REPOSITORY_NAME = '^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$';
export const RepositoryName = worded(
  REPOSITORY_NAME,
  ' of 1 to 100 letters, digits, ., - and _, the first a letter or digit',
);

export function isRepositoryName(name: string): boolean {
  return new RegExp(REPOSITORY_NAME).test(name);
}

export const LocalRepository = Type.Object({
  name: Type.String(),
  /** The address that git clones. */
  url: Type.String(),
  defaultBranch: Type.String(),
  public: Type.Boolean(),
  archived: Type.Boolean(),
  /** No commit yet. */
  empty: Type.Boolean(),
  protectedBranches: Type.Array(Type.String()),
});
export type LocalRepository = Static<typeof LocalRepository>;

export const LocalBranch = Type.Object({ name: Type.String(), commit: Type.String() });
export type LocalBranch = Static<typeof LocalBranch>;

/** `/git/<name>?branch=main&branch=next`: those of them that exist. */
export const LocalRepositoryNow = Type.Composite([
  LocalRepository,
  Type.Object({ branches: Type.Array(LocalBranch) }),
]);
export type LocalRepositoryNow = Static<typeof LocalRepositoryNow>;

export const LocalPullRequest = Type.Object({
  number: Type.Integer(),
  /** The page that people open. */
  url: Type.String(),
  state: Type.Union([Type.Literal('open'), Type.Literal('merged'), Type.Literal('closed')]),
  draft: Type.Boolean(),
  title: Type.String(),
  body: Type.String(),
  head: Type.String(),
  base: Type.String(),
  headCommit: Type.String(),
});
export type LocalPullRequest = Static<typeof LocalPullRequest>;

/** `/git/<name>/merged?base=main&since=…`: oldest first, at most 100. */
export const LocalMerge = Type.Object({
  ...Type.Pick(LocalPullRequest, ['number', 'url', 'title', 'body']).properties,
  commit: Type.String(),
  from: Type.String(),
  mergedAt: Type.String(),
});
export type LocalMerge = Static<typeof LocalMerge>;

export const NewPullRequest = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 1_000 }),
  body: Type.String({ maxLength: 200_000 }),
  head: Type.String({ minLength: 1, maxLength: 255 }),
  base: Type.String({ minLength: 1, maxLength: 255 }),
  draft: Type.Boolean(),
  jobId: Type.Optional(Type.String()),
});
export type NewPullRequest = Static<typeof NewPullRequest>;

export const PullRequestChange = Type.Partial(
  Type.Pick(NewPullRequest, ['title', 'body', 'draft']),
);
export type PullRequestChange = Static<typeof PullRequestChange>;

export const MergeBase = Type.Object({ commit: Type.Union([Type.String(), Type.Null()]) });

/** A commit with one parent; `time` in Unix seconds. */
export const LocalCommit = Type.Object({
  commit: Type.String(),
  tree: Type.String(),
  parent: Type.String(),
  time: Type.Integer(),
  message: Type.String(),
});
export type LocalCommit = Static<typeof LocalCommit>;
