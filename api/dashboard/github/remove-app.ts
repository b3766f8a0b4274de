import type { FastifyRequest } from 'fastify';
import type { GitHubConnection } from '../contract/github.ts';
import { recordAudit } from '../../../db/audit/audit-log.ts';
import { deleteGitHubApp, findGitHubApp } from '../../../db/github/app.ts';
import { countProjectsOnHost, releaseAllInstallations } from '../../../db/github/installations.ts';
import { managesOrganizations } from '../../../db/people/organizations.ts';
import { transaction } from '../../../db/pool.ts';
import { Problem } from '../../../shared/errors.ts';
import { KIND } from '../../../hosts/github/site.ts';
import { actorOf } from '../../audit.ts';
import type { DashboardDeps } from '../deps.ts';
import { aboutInstallation } from './about-installation.ts';
import { notTheirs } from './may-create-app.ts';

/** The App that a person created here and may remove; null: none, or not this person. */
export async function removableApp(
  { pool, storedApp }: DashboardDeps,
  userId: string,
): Promise<GitHubConnection['storedApp']> {
  const [app, isManager] = await Promise.all([
    findGitHubApp(pool),
    managesOrganizations(pool, userId),
  ]);
  if (!app || !isManager) return null;
  return {
    id: app.appId,
    createdAt: app.createdAt.toISOString(),
    isUsed: storedApp.isUsed,
    projects: storedApp.isUsed ? await countProjectsOnHost(pool, KIND) : 0,
  };
}

/**
 * Forgets the App, and what each organization has connected of it: an App that is created later has
 * other installations. Projects and their jobs stay. Throws 403 and 404.
 */
export async function removeApp(
  deps: DashboardDeps,
  request: FastifyRequest,
  appId: string,
): Promise<void> {
  if (!(await managesOrganizations(deps.pool, request.signedIn.user.id))) throw notTheirs('remove');
  await transaction(deps.pool, async tx => {
    if (!(await deleteGitHubApp(tx, appId)))
      throw new Problem('not_found', 'There is no such App any more: look again.');
    await recordAudit(tx, request.membership.organization.id, {
      action: 'host.app_removed',
      actor: actorOf(request),
      subject: { kind: 'app', id: appId },
    });
    // Those of an App that the environment sets are not of this one.
    if (!deps.storedApp.isUsed) return;
    for (const { id, account, organizationId } of await releaseAllInstallations(tx))
      await recordAudit(
        tx,
        organizationId,
        aboutInstallation('host.disconnected', request, { id, account }),
      );
  });
  await deps.storedApp.read();
}
