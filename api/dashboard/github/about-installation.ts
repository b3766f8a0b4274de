import type { FastifyRequest } from 'fastify';
import type { AuditAction } from '../../../db/audit/audit-actions.ts';
import type { AuditEvent } from '../../../db/audit/audit-log.ts';
import { actorOf } from '../../audit.ts';

/** What the audit log says of an act on an installation. */
export function aboutInstallation(
  action: AuditAction,
  request: FastifyRequest,
  { id, account }: { id: number; account: string },
): AuditEvent {
  return {
    action,
    actor: actorOf(request),
    subject: { kind: 'installation', id: String(id), name: account },
    details: { host: 'github' },
  };
}
