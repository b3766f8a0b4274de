import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import type { Config } from '../../shared/config.ts';
import type { Pool } from '../../db/pool.ts';
import type { Project } from '../../db/projects/projects.ts';
import { readAddresses } from '../../db/search/published.ts';
import { Problem } from '../../shared/errors.ts';
import { GitRepositories } from '../../hosts/git/repositories.ts';
import type { RepositoryHost } from '../../hosts/host.ts';
import { openHosts } from '../../hosts/registry.ts';
import { OpenSites } from './open-sites.ts';
import type { SiteRenderer } from './site-renderer.ts';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { Snapshot, TreeEntry } from '../../shared/workspace.ts';

/** Never used: the reader makes no commit. */
const AUTHOR = { name: 'Docent', email: 'docent@localhost' };
/** How long a branch is taken to be where it was. */
const BRANCH_MS = 5_000;
const MOST_BRANCHES = 1_000;
const SNAPSHOT_MS = 60_000;

/** Reads the docs sites of projects, at their base or at a branch, and Docent's own. */
export class Reader {
  readonly #sites = new OpenSites();
  readonly #hostFor: ReturnType<typeof openHosts>;
  readonly #pool: Pool;
  readonly #branches = new Map<string, { commit: Promise<string>; until: number }>();

  constructor(config: Config, pool: Pool) {
    this.#pool = pool;
    const repositories = new GitRepositories(
      join(config.DATA_DIR, 'cache', 'git'),
      AUTHOR,
      config.GIT_CACHE_MB * 1e6,
    );
    // The built-in host is in this process, whatever address workers reach it at.
    const LOCAL_HOST_URL = config.LOCAL_HOST_URL ?? `http://127.0.0.1:${config.PORT ?? 3000}`;
    // No copy: those of a stored GitHub App change.
    const settings = Object.assign(Object.create(config) as Config, { LOCAL_HOST_URL });
    this.#hostFor = openHosts({ config: settings, pool, repositories });
  }

  /** Works with a project's site at a branch. Throws `not_found` if there is no such branch. */
  async atBranch<T>(
    project: Project,
    branch: string,
    isPublic: boolean,
    work: (site: SiteRenderer) => Promise<T>,
  ): Promise<T> {
    return this.atCommit(project, await this.#commitOf(project, branch), isPublic, work);
  }

  async atCommit<T>(
    project: Project,
    commit: string,
    isPublic: boolean,
    work: (site: SiteRenderer) => Promise<T>,
  ): Promise<T> {
    const { host, repository, docsFolder, docsFolderDetected, siteKind: kind, basePath } = project;
    const addresses = await readAddresses(this.#pool, project.id);
    const wanted = { ...(!docsFolderDetected && { docsFolder }), kind, basePath, addresses };
    const asked = JSON.stringify([project.id, commit, isPublic, wanted]);
    const key = createHash('sha256').update(asked).digest('base64');
    return this.#sites.with(
      key,
      async () => ({
        snapshot: await this.#hostFor(project).snapshot(
          { host, repository },
          commit,
          AbortSignal.timeout(SNAPSHOT_MS),
        ),
        wanted,
        isPublic,
      }),
      work,
    );
  }

  /** Docent's own docs, as they are installed. */
  async ownDocs<T>(work: (site: SiteRenderer) => Promise<T>): Promise<T> {
    const wanted = { docsFolder: 'docs' };
    return this.#sites.with(
      'own',
      async () => ({ snapshot: await ownDocs(), wanted, isPublic: true }),
      work,
    );
  }

  hostOf(project: Project): RepositoryHost {
    return this.#hostFor(project);
  }

  close(): Promise<void> {
    return this.#sites.close();
  }

  async #commitOf(project: Project, branch: string): Promise<string> {
    const key = `${project.id} ${branch}`;
    const known = this.#branches.get(key);
    if (known && known.until > Date.now()) return known.commit;
    const commit = this.#resolve(project, branch);
    if (this.#branches.size >= MOST_BRANCHES) this.#branches.clear();
    this.#branches.set(key, { commit, until: Date.now() + BRANCH_MS });
    commit.catch(() => this.#branches.delete(key));
    return commit;
  }

  async #resolve(project: Project, branch: string): Promise<string> {
    const commit = await this.#hostFor(project).resolveBranch(project, branch);
    if (commit === null) throw new Problem('not_found', `There is no branch ${branch}.`);
    return commit;
  }
}

/** The top of the installation. */
const TOP = join(import.meta.dirname, '..', '..');
const FOLDER = 'docs';

/** The docs of Docent itself, as this installation has them. */
async function ownDocs(): Promise<Snapshot> {
  const entries = new Map<string, TreeEntry>();
  const names = await readdir(join(TOP, FOLDER), { recursive: true, withFileTypes: true });
  for (const name of names.filter(each => each.isFile())) {
    const file = join(name.parentPath, name.name);
    const path = relative(TOP, file).split(sep).join('/');
    const { size, mtimeMs } = await stat(file);
    entries.set(path, { id: hashOf(`${path} ${size} ${mtimeMs}`), mode: '100644', size });
  }
  return {
    commit: hashOf(
      [...entries.values()]
        .map(entry => entry.id)
        .toSorted()
        .join(' '),
    ),
    entries,
    read: async path => (entries.has(path) ? await readFile(join(TOP, path)) : undefined),
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}
