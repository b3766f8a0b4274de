/** The audit log of an organization: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { Cursor, nullable, Time } from '../../api/dashboard/contract/common.ts';

/** What is recorded. A name never changes its meaning: people filter by it for years. */
export const AUDIT_ACTIONS = [
  'sign_in.succeeded',
  'sign_in.failed',
  'password.changed',
  'password.reset',
  'sign_on.linked',
  'sign_on.unlinked',
  'user.link_created',
  'user.removed',
  'organization.created',
  'organization.renamed',
  'invitation.created',
  'invitation.withdrawn',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'key.created',
  'key.rotated',
  'key.revoked',
  'host.connected',
  'host.disconnected',
  'host.app_created',
  'host.app_removed',
  'project.created',
  'project.changed',
  'project.deleted',
  'pull_request.merge_requested',
  'pull_request.merged',
  'pull_request.close_requested',
  'pull_request.closed',
  'job.cancel_requested',
  'job.cancelled',
  'job.archive_requested',
  'job.archived',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

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
