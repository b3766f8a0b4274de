import type { FastifyRequest } from 'fastify';
import type { AuditAction } from '../shared/dashboard/audit.ts';
import { type AuditActor, recordAudit } from '../shared/db/audit/audit-log.ts';
import type { Queryable } from '../shared/db/pool.ts';
import type { ApiKey } from '../shared/db/projects/keys.ts';
import type { SignedIn } from '../shared/db/people/sessions.ts';
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

/** Records the end of a job, which a signal asks for: no transaction contains one. */
export async function recordEndOfJob(
  db: Queryable,
  request: FastifyRequest,
  action: AuditAction,
  jobId: string,
): Promise<void> {
  await recordAudit(db, request.project.organizationId, {
    action,
    actor: actorOf(request),
    subject: { kind: 'job', id: jobId },
    details: { project: request.project.id },
  });
}
