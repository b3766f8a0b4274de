import type { FastifyRequest } from 'fastify';
import {
  claimInstallation,
  type GitHubWay,
  listProofs,
  releaseInstallation,
} from '../../../shared/db/github/installations.ts';
import { Problem } from '../../../shared/errors.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { type GitHubDeps, readConnection } from './connection.ts';

/** Giving an installation that GitHub showed to an organization, and taking it away again. */
export function installationRoutes(deps: GitHubDeps) {
  const { pool, reachable } = deps;
  return {
    'POST /organizations/:organization/github/installations/:id': async request => {
      const who = whose(request);
      const shown = (await listProofs(pool, who)).find(({ id }) => id === request.params.id);
      if (!shown)
        throw new Problem(
          'not_permitted',
          'GitHub did not show you this installation, or that was too long ago: ' +
            'connect GitHub again.',
        );
      if (shown.refusal !== null) throw new Problem('not_permitted', shown.refusal);
      await claimInstallations(deps, who.organizationId, shown);
      reachable.forget(who.organizationId);
      return await readConnection(deps, reachable, who);
    },

    'DELETE /organizations/:organization/github/installations/:id': async request => {
      const who = whose(request);
      if (!(await releaseInstallation(pool, who.organizationId, request.params.id)))
        throw new Problem('not_found', 'There is no such installation.');
      reachable.forget(who.organizationId);
      return await readConnection(deps, reachable, who);
    },
  } satisfies Partial<Handlers>;
}

/** Whose connection a request is about. */
export function whose({
  signedIn,
  membership,
}: FastifyRequest): Pick<GitHubWay, 'sessionId' | 'organizationId'> {
  return { sessionId: signedIn.id, organizationId: membership.organization.id };
}

/** Throws 409 where another organization has it. */
export async function claimInstallations(
  { pool }: DashboardDeps,
  organizationId: string,
  { id, account }: { id: number; account: string },
): Promise<void> {
  if (await claimInstallation(pool, { id, account, organizationId })) return;
  throw new Problem(
    'conflict',
    `The installation on ${account} belongs to another organization here: ` +
      'an owner of that organization must disconnect it first.',
  );
}
