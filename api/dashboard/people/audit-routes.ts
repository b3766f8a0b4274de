import { listAudit } from '../../../db/audit/audit-log.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { page, readCursor } from '../paging.ts';

/** What happened in an organization, for its owners. */
export function auditRoutes({ pool }: DashboardDeps) {
  return {
    'GET /organizations/:organization/audit': async ({ membership, query }) => {
      const { limit = 50, cursor, action } = query;
      const found = await listAudit(pool, membership.organization.id, {
        limit: limit + 1,
        action,
        ...(cursor !== undefined && { after: readCursor(cursor, 'aud') }),
      });
      const { rows, nextCursor } = page(found, limit);
      return {
        entries: rows.map(({ organizationId: _id, organization: _slug, at, ...rest }) => ({
          ...rest,
          at: at.toISOString(),
        })),
        nextCursor,
      };
    },
  } satisfies Partial<Handlers>;
}
