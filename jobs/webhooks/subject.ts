import type { AuditEvent } from '../../db/audit/audit-log.ts';

/** An endpoint in the audit log. Its path may contain a secret. */
export function subjectOf({
  id,
  url,
}: {
  id: string;
  url: string;
}): NonNullable<AuditEvent['subject']> {
  return { kind: 'webhook', id, name: new URL(url).origin };
}
