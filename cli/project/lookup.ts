import {
  type Organization,
  findOrganizationBySlug,
  listOrganizations,
} from '../../db/people/organizations.ts';
import { type Pool, type Queryable, transaction } from '../../db/pool.ts';
import { findProject, findProjectByDomain, type Project } from '../../db/projects/projects.ts';
import { createRecordedOrganization } from '../operator-acts.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { DEFAULT_ORGANIZATION } from '../stack/sample-project.ts';

/** The organization with this slug; without a slug, the only organization. */
export async function organizationNamed(
  db: Queryable,
  slug: string | undefined,
): Promise<Organization> {
  if (slug !== undefined) {
    const found = await findOrganizationBySlug(db, slug);
    if (!found) throw new CommandFailure(`There is no organization ${slug}.`, EXIT.notFound);
    return found;
  }
  const all = await listOrganizations(db);
  if (all.length > 1)
    throw new CommandFailure(
      'There are several organizations; choose one with --organization: ' +
        `${all.map(each => each.slug).join(', ')}.`,
      EXIT.usage,
    );
  if (!all[0])
    throw new CommandFailure(
      'There is no organization yet: "docent organization create" makes one.',
      EXIT.notFound,
    );
  return all[0];
}

/** Like `organizationNamed`; in an empty installation it creates the first organization. */
export async function organizationToBeginWith(
  pool: Pool,
  slug: string | undefined,
): Promise<Organization> {
  if (slug === undefined && (await listOrganizations(pool)).length === 0) {
    const first = { slug: DEFAULT_ORGANIZATION, name: 'Default' };
    return await transaction(pool, tx => createRecordedOrganization(tx, first));
  }
  return await organizationNamed(pool, slug);
}

/** The organization's project with this id or domain. */
export async function findProjectByName(
  db: Queryable,
  organizationId: string,
  name: string,
): Promise<Project> {
  const project = (await findProject(db, name)) ?? (await findProjectByDomain(db, name));
  if (project?.organizationId !== organizationId)
    throw new CommandFailure(`There is no project ${name}.`, EXIT.notFound);
  return project;
}
