import type { FastifyRequest } from 'fastify';
import type { AuditAction } from '../db/audit/audit-actions.ts';
import { type AuditActor, recordAudit } from '../db/audit/audit-log.ts';
import type { Job } from '../db/jobs/job.ts';
import type { Queryable } from '../db/pool.ts';
import type { ApiKey } from '../db/projects/keys.ts';
import type { SignedIn } from '../db/people/sessions.ts';
import { rowStatus } from '../jobs/read-job.ts';
import { plainAddress } from './plugins/client-address.ts';

/** Who sent a request, for the audit log. */
export function actorOf(request: FastifyRequest): AuditActor {
  const { signedIn, apiKey } = request as { signedIn?: SignedIn; apiKey?: ApiKey };
  const address = plainAddress(request.ip);
  if (signedIn) return { ...userActor(signedIn.user), address };
  if (apiKey) return { kind: 'key', id: apiKey.id, name: apiKey.start, address };
  return { kind: 'anybody', address };
}

/** A person who is about to be signed in. */
export function personOf(request: FastifyRequest, user: SignedIn['user']): AuditActor {
  return { ...userActor(user), address: plainAddress(request.ip) };
}

function userActor({ id, email }: SignedIn['user']): AuditActor {
  return { kind: 'user', id, name: email };
}

/** Words of readers are handed out. The audit log names nobody. */
export async function recordExport(
  db: Queryable,
  request: FastifyRequest,
  details: { of: 'conversations' | 'conversation' | 'questions' | 'groups' },
): Promise<void> {
  const { id, organizationId, name } = request.project;
  await recordAudit(db, organizationId, {
    ...{ action: 'reader.exported', actor: actorOf(request), details },
    subject: { kind: 'project', id, name },
  });
}

/** Acts that end in git or in Temporal, where no transaction of ours contains them. */
const REQUESTS = {
  'pull_request.merged': 'pull_request.merge_requested',
  'pull_request.closed': 'pull_request.close_requested',
  'job.cancelled': 'job.cancel_requested',
  'job.archived': 'job.archive_requested',
} as const satisfies Partial<Record<AuditAction, AuditAction>>;
export type OutsideAction = keyof typeof REQUESTS;

/**
 * Does what no transaction contains. Its request is recorded before it and its success after it, so
 * that a crash in between leaves an entry. `happened`: whether the result is the success.
 */
export async function recordAround<T>(
  action: OutsideAction,
  record: (action: AuditAction) => Promise<void>,
  act: () => Promise<T>,
  happened: (result: T) => boolean = () => true,
): Promise<T> {
  await record(REQUESTS[action]);
  const result = await act();
  if (happened(result)) await record(action);
  return result;
}

/**
 * Cancels or archives a job, and records it. Without a worker the job stays as it is, and so does
 * the request.
 */
export async function recordEndOfJob(
  db: Queryable,
  request: FastifyRequest,
  action: 'job.cancelled' | 'job.archived',
  act: () => Promise<Job>,
): Promise<Job> {
  const { project, job } = request;
  const record = (recorded: AuditAction) =>
    recordAudit(db, project.organizationId, {
      action: recorded,
      actor: actorOf(request),
      subject: { kind: 'job', id: job.id },
      details: { project: project.id },
    });
  return recordAround(action, record, act, after =>
    action === 'job.archived' ? after.archivedAt !== null : rowStatus(after) !== 'active',
  );
}

/** Records what a person decides about a job, in the transaction that stores it. */
export function recordDecision(
  request: FastifyRequest,
  action: 'job.approved' | 'job.declined' | 'job.budget_changed',
  details: Record<string, unknown> = {},
): (tx: Queryable, more?: Record<string, unknown>) => Promise<void> {
  const { project, job } = request;
  return (tx, more) =>
    recordAudit(tx, project.organizationId, {
      action,
      actor: actorOf(request),
      subject: { kind: 'job', id: job.id },
      details: { project: project.id, turn: job.turns, ...details, ...more },
    });
}
