import { findGitHubApp } from '../../../db/github/app.ts';
import { managesOrganizations } from '../../../db/people/organizations.ts';
import { Problem } from '../../../shared/errors.ts';
import type { DashboardDeps } from '../deps.ts';

/** Throws 403 and 409 if this person cannot create the App of this installation here. */
export async function requireMayCreateApp(
  { config, pool, storedApp }: DashboardDeps,
  userId: string,
): Promise<void> {
  if (!(await managesOrganizations(pool, userId))) throw notTheirs('create');
  if (!storedApp.isUsed)
    throw new Problem(
      'conflict',
      'GitHub is set by environment variables: remove GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY and ' +
        'GITHUB_TOKEN to create an App here.',
    );
  if (!config.ENCRYPTION_KEY)
    throw new Problem('conflict', 'Set ENCRYPTION_KEY for the API and the workers first.');
  // Its keys exist nowhere else, and projects may depend on it.
  if (await findGitHubApp(pool))
    throw new Problem('conflict', 'There is a GitHub App already: remove it here first.');
}

/** Of the person who asks for what only owners of the first organization may do. */
export function notTheirs(verb: 'create' | 'remove'): Problem {
  return new Problem(
    'not_permitted',
    `Only owners of the installation's first organization may ${verb} its GitHub App.`,
  );
}

export async function mayCreateApp(deps: DashboardDeps, userId: string): Promise<boolean> {
  try {
    await requireMayCreateApp(deps, userId);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
