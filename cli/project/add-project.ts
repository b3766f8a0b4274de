import { NewProject as NewProjectFields } from '../../api/dashboard/contract/projects/projects.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import { findProjectByDomain, type NewProject, type Project } from '../../db/projects/projects.ts';
import { sitePathOf } from '../../sites/kinds/paths.ts';
import type { SiteKindName } from '../../sites/kinds/registry.ts';
import { checkFlag } from '../commands/flags.ts';
import type { ConnectedConfig } from '../connect/settings.ts';
import { createRecordedProject } from '../operator-acts.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { contextChange } from './context-change.ts';
import { organizationToBeginWith } from './lookup.ts';
import { locateRepository } from './repository.ts';

export interface AddOptions {
  repository: string;
  domain?: string;
  docsFolder?: string;
  kind?: SiteKindName;
  baseRef?: string;
  basePath?: string;
  siteUrl?: string;
  organization?: string;
  context?: string;
}

/** Creates a project; copies its repository unless the repository is used in place. */
export async function addProject(
  pool: Pool,
  config: ConnectedConfig,
  name: string,
  options: AddOptions,
): Promise<Project> {
  const domain = options.domain ?? slug(name);
  // Before anything is copied.
  checkFlag('The name', NewProjectFields.properties.name, name);
  checkFlag('--domain', NewProjectFields.properties.domain, domain);
  checkFlag('--site-url', NewProjectFields.properties.siteUrl, options.siteUrl);
  checkFlag('--base-path', NewProjectFields.properties.basePath, options.basePath);
  if (await findProjectByDomain(pool, domain)) throw domainTaken(domain);
  const owner = await organizationToBeginWith(pool, options.organization);
  const located = await locateRepository(pool, config, owner.id, slug(name), options);
  const settings = await contextChange({ pool, config }, owner.id, options.context);
  const project: NewProject = {
    organizationId: owner.id,
    name,
    domain,
    ...located,
    settings,
    docsFolderDetected: options.docsFolder === undefined,
    ...(options.kind !== undefined && { siteKind: options.kind }),
    ...(options.basePath !== undefined && { basePath: sitePathOf(options.basePath) }),
    ...(options.siteUrl !== undefined && { siteUrl: options.siteUrl.replace(/\/+$/, '') }),
  };
  return await transaction(pool, tx => createRecordedProject(tx, project)).catch(
    (error: { code?: string }) => {
      throw error.code === '23505' ? domainTaken(domain) : error;
    },
  );
}

function domainTaken(domain: string): CommandFailure {
  return new CommandFailure(
    `The domain ${domain} is taken; choose another with --domain.`,
    EXIT.usage,
  );
}

function slug(name: string): string {
  const text = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
  if (text === '')
    throw new CommandFailure(
      `"${name}" must contain at least one letter (a-z) or digit.`,
      EXIT.usage,
    );
  return text;
}
