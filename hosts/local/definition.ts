import { type Config, publicUrl } from '../../shared/config.ts';
import {
  findRepository,
  listOrganizationRepositories,
  updateRepository,
} from '../../db/local-host/local-host.ts';
import { ConfigError, Problem } from '../../shared/errors.ts';
import type {
  HostCopies,
  HostDefinition,
  HostedProject,
  LocatedRepository,
  WantedBranch,
} from '../host-definition.ts';
import type { HostDeps } from '../host-deps.ts';
import { Gate } from '../git/gate.ts';
import { contextOf, KIND, repositoryFolder, type LocalHostContext } from './context.ts';
import { LocalHost } from './host.ts';
import { withFilesAt, withFilesOfSource } from './files.ts';
import { localPullRequests } from './hosted-pull-requests.ts';
import { importRepository } from './new-repository.ts';
import { deleteRepository, listBranches, readRepository, requireBranch } from './repositories.ts';
import { docsFolderOf } from '../../sites/docs-folder.ts';
import { git } from '../git/git-command.ts';

/** Processes that one listing starts. */
const GITS_AT_ONCE = 4;

const copies: HostCopies = {
  async list(deps, organizationId) {
    const rows = await listOrganizationRepositories(deps.pool, KIND, organizationId);
    const at = contextOf(deps);
    const gate = new Gate(GITS_AT_ONCE);
    return await Promise.all(
      rows.map(async ({ name, default_branch: defaultBranch, public: isPublic }) => ({
        name,
        defaultBranch,
        public: isPublic,
        branches: (await gate.run(() => listBranches(at, name))).map(branch => branch.name),
      })),
    );
  },
  async add(deps, copy, source) {
    await importRepository(contextOf(deps), copy, source);
  },
  async remove(deps, repository) {
    await deleteRepository(contextOf(deps), repository);
  },
  readCopy: async (deps, repository, branch, work) =>
    withFilesAt(repositoryFolder(contextOf(deps), repository), branch, work),
  readSource: withFilesOfSource,
  async setPublic({ pool }, repository, isPublic) {
    await updateRepository(pool, repository, { public: isPublic });
  },
};

/** The built-in repository host: bare git repositories in the data folder. */
export const builtInHost: HostDefinition = {
  kind: KIND,
  name: 'the built-in host',
  workerSettings: 'set LOCAL_HOST_URL and LOCAL_HOST_TOKEN on the worker',
  openForWorker({ config: { LOCAL_HOST_URL: url, LOCAL_HOST_TOKEN: token }, repositories }) {
    return url && token ? new LocalHost({ url, token, repositories }) : undefined;
  },
  problem,
  repositoryAt: async ({ pool }, name) => ((await findRepository(pool, name)) ? name : undefined),
  requireMayUse,
  locate,
  checkChange,
  linkNow: (config, link) => link.replace(/^.*(?=\/(git|pulls)\/[^/]+$)/, () => publicUrl(config)),
  reservedBranches: async ({ pool }, name) => {
    const row = await findRepository(pool, name);
    return row ? [row.default_branch, ...row.protected] : [];
  },
  copies,
  pullRequests: localPullRequests,
};

function problem({ LOCAL_HOST_TOKEN: token }: Config): string | null {
  return token
    ? null
    : 'This process does not serve the built-in repository host: LOCAL_HOST_TOKEN is not set.';
}

async function requireMayUse(
  { pool }: HostDeps,
  organizationId: string,
  repository: string,
): Promise<void> {
  const allowed = await listOrganizationRepositories(pool, KIND, organizationId, repository);
  if (allowed.length > 0) return;
  const message = 'is not a repository that this organization may use';
  throw new Problem('invalid_request', `source.repository ${message}.`, {
    errors: [{ path: 'source.repository', message }],
  });
}

async function locate(
  deps: HostDeps,
  _asking: string | undefined,
  repository: string,
  wanted: WantedBranch,
): Promise<LocatedRepository> {
  const at = contextOf(deps);
  const { name, url, defaultBranch, public: isPublic } = await readRepository(at, repository);
  const baseRef = wanted.baseRef ?? defaultBranch;
  await requireBranch(at, name, baseRef);
  const docsFolder = wanted.docsFolder ?? (await findDocsFolder(at, name, baseRef));
  await requireDocsFolder(at, name, baseRef, docsFolder);
  return {
    repository: name,
    repositoryUrl: url,
    baseRef,
    docsFolder,
    public: isPublic,
  };
}

async function checkChange(
  deps: HostDeps,
  project: HostedProject,
  { baseRef, docsFolder }: WantedBranch,
): Promise<void> {
  const isOtherFolder = docsFolder !== undefined && docsFolder !== project.docsFolder;
  if (baseRef === undefined && !isOtherFolder) return;
  const missing = problem(deps.config);
  if (missing !== null) throw new ConfigError(missing);
  const at = contextOf(deps);
  if (baseRef !== undefined) await requireBranch(at, project.repository, baseRef);
  if (isOtherFolder)
    await requireDocsFolder(at, project.repository, baseRef ?? project.baseRef, docsFolder);
}

type At = Pick<LocalHostContext, 'dataDir'>;

/** Where the pages of a repository are, at a branch; '' is the root. */
async function findDocsFolder(at: At, repository: string, branch: string): Promise<string> {
  return docsFolderOf(await listFiles(at, repository, branch));
}

/** Throws `invalid_request` where the branch has no such folder. */
async function requireDocsFolder(
  at: At,
  repository: string,
  branch: string,
  folder: string,
): Promise<void> {
  const paths = await listFiles(at, repository, branch);
  if (folder === '' || paths.some(path => path.startsWith(`${folder}/`))) return;
  throw new Problem('invalid_request', `Branch ${branch} has no folder ${folder}.`, {
    errors: [{ path: 'docsFolder', message: `is not a folder of branch ${branch}` }],
  });
}

async function listFiles(at: At, repository: string, branch: string): Promise<string[]> {
  const folder = repositoryFolder(at, repository);
  const ref = `refs/heads/${branch}`;
  const listed = await git(['--git-dir', folder, 'ls-tree', '-r', '-z', '--name-only', ref]);
  return listed.split('\0').filter(Boolean);
}
