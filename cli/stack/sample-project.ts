import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInHost } from '../../hosts/local/definition.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { readRepository } from '../../hosts/local/repositories.ts';
import { findKey } from '../../db/projects/keys.ts';
import { findOrganizationBySlug } from '../../db/people/organizations.ts';
import { findRepository } from '../../db/local-host/local-host.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import { findProjectByDomain, type Project, updateProject } from '../../db/projects/projects.ts';
import { hashKey, type KeyKind } from '../../shared/secrets/api-keys.ts';
import {
  createRecordedKey,
  createRecordedOrganization,
  createRecordedProject,
} from '../operator-acts.ts';
import type { DemoEnv } from './demo-env.ts';

export const DEFAULT_ORGANIZATION = 'default';
/** Domain and repository of the sample project. */
export const SAMPLE = 'sample';
const DOCS = join(import.meta.dirname, '../..', 'docs');

export interface Seeded {
  project: Project;
  adminKey: string;
  assistantKey: string;
  /** The keys were just created: show them. */
  keysAreNew: boolean;
  projectIsNew: boolean;
}

/**
 * On the first start: an organization, and the sample project on a copy of our own docs in the
 * built-in repository host. Later: the same project, and new keys where those of `previous` no
 * longer work. Undefined if the sample was deleted.
 */
export async function seedSample(
  at: { pool: Pool; dataDir: string; publicUrl: string },
  previous: Partial<DemoEnv>,
): Promise<Seeded | undefined> {
  const organization = await findOrganizationBySlug(at.pool, DEFAULT_ORGANIZATION);
  const found = organization && (await findProjectByDomain(at.pool, SAMPLE));
  if (organization && !found) return undefined;
  const project = await atItsAddress(at, found ?? (await createSample(at)), previous.BASE_URL);
  const adminKey = await keptKey(at.pool, previous.ADMIN_KEY, project, 'admin');
  const assistantKey = await keptKey(at.pool, previous.ASSISTANT_KEY, project, 'assistant');
  return {
    project,
    adminKey: adminKey ?? (await newKey(at.pool, project, 'admin')),
    assistantKey: assistantKey ?? (await newKey(at.pool, project, 'assistant')),
    keysAreNew: !adminKey || !assistantKey,
    projectIsNew: !found,
  };
}

/** Docent shows the sample at /docs, wherever it runs now, unless a person has said where it is. */
async function atItsAddress(
  { pool, publicUrl }: { pool: Pool; publicUrl: string },
  project: Project,
  before: string | undefined,
): Promise<Project> {
  const siteUrl = `${publicUrl}/docs`;
  const isOurs = project.siteUrl === null || project.siteUrl === `${before}/docs`;
  return isOurs && project.siteUrl !== siteUrl
    ? await updateProject(pool, project.id, { siteUrl })
    : project;
}

async function createSample(at: {
  pool: Pool;
  dataDir: string;
  publicUrl: string;
}): Promise<Project> {
  const repository = (await findRepository(at.pool, SAMPLE))
    ? await readRepository(at, SAMPLE)
    : await importDocs(at);
  // Together, so that a crash in between does not look like a deleted sample at the next start.
  return await transaction(at.pool, async tx => {
    const organization = await createRecordedOrganization(tx, {
      slug: DEFAULT_ORGANIZATION,
      name: 'Default',
    });
    return await createRecordedProject(tx, {
      organizationId: organization.id,
      name: 'Docent docs',
      domain: SAMPLE,
      host: builtInHost.kind,
      repository: repository.name,
      repositoryUrl: repository.url,
      baseRef: repository.defaultBranch,
      docsFolder: 'docs',
      public: true,
    });
  });
}

async function importDocs(at: { pool: Pool; dataDir: string; publicUrl: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'docent-sample-'));
  try {
    await mkdir(join(folder, 'docs'));
    await cp(DOCS, join(folder, 'docs'), { recursive: true });
    await writeFile(
      join(folder, 'README.md'),
      "# Docent docs\n\nA copy of Docent's own documentation, to try it on.\n",
    );
    return await importRepository(at, { name: SAMPLE, public: true }, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function keptKey(
  pool: Pool,
  token: string | undefined,
  project: Project,
  kind: KeyKind,
): Promise<string | undefined> {
  const hash = token === undefined ? undefined : hashKey(token);
  const key = hash && (await findKey(pool, hash, '127.0.0.1'));
  const works =
    key &&
    key.kind === kind &&
    !key.revokedAt &&
    !key.expired &&
    key.organizationId === project.organizationId &&
    (kind === 'admin' || key.projectId === project.id);
  return works ? token : undefined;
}

async function newKey(pool: Pool, project: Project, kind: KeyKind): Promise<string> {
  const wanted = {
    organizationId: project.organizationId,
    kind,
    name: `Sample (${kind})`,
    createdBy: 'docent start',
    ...(kind === 'assistant' && { projectId: project.id }),
  };
  return (await transaction(pool, tx => createRecordedKey(tx, wanted))).token;
}
