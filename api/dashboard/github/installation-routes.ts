import type { FastifyRequest } from 'fastify';
import {
  claimInstallation,
  type GitHubWay,
  listProofs,
  releaseInstallation,
} from '../../../db/github/installations.ts';
import { recordAudit } from '../../../db/audit/audit-log.ts';
import { transaction } from '../../../db/pool.ts';
import { Problem } from '../../../shared/errors.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { aboutInstallation } from './about-installation.ts';
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
      await claimInstallations(deps, request, shown);
      reachable.forget(who.organizationId);
      return await readConnection(deps, reachable, who);
    },

    'DELETE /organizations/:organization/github/installations/:id': async request => {
      const who = whose(request);
      await transaction(pool, async tx => {
        const account = await releaseInstallation(tx, who.organizationId, request.params.id);
        if (account === undefined) throw new Problem('not_found', 'There is no such installation.');
        await recordAudit(
          tx,
          who.organizationId,
          aboutInstallation('host.disconnected', request, { id: request.params.id, account }),
        );
      });
      reachable.forget(who.organizationId);
      return await readConnection(deps, reachable, who);
    },
  } satisfies Partial<Handlers>;
}

/** Whose connection a request is about. */
export function whose({
  signedIn,
  membership,
}: FastifyRequest): Pick<GitHubWay, 'sessionId' | 'organizationId'> & { userId: string } {
  return {
    sessionId: signedIn.id,
    organizationId: membership.organization.id,
    userId: signedIn.user.id,
  };
}

/** Throws 409 where another organization has it. */
export async function claimInstallations(
  { pool }: DashboardDeps,
  request: FastifyRequest,
  { id, account }: { id: number; account: string },
): Promise<void> {
  const organizationId = request.membership.organization.id;
  const claimed = await transaction(pool, async tx => {
    if (!(await claimInstallation(tx, { id, account, organizationId }))) return false;
    await recordAudit(
      tx,
      organizationId,
      aboutInstallation('host.connected', request, { id, account }),
    );
    return true;
  });
  if (claimed) return;
  throw new Problem(
    'conflict',
    `The installation on ${account} belongs to another organization here: ` +
      'an owner of that organization must disconnect it first.',
  );
}
