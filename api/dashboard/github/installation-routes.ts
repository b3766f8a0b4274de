import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { GitHubConnection, InstallationParams } from '../../../shared/dashboard/github.ts';
import {
  claimInstallation,
  type GitHubWay,
  listProofs,
  releaseInstallation,
} from '../../../shared/db/github/installations.ts';
import { Problem } from '../../../shared/errors.ts';
import type { DashboardDeps } from '../deps.ts';
import { readConnection } from './connection.ts';
import type { ReachableRepositories } from '../../../hosts/github/reachable-repositories.ts';

/** Giving an installation that GitHub showed to an organization, and taking it away again. */
export const installationRoutes: FastifyPluginAsyncTypebox<
  DashboardDeps & { reachable: ReachableRepositories }
> = async (app, { reachable, ...deps }) => {
  const route = {
    config: { role: 'owner' },
    schema: { params: InstallationParams, response: { 200: GitHubConnection } },
  } as const;

  app.post('/organizations/:organization/github/installations/:id', route, async request => {
    const who = whose(request);
    const shown = (await listProofs(deps.pool, who)).find(({ id }) => id === request.params.id);
    if (!shown)
      throw new Problem(
        'not_permitted',
        'GitHub has not shown this installation to you, or that was too long ago: connect GitHub again.',
      );
    if (shown.refusal !== null) throw new Problem('not_permitted', shown.refusal);
    await claim(deps, who.organizationId, shown);
    reachable.forget(who.organizationId);
    return await readConnection(deps, reachable, who);
  });

  app.delete('/organizations/:organization/github/installations/:id', route, async request => {
    const who = whose(request);
    if (!(await releaseInstallation(deps.pool, who.organizationId, request.params.id)))
      throw new Problem('not_found', 'There is no such installation.');
    reachable.forget(who.organizationId);
    return await readConnection(deps, reachable, who);
  });
};

/** Whose connection a request is about. */
export function whose({
  signedIn,
  membership,
}: FastifyRequest): Pick<GitHubWay, 'sessionId' | 'organizationId'> {
  return { sessionId: signedIn.id, organizationId: membership.organization.id };
}

/** Throws 409 where another organization has it. */
export async function claim(
  { pool }: DashboardDeps,
  organizationId: string,
  { id, account }: { id: number; account: string },
): Promise<void> {
  if (await claimInstallation(pool, { id, account, organizationId })) return;
  throw new Problem(
    'conflict',
    `The installation on ${account} belongs to another organization here: an owner of that one disconnects it first.`,
  );
}
