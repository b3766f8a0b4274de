import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitRepositories } from '../../../hosts/git/repositories.ts';
import type { HostDefinition } from '../../../hosts/host-definition.ts';
import { findHost, hostOfCopies } from '../../../hosts/registry.ts';
import type { PreviewRequest, ProjectPreview } from '../contract/projects/preview.ts';
import { domainOf, nameOfRepository } from '../contract/projects/proposed-names.ts';
import { findProjectByDomain } from '../../../db/projects/projects.ts';
import { Problem } from '../../../shared/errors.ts';
import { reachableAddresses } from '../../../shared/outgoing/public-address.ts';
import type { SiteFacts } from '../../../db/search/published-site.ts';
import { SiteError } from '../../../search/site/site-error.ts';
import { SiteReader } from '../../../search/site/site-reader.ts';
import { kindTitle } from '../../../sites/kinds/registry.ts';
import type { Snapshot } from '../../../shared/workspace.ts';
import type { DashboardDeps } from '../deps.ts';
import { atField, shownToPeople, usable } from './hosts.ts';
import { guardedSource } from './import-source.ts';
import { withUploadedFolder } from './uploaded-folder.ts';

/** Each has a thread, and a copy of a repository on disk. */
const MOST_AT_ONCE = 2;
/** A person waits for it. */
const LONGEST_MS = 60_000;
/** Never used: a preview makes no commit. */
const AUTHOR = { name: 'Docent', email: 'docent@localhost' };
const MOST_DOMAINS_TRIED = 20;

type Work<T> = (files: Snapshot) => Promise<T>;

/** What projects would begin with. Nothing of it is kept, in the database or on disk. */
export class ProjectPreviews {
  readonly #deps: DashboardDeps;
  #running = 0;

  constructor(deps: DashboardDeps) {
    this.#deps = deps;
  }

  /** Throws 400 at the field that is wrong, 409, 503. */
  async of(organizationId: string, input: PreviewRequest): Promise<ProjectPreview> {
    if (this.#running >= MOST_AT_ONCE)
      throw new Problem('unavailable', 'Too many previews are being made. Try again soon.');
    this.#running += 1;
    // What is running ends by itself, later: only then is there room for another.
    const facts = withFiles(this.#deps, organizationId, input, files =>
      siteOf(files, input),
    ).finally(() => {
      this.#running -= 1;
    });
    const { examples, ...site } = await inTime(facts);
    const name = input.name?.trim() || nameOf(input);
    return {
      site: { ...site, examples, kindTitle: kindTitle(site.kind) },
      name,
      domain: name === null ? null : await this.#freeDomain(domainOf(name)),
    };
  }

  async #freeDomain(wanted: string): Promise<string | null> {
    if (wanted === '') return null;
    for (let n = 1; n <= MOST_DOMAINS_TRIED; n += 1) {
      const domain = n === 1 ? wanted : `${wanted}-${n}`;
      if (!(await findProjectByDomain(this.#deps.pool, domain))) return domain;
    }
    return null;
  }
}

async function withFiles<T>(
  deps: DashboardDeps,
  organizationId: string,
  { source, baseRef, docsFolder }: PreviewRequest,
  work: Work<T>,
): Promise<T> {
  const copies = () => usable(deps, hostOfCopies()).copies;
  if ('url' in source && source.type === 'import') {
    const checked = await guardedSource(
      source.url,
      reachableAddresses(deps.config.ALLOWED_PRIVATE_NETWORKS),
    );
    return await copies().readSource(checked, baseRef, work);
  }
  if ('files' in source && source.type === 'upload')
    return await withUploadedFolder(source.files, folder =>
      copies().readSource(folder, undefined, work),
    );
  if (!('repository' in source)) throw notAHost();
  const host = source.type === 'existing' ? hostOfCopies() : findHost(source.type);
  if (!host) throw notAHost();
  const { repository } = source;
  await usable(deps, host).requireMayUse(deps, organizationId, repository).catch(atField);
  const located = await host
    .locate(deps, organizationId, repository, {
      ...(baseRef !== undefined && { baseRef }),
      ...(docsFolder !== undefined && { docsFolder }),
      readOnly: true,
    })
    .catch(atField);
  return host.copies
    ? await host.copies.readCopy(deps, located.repository, located.baseRef, work)
    : await withFilesOnHost(deps, host, located, work).catch(shownToPeople);
}

/** Fetched into a folder of its own, which is removed afterwards. */
async function withFilesOnHost<T>(
  { config, pool }: DashboardDeps,
  host: HostDefinition,
  { repository, baseRef }: { repository: string; baseRef: string },
  work: Work<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-look-'));
  try {
    // A host that hangs must not keep a place for longer than anybody waits.
    const repositories = new GitRepositories(folder, AUTHOR, undefined, LONGEST_MS);
    const opened = host.openForWorker({ config, pool, repositories });
    const address = { host: host.kind, repository, readOnly: true };
    const commit = await opened?.resolveBranch(address, baseRef);
    if (!opened || !commit)
      throw new Problem('conflict', `${repository} has no branch ${baseRef}.`);
    // Waits for the end of a fetch: one that was left alone would write into a removed folder.
    return await work(await opened.snapshot(address, commit, new AbortController().signal));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function siteOf(
  files: Snapshot,
  { docsFolder: folder, siteKind: kind, basePath }: PreviewRequest,
): Promise<SiteFacts> {
  const docsFolder = folder?.replace(/^\/+|\/+$/g, '');
  if (docsFolder) requireFolder(files, docsFolder);
  const wanted = {
    ...(docsFolder !== undefined && { docsFolder }),
    ...(kind !== undefined && { kind }),
    ...(basePath !== undefined && { basePath }),
  };
  const site = new SiteReader(files, wanted);
  try {
    return (await site.facts(AbortSignal.timeout(LONGEST_MS))).facts;
  } catch (error) {
    throw error instanceof SiteError ? new Problem('unavailable', error.message) : error;
  } finally {
    await site.close();
  }
}

function requireFolder(files: Snapshot, folder: string): void {
  for (const path of files.entries.keys()) if (path.startsWith(`${folder}/`)) return;
  const message = 'is not a folder of the repository';
  throw new Problem('invalid_request', `docsFolder ${message}.`, {
    errors: [{ path: 'docsFolder', message }],
  });
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = LONGEST_MS / 1000;
      const message = `A preview ends after ${seconds} seconds. The project can be created without.`;
      reject(new Problem('unavailable', message));
    }, LONGEST_MS);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function nameOf({ source }: PreviewRequest): string | null {
  if ('repository' in source) return nameOfRepository(source.repository);
  return 'url' in source ? nameOfRepository(source.url) : null;
}

function notAHost(): Problem {
  const message = 'is not a kind of repository host';
  return new Problem('invalid_request', `source.type ${message}.`, {
    errors: [{ path: 'source.type', message }],
  });
}
