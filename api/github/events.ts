import { type Static, Type } from '@sinclair/typebox';

/** Of GitHub's deliveries, what is read. Everything else in them is ignored. */
const Repository = Type.Object({ full_name: Type.String() });
const User = Type.Object({ login: Type.String(), type: Type.String() });

export const Push = Type.Object({ ref: Type.String(), repository: Repository });

export const PullRequestEvent = Type.Object({
  action: Type.String(),
  repository: Repository,
  pull_request: Type.Object({
    number: Type.Integer(),
    state: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
    merged: Type.Boolean(),
    updated_at: Type.String(),
  }),
});

const text = Type.Union([Type.String(), Type.Null()]);
export const IssueComment = Type.Object({
  action: Type.String(),
  repository: Repository,
  sender: User,
  issue: Type.Object({ number: Type.Integer(), pull_request: Type.Optional(Type.Object({})) }),
  comment: Type.Object({ id: Type.Integer(), body: text, user: User }),
});
export const LineComment = Type.Object({
  action: Type.String(),
  repository: Repository,
  sender: User,
  pull_request: Type.Object({ number: Type.Integer() }),
  comment: Type.Object({
    id: Type.Integer(), body: text, user: User, path: Type.String(), line: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  }),
});
export const Review = Type.Object({
  action: Type.String(),
  repository: Repository,
  sender: User,
  pull_request: Type.Object({ number: Type.Integer() }),
  review: Type.Object({ id: Type.Integer(), body: text, user: User }),
});

/** What somebody said on a pull request, whichever of GitHub's three ways they took. */
export interface Said {
  /** Unique within the installation of GitHub: kind and number. */
  id: string;
  repository: string;
  pullRequest: number;
  user: Static<typeof User>;
  /** Who caused the event: an edit by a bot is not what the user said. */
  sender: Static<typeof User>;
  text: string;
  path: string | null;
  line: number | null;
}

export function fromIssueComment(event: Static<typeof IssueComment>): Said | undefined {
  if (event.action !== 'created' || !event.issue.pull_request) return undefined;
  const { id, body, user } = event.comment;
  return { id: `comment ${id}`, repository: event.repository.full_name, pullRequest: event.issue.number, user, sender: event.sender, text: body ?? '', path: null, line: null };
}

export function fromLineComment(event: Static<typeof LineComment>): Said | undefined {
  if (event.action !== 'created') return undefined;
  const { id, body, user, path, line = null } = event.comment;
  return { id: `line ${id}`, repository: event.repository.full_name, pullRequest: event.pull_request.number, user, sender: event.sender, text: body ?? '', path, line };
}

export function fromReview(event: Static<typeof Review>): Said | undefined {
  if (event.action !== 'submitted') return undefined;
  const { id, body, user } = event.review;
  return { id: `review ${id}`, repository: event.repository.full_name, pullRequest: event.pull_request.number, user, sender: event.sender, text: body ?? '', path: null, line: null };
}
