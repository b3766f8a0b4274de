/**
 * The contract between the dashboard (a browser app under `/dashboard/`) and its backend
 * (`api/dashboard`).
 *
 * Every route lies under `/api/dashboard`. Bodies and answers are JSON; errors are problems (RFC
 * 9457) whose `error` is a sentence to show, with `errors: [{path, message}]` where fields are
 * wrong. A cookie that scripts cannot read carries the session. 401: not signed in. 403: the role
 * may not do that. 404: not there, or another organization's. 429: `Retry-After` says when. Other
 * than by GET only pages of this origin may call. Times are ISO 8601 in UTC. Roles: viewer < member
 * < owner. `:organization` is its slug.
 *
 *  anybody  GET    /setup                                  SetupStatus
 *           POST   /session                 SignIn         Session
 *           POST   /invitation              LinkToken      InvitationView     look at a link: /dashboard/invitation#<token>
 *           POST   /invitation/accept       AcceptInvitation  Session         also the first run's: /dashboard/setup#<token>
 *           POST   /reset                   ResetPassword  Session            a one-time link: /dashboard/reset#<token>
 *           POST   /sign-on                                SignOnBegun        to the provider, which returns to /dashboard/sign-in/callback
 *           POST   /sign-on/callback        SignOnReturn   SignOnAnswer
 *           POST   /sign-on/confirm         ConfirmSignOn  Session            after an answer that says so
 *  self     GET    /session                                Session
 *           DELETE /session                                204                sign out
 *           GET    /sessions                               SessionList
 *           DELETE /sessions/:id                           204
 *           GET    /account                                Account
 *           DELETE /account/sign-on                        Account            unlinks the provider
 *           PATCH  /profile                 ProfileChange  Session
 *           POST   /password                ChangePassword 204                ends the other sessions
 *  viewer   GET    /organizations/:organization/members    MemberList
 *           GET    /organizations/:organization/usage?days=30   Usage
 *  owner    PATCH  /organizations/:organization            OrganizationChange Session
 *           PATCH  /organizations/:organization/members/:userId  MemberChange  MemberList
 *           DELETE /organizations/:organization/members/:userId  MemberList
 *           POST   /organizations/:organization/invitations  NewInvitation  InvitationMade
 *           DELETE /organizations/:organization/invitations/:id  MemberList
 *           GET    /organizations/:organization/repositories   RepositoryList
 *           POST   /organizations/:organization/projects   NewProject     Project (201)
 *           GET    /organizations/:organization/github     GitHubConnection
 *           POST   /organizations/:organization/github/leave     LeaveForGitHub  GitHubAddress   the browser goes there, and comes back to
 *           POST   /organizations/:organization/github/back      BackFromGitHub  GitHubReturned  /dashboard/-/github, which sends this
 *           POST   /organizations/:organization/github/installations/:id  GitHubConnection       of those shown
 *           DELETE /organizations/:organization/github/installations/:id  GitHubConnection
 *           GET    /organizations/:organization/github/repositories?search&cursor   GitHubRepositoryList
 *           GET    /organizations/:organization/github/repository?repository&baseRef   RepositoryInspection
 *  viewer   GET    /projects/:projectId                    Project
 *           GET    /projects/:projectId/index              IndexStatus
 *           GET    /projects/:projectId/keys               KeyList
 *           GET    /projects/:projectId/jobs?status&search&cursor&limit   JobList
 *           GET    /projects/:projectId/jobs/:id           JobDetail
 *           GET    /projects/:projectId/jobs/:id/messages  Conversation (shared/jobs/conversation.ts)
 *           GET    /projects/:projectId/jobs/:id/diff      Diff
 *           GET    /projects/:projectId/jobs/:id/events?deltas=true   server-sent JobEvent (shared/jobs/job.ts), `id:` is its number;
 *                                                          `event: text_delta` in passing; ends when the job rests; 204 when
 *                                                          there is nothing after Last-Event-ID and the job rests
 *           GET    /projects/:projectId/pulls?state        PullRequestList
 *           GET    /projects/:projectId/pulls/:number      PullRequestDetail
 *           GET    /projects/:projectId/questions?answered&search&cursor&limit   QuestionList
 *           POST   /projects/:projectId/assistant          body and stream of POST /discovery/v2/assistant/{domain}/message, `fp` not needed
 *  member   GET    /projects/:projectId/repository         RepositoryHealth   of a project on GitHub
 *           POST   /projects/:projectId/index              IndexStatus        index now
 *           POST   /projects/:projectId/jobs               NewJob         Job (201)
 *           POST   /projects/:projectId/jobs/:id/message   NewMessage     Job
 *           POST   /projects/:projectId/jobs/:id/rewind    RewindTo       Job                go on from an earlier step
 *           POST   /projects/:projectId/jobs/:id/cancel    Job
 *           POST   /projects/:projectId/jobs/:id/archive   Job
 *           POST   /projects/:projectId/pulls/:number/merge   PullRequest
 *           POST   /projects/:projectId/pulls/:number/close   PullRequest
 *           POST   /projects/:projectId/questions/:id/job  Job (201)          a job that fills the gap
 *  owner    PATCH  /projects/:projectId                    ProjectChange  Project
 *           DELETE /projects/:projectId                    204
 *           POST   /projects/:projectId/keys               NewKey         KeyMade (201)
 *           POST   /projects/:projectId/keys/:id/rotate    RotateKey      KeyMade
 *           POST   /projects/:projectId/keys/:id/revoke    KeyList
 */
import { type Static, Type } from '@sinclair/typebox';
import { Id, nullable, Slug, Time } from './common.ts';
import { nonBlank, worded } from '../text/worded.ts';

export const RoleSchema = Type.Union([
  Type.Literal('viewer'),
  Type.Literal('member'),
  Type.Literal('owner'),
]);
export type Role = Static<typeof RoleSchema>;

const Email = worded('^[^\\s@]+@[^\\s@]+$', ': an e-mail address', {
  minLength: 3,
  maxLength: 254,
});
const Name = nonBlank({ minLength: 1, maxLength: 100 });
const Password = Type.String({ minLength: 1, maxLength: 1_000 });
const NewPassword = Type.String({ minLength: 10, maxLength: 1_000 });
const Token = Type.String({ minLength: 1, maxLength: 200 });

/**
 * `needed`: nobody can sign in yet; the terminal has a one-time link (`docent user setup` prints
 * another). `provider`: the name of one to sign in through.
 */
export const SetupStatus = Type.Object({
  needed: Type.Boolean(),
  provider: nullable(Type.String()),
});
export type SetupStatus = Static<typeof SetupStatus>;

export const SignIn = Type.Object({ email: Email, password: Password });
export type SignIn = Static<typeof SignIn>;
export const LinkToken = Type.Object({ token: Token });
export type LinkToken = Static<typeof LinkToken>;
/**
 * `email` null: the first run's link, whoever has it says who they are. `account`: the address has
 * one here; ask for its password only.
 */
export const InvitationView = Type.Object({
  organization: Type.String(),
  email: nullable(Type.String()),
  role: RoleSchema,
  account: Type.Boolean(),
  expiresAt: Time,
});
export type InvitationView = Static<typeof InvitationView>;
/**
 * `email` and `name` as the view asks for them. A new account's password has at least 10
 * characters.
 */
export const AcceptInvitation = Type.Object({
  token: Token,
  email: Type.Optional(Email),
  name: Type.Optional(Name),
  password: Password,
});
export type AcceptInvitation = Static<typeof AcceptInvitation>;
export const ResetPassword = Type.Object({ token: Token, password: NewPassword });
export type ResetPassword = Static<typeof ResetPassword>;
export const ChangePassword = Type.Object({ current: Password, next: NewPassword });
export type ChangePassword = Static<typeof ChangePassword>;
export const ProfileChange = Type.Object({ name: Name });
export type ProfileChange = Static<typeof ProfileChange>;

/** Where to send the browser; it returns with a query. */
export const SignOnBegun = Type.Object({ url: Type.String() });
export type SignOnBegun = Static<typeof SignOnBegun>;
export const SignOnReturn = Type.Object({ query: Type.String({ maxLength: 8_192 }) });
export type SignOnReturn = Static<typeof SignOnReturn>;
export const ConfirmSignOn = Type.Object({ password: Password });
export type ConfirmSignOn = Static<typeof ConfirmSignOn>;
/** `linkedAt`: since when the provider signs this account in. */
export const Account = Type.Object({ hasPassword: Type.Boolean(), linkedAt: nullable(Time) });
export type Account = Static<typeof Account>;

/** Where the operator looks: only for owners. */
export const Operator = Type.Object({
  temporalAddress: nullable(Type.String()),
  temporalUiUrl: nullable(Type.String()),
  namespace: Type.String(),
  taskQueue: Type.String(),
});
export type Operator = Static<typeof Operator>;
export const Session = Type.Object({
  id: Type.String(),
  user: Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() }),
  organizations: Type.Array(
    Type.Object({
      id: Type.String(),
      slug: Type.String(),
      name: Type.String(),
      role: RoleSchema,
      projects: Type.Array(
        Type.Object({ id: Type.String(), domain: Type.String(), name: Type.String() }),
      ),
      operator: nullable(Operator),
    }),
  ),
  /** Where scripts reach the API, without a trailing slash: for snippets. */
  baseUrl: Type.String(),
  /** The rule-based model answers, not a real one. */
  offlineModel: Type.Boolean(),
});
export type Session = Static<typeof Session>;
/**
 * Either a session, or the address whose password must confirm that the two accounts are one
 * person's.
 */
export const SignOnAnswer = Type.Object({
  session: Type.Optional(Session),
  confirm: Type.Optional(Type.String()),
});
export type SignOnAnswer = Static<typeof SignOnAnswer>;
export const SessionList = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      current: Type.Boolean(),
      address: Type.String(),
      userAgent: Type.String(),
      createdAt: Time,
      lastUsedAt: Time,
      expiresAt: Time,
    }),
  ),
});
export type SessionList = Static<typeof SessionList>;

export const OrganizationParams = Type.Object({ organization: Slug });
export const OrganizationChange = Type.Object({ name: Name });
export type OrganizationChange = Static<typeof OrganizationChange>;
export const MemberParams = Type.Object({ organization: Slug, userId: Id });
export const InvitationParams = Type.Object({ organization: Slug, id: Id });
export const MemberList = Type.Object({
  members: Type.Array(
    Type.Object({
      userId: Type.String(),
      name: Type.String(),
      email: Type.String(),
      role: RoleSchema,
      joinedAt: Time,
      lastSeenAt: nullable(Time),
    }),
  ),
  /** Open ones. Empty for those who may not invite. */
  invitations: Type.Array(
    Type.Object({
      id: Type.String(),
      email: Type.String(),
      role: RoleSchema,
      createdAt: Time,
      expiresAt: Time,
    }),
  ),
});
export type MemberList = Static<typeof MemberList>;
export const MemberChange = Type.Object({ role: RoleSchema });
export type MemberChange = Static<typeof MemberChange>;
export const NewInvitation = Type.Object({ email: Email, role: RoleSchema });
export type NewInvitation = Static<typeof NewInvitation>;
/** `link` is shown once: it is to be sent by hand. Good for 7 days, once. */
export const InvitationMade = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: RoleSchema,
  link: Type.String(),
  expiresAt: Time,
});
export type InvitationMade = Static<typeof InvitationMade>;
