import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Problem } from '../../shared/errors.ts';
import {
  DeploymentStatusEvent,
  deployedPreview,
  StatusEvent,
  statusPreview,
} from './previews/preview.ts';
import type { DeliveredRepository, DeliveredUser, News, Preview, Said } from '../webhook.ts';

/** Of GitHub's deliveries, what is read. Everything else in them is ignored. */
const Repository = Type.Object({ id: Type.Integer(), full_name: Type.String() });
const User = Type.Object({ login: Type.String(), type: Type.String() });

const Push = Type.Object({ ref: Type.String(), repository: Repository });

const PullRequestEvent = Type.Object({
  action: Type.String(),
  repository: Repository,
  pull_request: Type.Object({
    number: Type.Integer(),
    state: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
    merged: Type.Boolean(),
    updated_at: Type.String(),
    labels: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
  }),
});

const text = Type.Union([Type.String(), Type.Null()]);
const IssueComment = Type.Object({
  action: Type.String(),
  repository: Repository,
  sender: User,
  issue: Type.Object({ number: Type.Integer(), pull_request: Type.Optional(Type.Object({})) }),
  comment: Type.Object({ id: Type.Integer(), body: text, user: User, created_at: Type.String() }),
});
const LineComment = Type.Object({
  action: Type.String(),
  repository: Repository,
  sender: User,
  pull_request: Type.Object({ number: Type.Integer() }),
  comment: Type.Object({
    id: Type.Integer(),
    body: text,
    user: User,
    created_at: Type.String(),
    path: Type.String(),
    line: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  }),
});
const Review = Type.Object({
  action: Type.String(),
  repository: Repository,
  sender: User,
  pull_request: Type.Object({ number: Type.Integer() }),
  review: Type.Object({ id: Type.Integer(), body: text, user: User, submitted_at: Type.String() }),
});

/**
 * What of a delivery concerns us; undefined: nothing. Throws 400 where it lacks what its kind of
 * event has.
 */
export function newsOf(event: string, payload: unknown): News | undefined {
  switch (event) {
    case 'push':
      return fromPush(read(Push, payload));
    case 'pull_request':
      return fromPullRequest(read(PullRequestEvent, payload));
    case 'issue_comment':
      return fromIssueComment(read(IssueComment, payload));
    case 'pull_request_review_comment':
      return fromLineComment(read(LineComment, payload));
    case 'pull_request_review':
      return fromReview(read(Review, payload));
    case 'deployment_status':
      return kept(deployedPreview(read(DeploymentStatusEvent, payload)));
    case 'status':
      return kept(statusPreview(read(StatusEvent, payload)));
    default:
      return undefined;
  }
}

function fromPush({ ref, repository }: Static<typeof Push>): News | undefined {
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  return branch === undefined
    ? undefined
    : { kind: 'pushed', repository: plain(repository), branch };
}

function fromPullRequest({
  repository,
  pull_request: pull,
}: Static<typeof PullRequestEvent>): News {
  return {
    kind: 'pull_request',
    repository: plain(repository),
    number: pull.number,
    state: pull.merged ? 'merged' : pull.state,
    at: pull.updated_at,
    ...(pull.labels?.length && { labels: pull.labels.map(({ name }) => name) }),
  };
}

function fromIssueComment({
  action,
  issue,
  comment,
  repository,
  sender,
}: Static<typeof IssueComment>): Said | undefined {
  return action === 'created' && issue.pull_request
    ? said('comment', { ...comment, at: comment.created_at }, issue.number, repository, sender)
    : undefined;
}

function fromLineComment({
  action,
  pull_request: pull,
  comment,
  repository,
  sender,
}: Static<typeof LineComment>): Said | undefined {
  if (action !== 'created') return undefined;
  return {
    ...said('line', { ...comment, at: comment.created_at }, pull.number, repository, sender),
    path: comment.path,
    line: comment.line ?? null,
  };
}

function fromReview({
  action,
  pull_request: pull,
  review,
  repository,
  sender,
}: Static<typeof Review>): Said | undefined {
  return action === 'submitted'
    ? said('review', { ...review, at: review.submitted_at }, pull.number, repository, sender)
    : undefined;
}

function said(
  way: string,
  { id, body, user, at }: Omit<Static<typeof Review>['review'], 'submitted_at'> & { at: string },
  pullRequest: number,
  repository: DeliveredRepository,
  sender: DeliveredUser,
): Said {
  const who = ({ login, type }: DeliveredUser): DeliveredUser => ({ login, type });
  return {
    kind: 'said',
    id: `${way} ${id}`,
    repository: plain(repository),
    pullRequest,
    user: who(user),
    sender: who(sender),
    text: (body ?? '').replaceAll('\0', '\ufffd'),
    at,
    path: null,
    line: null,
  };
}

function kept(preview: Preview | undefined): Preview | undefined {
  return preview && { ...preview, repository: plain(preview.repository) };
}

/** Without the hundred members that are not read, since it is kept. */
function plain({ id, full_name }: DeliveredRepository): DeliveredRepository {
  return { id, full_name };
}

function read<S extends TSchema>(schema: S, payload: unknown): Static<S> {
  if (Value.Check(schema, payload)) return payload;
  throw new Problem('invalid_request', 'The delivery lacks members that this event requires.');
}
