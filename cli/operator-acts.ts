import { OPERATOR, recordAudit } from '../db/audit/audit-log.ts';
import { createSetupLink } from '../db/people/invitations.ts';
import { createOrganization, type Organization } from '../db/people/organizations.ts';
import type { Transaction } from '../db/pool.ts';
import { createKey } from '../db/projects/keys.ts';
import { createProject, type NewProject, type Project } from '../db/projects/projects.ts';

// What several commands create, with its entry in the audit log.

export async function createRecordedOrganization(
  tx: Transaction,
  organization: { slug: string; name: string },
): Promise<Organization> {
  const created = await createOrganization(tx, organization);
  await recordAudit(tx, created.id, {
    action: 'organization.created',
    actor: OPERATOR,
    subject: { kind: 'organization', id: created.id, name: created.slug },
  });
  return created;
}

export async function createRecordedProject(
  tx: Transaction,
  project: NewProject,
): Promise<Project> {
  const created = await createProject(tx, project);
  await recordAudit(tx, created.organizationId, {
    action: 'project.created',
    actor: OPERATOR,
    subject: { kind: 'project', id: created.id, name: created.domain },
    details: { host: created.host, repository: created.repository },
  });
  return created;
}

export async function createRecordedKey(
  tx: Transaction,
  wanted: Parameters<typeof createKey>[1],
): ReturnType<typeof createKey> {
  const made = await createKey(tx, wanted);
  await recordAudit(tx, wanted.organizationId, {
    action: 'key.created',
    actor: OPERATOR,
    subject: { kind: 'key', id: made.key.id, name: `${made.key.name} (${made.key.start})` },
    details: { kind: made.key.kind, expiresAt: made.key.expiresAt },
  });
  return made;
}

/** The token of the link that makes the first owner; undefined if a person can sign in already. */
export async function createRecordedSetupLink(
  tx: Transaction,
  organizationId: string,
): Promise<string | undefined> {
  const link = await createSetupLink(tx, organizationId);
  if (!link) return undefined;
  await recordAudit(tx, organizationId, {
    action: 'invitation.created',
    actor: OPERATOR,
    details: { role: 'owner' },
  });
  return link.token;
}
