/** The audit log of an organization: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { AUDIT_ACTIONS } from '../../../db/audit/audit-actions.ts';
import { Cursor, nullable, Time } from './common.ts';

export const AuditQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Cursor),
  action: Type.Optional(Type.Union(AUDIT_ACTIONS.map(action => Type.Literal(action)))),
});
export type AuditQuery = Static<typeof AuditQuery>;

/**
 * `actor.kind` operator: a command on the server. `details` are settings by name, and never content
 * or a secret.
 */
export const AuditEntry = Type.Object({
  id: Type.String(),
  at: Time,
  action: Type.String(),
  actor: Type.Object({
    kind: Type.Union(
      (['user', 'key', 'operator', 'anybody'] as const).map(kind => Type.Literal(kind)),
    ),
    id: nullable(Type.String()),
    name: nullable(Type.String()),
  }),
  address: nullable(Type.String()),
  subject: nullable(
    Type.Object({
      kind: Type.String(),
      id: nullable(Type.String()),
      name: nullable(Type.String()),
    }),
  ),
  details: Type.Record(Type.String(), Type.Unknown()),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditList = Type.Object({
  entries: Type.Array(AuditEntry),
  nextCursor: nullable(Type.String()),
});
export type AuditList = Static<typeof AuditList>;
