import { randomBytes } from 'node:crypto';

/** What the stand-in knows. Tests read it, and change it to make things happen "on GitHub". */
export interface Repository {
  id: number;
  owner: string;
  name: string;
  /** Former "owner/name"s, which answer with a redirect. */
  formerly: string[];
  folder: string;
  defaultBranch: string;
  archived: boolean;
  disabled: boolean;
  protectedBranches: string[];
  /** The reason with which git refuses pushes. */
  refusePush: string | undefined;
  /** Drafts are a matter of the account's plan. */
  drafts: boolean;
  pulls: Pull[];
  comments: Comment[];
  deployments: Deployment[];
  statuses: CommitStatus[];
  /** Roles by login; who is not here may read. */
  roles: Record<string, 'admin' | 'maintain' | 'write' | 'triage' | 'read'>;
}

export interface Pull {
  number: number;
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
  state: 'open' | 'closed';
  mergedAt: string | null;
  /** The head's commit once the pull request is no longer open. */
  lastCommit: string | null;
  /** From another repository's branch. */
  fork: boolean;
  author: string;
  labels: string[];
  /** Who was asked for a review. */
  reviewers: string[];
  mergeCommit: string | null;
  /** When it last changed; without, just now. */
  updatedAt?: string;
}

export interface Comment {
  id: number;
  kind: 'issue' | 'line' | 'review';
  pull: number;
  login: string;
  bot: boolean;
  body: string;
  path: string | null;
  line: number | null;
  at: string;
}

/** Newest first, as GitHub lists them; so are their statuses. */
export interface Deployment {
  id: number;
  sha: string;
  production: boolean;
  statuses: { state: string; url: string; at: string }[];
}

export interface CommitStatus {
  sha: string;
  context: string;
  state: string;
  url: string;
  at: string;
}

export interface Token {
  value: string;
  /** Ids; a person's token: all. */
  repositories: number[] | 'all';
  permissions: Record<string, string>;
  expiresAt: number;
  revoked: boolean;
  /** Of a person, by an App that they authorized. */
  login?: string;
}

/** The body of every request for a token: what was asked for. */
export interface MintRequest {
  installation: number;
  body: {
    repositories?: string[];
    repository_ids?: number[];
    permissions?: Record<string, string>;
  };
}

export interface Installation {
  id: number;
  account: string;
  repositories: number[];
  permissions: Record<string, string>;
  suspended: boolean;
}

/**
 * An answer instead of the real one. Status 0 ends the connection; `after` lets the real work
 * happen first.
 */
export interface Fault {
  method?: string;
  /** Of the path, query left out. */
  path: RegExp;
  /** Only what is asked of this repository, whatever it is called by then. */
  of?: Repository;
  status: number;
  message?: string;
  /** Instead of a refusal's. */
  body?: unknown;
  headers?: Record<string, string>;
  /** How often; 1 unless told. */
  times?: number;
  after?: boolean;
  /** The real answer, whose second half does not come. */
  cut?: boolean;
  /** No answer at all. */
  hangs?: boolean;
}

export interface State {
  repositories: Repository[];
  installations: Installation[];
  tokens: Token[];
  mints: MintRequest[];
  faults: Fault[];
  /** Method and path of every request, in order. */
  requests: string[];
  /** What of all that broke GitHub's published schemas. */
  unpublished: string[];
  tokenSeconds: number;
  people: People;
}

/** What people do on GitHub: authorize the App, install it, and see what is theirs. */
export interface People {
  clientId: string;
  clientSecret: string;
  /** Both the App's callback URL and its setup URL. Codes go nowhere else. */
  callbackUrl: string;
  /** Login of whoever sits in front of the browser. */
  signedIn: string;
  /** Where the App is put when somebody installs it. */
  installsOn: Repository[];
  codes: { code: string; login: string; challenge: string; used: boolean }[];
  /** Apps that were created from a manifest: each code can be exchanged once. */
  manifests: { code: string; account: string | undefined; manifest: AppManifest; used: boolean }[];
  /** What a created App gets; it is the App of this stand-in. */
  appKeys: { id: number; pem: string; webhookSecret: string };
}

/** As it was posted. */
export interface AppManifest {
  name: string;
  redirect_url: string;
  callback_urls: string[];
  hook_attributes?: { url: string };
  default_permissions: Record<string, string>;
  default_events?: string[];
}

export function newPeople(): People {
  return {
    clientId: 'Iv23-docent',
    clientSecret: randomBytes(20).toString('hex'),
    callbackUrl: '',
    signedIn: 'ada',
    installsOn: [],
    codes: [],
    manifests: [],
    appKeys: { id: 7, pem: '', webhookSecret: randomBytes(20).toString('hex') },
  };
}

export function newState(): State {
  return {
    repositories: [],
    installations: [],
    tokens: [],
    mints: [],
    faults: [],
    requests: [],
    unpublished: [],
    tokenSeconds: 3600,
    people: newPeople(),
  };
}

export function newToken(
  state: State,
  prefix: 'ghs' | 'ghp' | 'ghu',
  repositories: Token['repositories'],
  permissions: Record<string, string>,
): Token {
  const token = {
    value: `${prefix}_${randomBytes(18).toString('hex')}`,
    repositories,
    permissions,
    expiresAt: Date.now() + state.tokenSeconds * 1000,
    revoked: false,
  };
  state.tokens.push(token);
  return token;
}

/**
 * The token of a header, `Bearer`/`token` or `Basic x-access-token:…`, if it is known and still
 * good.
 */
export function tokenOf(state: State, authorization: string | undefined): Token | undefined {
  const [, scheme = '', credential = ''] = /^(\w+) (.+)$/.exec(authorization ?? '') ?? [];
  const value =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(credential, 'base64').toString().split(':')[1]
      : credential;
  return state.tokens.find(
    token => token.value === value && !token.revoked && token.expiresAt > Date.now(),
  );
}

export function mayOn(
  token: Token,
  repository: Repository,
  permission: string,
  level: 'read' | 'write',
): boolean {
  const granted = token.permissions[permission];
  return (
    (token.repositories === 'all' || token.repositories.includes(repository.id)) &&
    (granted === 'write' || granted === level)
  );
}

/** A repository by its present or a former name. */
export function findRepository(state: State, fullName: string): Repository | undefined {
  const wanted = fullName.toLowerCase();
  return (
    state.repositories.find(each => `${each.owner}/${each.name}`.toLowerCase() === wanted) ??
    state.repositories.find(each => each.formerly.some(name => name.toLowerCase() === wanted))
  );
}

/** The repository that a request is about, by the path that it takes on the API or for git. */
export function repositoryAt(state: State, pathname: string): Repository | undefined {
  const [, id, installation, fullName] =
    /^\/repositories\/(\d+)|^\/app\/installations\/(\d+)|^(?:\/repos)?\/([^/]+\/[^/]+?)(?:\.git)?(?:\/|$)/.exec(
      pathname.replace(/^\/api\/v3/, ''),
    ) ?? [];
  const only =
    installation &&
    state.installations.find(each => each.id === Number(installation))?.repositories[0];
  if (id || only) return state.repositories.find(each => each.id === Number(id ?? only));
  return fullName === undefined ? undefined : findRepository(state, fullName);
}
