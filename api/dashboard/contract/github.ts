/** How an organization reaches GitHub: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { worded } from '../../../shared/text/worded.ts';
import { nullable, Slug, Time } from './common.ts';

const Branch = Type.String({ minLength: 1, maxLength: 200 });
const FullName = Type.String({ minLength: 1, maxLength: 201 });
const InstallationId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const AppParams = Type.Object({
  organization: Slug,
  appId: Type.String({ pattern: '^\\d{1,20}$' }),
});
export const InstallationParams = Type.Object({ organization: Slug, id: InstallationId });

export const GitHubConnection = Type.Object({
  /** What the operator has set. */
  by: Type.Union([Type.Literal('app'), Type.Literal('token'), Type.Literal('none')]),
  /** What keeps all of it from working: one sentence with the thing to repair. */
  problem: nullable(Type.String()),
  /** What the App has to name as its callback URL. */
  callbackUrl: Type.String(),
  /** This person can create the App of the installation here. */
  canCreateApp: Type.Boolean(),
  /**
   * The App that was created here, which this person may remove. `isUsed`: the environment sets no
   * other. `projects`: how many are on GitHub, of every organization.
   */
  storedApp: nullable(
    Type.Object({
      id: Type.String(),
      createdAt: Time,
      isUsed: Type.Boolean(),
      projects: Type.Integer(),
    }),
  ),
  /** Owners prove here which installations they may give: the App's client is set. */
  canConnect: Type.Boolean(),
  /** The App's installations that are this organization's. */
  installations: Type.Array(
    Type.Object({
      id: Type.Integer(),
      account: Type.String(),
      connectedAt: Time,
      /** Its settings on GitHub; null if it was removed there, or GitHub does not answer. */
      url: nullable(Type.String()),
      problem: nullable(Type.String()),
    }),
  ),
  /**
   * Others that GitHub showed to the person signed in here, a moment ago. `refusal`: why this
   * person may not connect it.
   */
  shown: Type.Array(
    Type.Object({ id: Type.Integer(), account: Type.String(), refusal: nullable(Type.String()) }),
  ),
});
export type GitHubConnection = Static<typeof GitHubConnection>;

/** The account on GitHub that gets the App; left out: the person's own. */
export const NewApp = Type.Object({
  account: Type.Optional(
    worded('^[A-Za-z0-9][A-Za-z0-9-]*$', ': the name of an organization on GitHub', {
      maxLength: 39,
    }),
  ),
});
export type NewApp = Static<typeof NewApp>;
/** The browser posts `manifest` to the address, as a form. */
export const AppManifest = Type.Object({ url: Type.String(), manifest: Type.String() });
export type AppManifest = Static<typeof AppManifest>;

/** To install the App somewhere, or to show which of its installations one may give. */
export const LeaveForGitHub = Type.Object({
  to: Type.Union([Type.Literal('install'), Type.Literal('authorize')]),
});
export type LeaveForGitHub = Static<typeof LeaveForGitHub>;
/** Where the browser goes now. */
export const GitHubAddress = Type.Object({ url: Type.String() });
export type GitHubAddress = Static<typeof GitHubAddress>;

/**
 * What GitHub put into the address of /dashboard/-/github. `state` begins with the organization's
 * slug and a dot.
 */
export const BackFromGitHub = Type.Object({
  state: Type.String({ minLength: 1, maxLength: 300 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  installationId: Type.Optional(InstallationId),
  /** Its word for why it sends no code. */
  error: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
});
export type BackFromGitHub = Static<typeof BackFromGitHub>;
/**
 * `continueAt`: the App is installed; at that address GitHub shows whose it is. `connected`: the
 * account that was connected.
 */
export const GitHubReturned = Type.Object({
  continueAt: nullable(Type.String()),
  connected: nullable(Type.String()),
});
export type GitHubReturned = Static<typeof GitHubReturned>;

/** `search`: a part of "owner/name". */
export const GitHubRepositoryQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 200 })),
  cursor: Type.Optional(FullName),
});
/** By name. */
export const GitHubRepositoryList = Type.Object({
  repositories: Type.Array(
    Type.Object({
      name: Type.String({ description: '"owner/name".' }),
      private: Type.Boolean(),
      archived: Type.Boolean(),
    }),
  ),
  nextCursor: nullable(Type.String()),
});
export type GitHubRepositoryList = Static<typeof GitHubRepositoryList>;

export const InspectQuery = Type.Object({ repository: FullName, baseRef: Type.Optional(Branch) });
/** What a project there would begin with; or what is missing, in one sentence. */
export const RepositoryInspection = Type.Object({
  problem: nullable(Type.String()),
  found: nullable(
    Type.Object({ repository: Type.String(), baseRef: Type.String(), docsFolder: Type.String() }),
  ),
});
export type RepositoryInspection = Static<typeof RepositoryInspection>;

/** Whether a project's repository can be read and pushed to; else the one thing to repair. */
export const RepositoryHealth = Type.Object({ problem: nullable(Type.String()) });
export type RepositoryHealth = Static<typeof RepositoryHealth>;
