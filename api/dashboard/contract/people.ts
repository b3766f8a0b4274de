/** Sign-in, sessions, accounts, organizations and their members: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { ROLES } from '../../../db/people/role.ts';
import { nullable, Time } from './common.ts';
import { nonBlank, worded } from '../../../shared/text/worded.ts';
import { Kind } from './projects/projects.ts';

export const RoleSchema = Type.Union(ROLES.map(role => Type.Literal(role)));
export type Role = Static<typeof RoleSchema>;

export const Email = worded('^[^\\s@]+@[^\\s@]+$', ': an e-mail address', {
  minLength: 3,
  maxLength: 254,
});
export const Name = nonBlank({ minLength: 1, maxLength: 100 });
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
 * `email` null: the first run's link, its holder enters an address. `account`: the address has
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
  /** An owner of the installation's first organization, who may make others. */
  managesOrganizations: Type.Boolean(),
  /** The rule-based model answers, not a real one. */
  offlineModel: Type.Boolean(),
  /** One sentence on what can work with the configured models, and within which limits. */
  modelVerdict: Type.String(),
  /** What can build a site, as people choose it. */
  siteKinds: Type.Array(Type.Object({ name: Kind, title: Type.String() })),
  /** The models of jobs that accept an effort. */
  effortModels: Type.Array(Type.Union([Type.Literal('sonnet'), Type.Literal('opus')])),
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

export const OrganizationChange = Type.Object({ name: Name });
export type OrganizationChange = Static<typeof OrganizationChange>;
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
