import type { Config } from '../shared/config.ts';
import type { Pool } from '../db/pool.ts';
import type { HostKind } from '../shared/host-kind.ts';
import type { Snapshot } from '../shared/workspace.ts';
import type { GitRepositories } from './git/repositories.ts';
import type { RepositoryHost } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { HostedPullRequests } from './hosted-pull-requests.ts';
import type { HostWebhook } from './webhook.ts';

/**
 * A kind of repository host: what workers need, what the API and the command line need, and what
 * it can do. A capability is an optional member; without the member, the host lacks it.
 */
export interface HostDefinition {
  kind: HostKind;
  /** As sentences name it. */
  name: string;
  /** What to set on a worker that cannot open it. */
  workerSettings: string;
  /** The workers' half; undefined if its settings are missing. */
  openForWorker(deps: WorkerHostDeps): RepositoryHost | undefined;
  /** Which credentials it has now: with others it is opened again. */
  credentialsOf?(config: Config): string | undefined;
  /** Why this process cannot use it: one sentence that names the setting; null: it can. */
  problem(config: Config): string | null;
  /** The repository that an address or a name stands for; undefined if it is not on this host. */
  repositoryAt(deps: HostDeps, address: string): Promise<string | undefined>;
  /** The repository of a bare name, such as `owner/name`, if such names are this host's. */
  repositoryNamed?(deps: HostDeps, name: string): string | undefined;
  /**
   * Throws `RepositoryError`, `Problem` or `ConfigError` if the organization may not begin a
   * project there. The command line does not ask: the person who runs it may use everything.
   */
  requireMayUse(deps: HostDeps, organizationId: string, repository: string): Promise<void>;
  /**
   * Tries all that a job needs, changes nothing, and finds what `wanted` leaves open. `asking` is
   * the organization that the project belongs to. Throws as `requireMayUse`.
   */
  locate(
    deps: HostDeps,
    asking: string | undefined,
    repository: string,
    wanted: WantedBranch,
  ): Promise<LocatedRepository>;
  /** Throws as `requireMayUse` if the project cannot change to that branch or folder. */
  checkChange(deps: HostDeps, project: HostedProject, change: WantedBranch): Promise<void>;
  /** A stored link as people reach it now, if the host's own address can change. */
  linkNow?(config: Config, link: string): string;
  /** Branches besides the project's base that no job may work on, as far as is known here. */
  reservedBranches?(deps: Pick<HostDeps, 'pool'>, repository: string): Promise<string[]>;
  /** Docent keeps copies of repositories there, which may be public. */
  copies?: HostCopies;
  /** Pull requests are shown, merged and closed here; without it, at `pullRequestsUrl`. */
  pullRequests?: HostedPullRequests;
  /** The page of a repository's pull requests, from the repository's address. */
  pullRequestsUrl?(repositoryUrl: string): string;
  /** It tells us what happens on it. */
  webhook?: HostWebhook;
  /** It can be asked where a commit can be seen as a site, if nothing tells us. */
  previews?: HostPreviews;
  /** It is reached with credentials, which can stop working. */
  credentials?: HostCredentials;
  /** Organizations connect accounts of theirs in the dashboard. */
  hasConnectPage?: boolean;
}

export interface HostPreviews {
  /** No webhook tells us, and the credentials may ask. */
  mustBeAsked(config: Config): boolean;
  /** Null: there is none yet. Throws `RepositoryError`. */
  read(deps: HostDeps, repository: string, commit: string): Promise<FoundPreview | null>;
}

export interface FoundPreview {
  /** Absolute, http or https. */
  url: string;
  from: 'deployment' | 'status';
  at: string;
}

export interface WorkerHostDeps {
  config: Config;
  pool: Pool;
  repositories: GitRepositories;
}

export interface WantedBranch {
  baseRef?: string;
  /** Without slashes at either end; '' is the root. */
  docsFolder?: string;
  /** To be read only: no right to push is needed, and it may be archived. */
  readOnly?: boolean;
}

export interface LocatedRepository {
  /** As the host writes its name now. */
  repository: string;
  repositoryUrl: string;
  baseRef: string;
  docsFolder: string;
  public?: boolean;
}

export interface HostedProject {
  organizationId: string;
  repository: string;
  baseRef: string;
  docsFolder: string;
}

/** An address that was checked, with what git must be given to read nothing else. */
export interface GuardedSource {
  url: string;
  /** Of git's configuration: `name=value`. */
  settings: string[];
  environment: Record<string, string>;
}

export interface HostCopies {
  /** The copies that an organization's projects may use, by name. */
  list(deps: HostDeps, organizationId: string): Promise<RepositoryCopy[]>;
  /** Copies what is at `source` under a new name. Throws `Problem`. */
  add(
    deps: HostDeps,
    copy: { name: string; public?: boolean; defaultBranch?: string },
    source: string | GuardedSource,
  ): Promise<void>;
  remove(deps: HostDeps, repository: string): Promise<void>;
  /** Works with the files of a copy at a branch. */
  readCopy<T>(
    deps: HostDeps,
    repository: string,
    branch: string,
    work: (files: Snapshot) => Promise<T>,
  ): Promise<T>;
  /**
   * Works with the files that a copy of `source` would have, at a branch or its default one.
   * Nothing is kept. Throws `Problem`, also if they are too many for a look.
   */
  readSource<T>(
    source: string | GuardedSource,
    branch: string | undefined,
    work: (files: Snapshot) => Promise<T>,
  ): Promise<T>;
  setPublic(deps: HostDeps, repository: string, isPublic: boolean): Promise<void>;
}

export interface RepositoryCopy {
  name: string;
  defaultBranch: string;
  branches: string[];
  public: boolean;
}

export interface HostCredentials {
  /** Some of the settings are there, but not all. */
  areIncomplete(config: Config): boolean;
  /** Tries them; what they are, for `docent doctor`. Throws `RepositoryError`, `ConfigError`. */
  describe(deps: HostDeps): Promise<string>;
}
