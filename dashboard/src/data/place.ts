import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Role, Session } from '../../../api/dashboard/contract/people.ts';
import { sessionQuery } from './queries.ts';

export type Organization = Session['organizations'][number];
export type { Role };
export type ProjectRef = Organization['projects'][number];

const RANK: Record<Role, number> = { viewer: 0, member: 1, owner: 2 };

/** Whether this role sees a control. The server checks again. */
export function may(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** What the address names, as far as it is ours. */
export function usePlace(): {
  organization: Organization | undefined;
  project: ProjectRef | undefined;
} {
  const { organization: slug, domain } = useParams({ strict: false });
  const organization = useSession().organizations.find(each => each.slug === slug);
  return { organization, project: organization?.projects.find(each => each.domain === domain) };
}

/** For pages below an organization's address: The route lets nobody else through. */
export function useOrganization(): Organization {
  const { organization } = usePlace();
  if (!organization) throw new Error('outside an organization');
  return organization;
}

/** For pages below a project's address: the last segment of that is its domain. */
export function useProject(): {
  organization: Organization;
  project: ProjectRef;
  params: { organization: string; domain: string };
} {
  const { organization, project } = usePlace();
  if (!organization || !project) throw new Error('outside a project');
  return {
    organization,
    project,
    params: { organization: organization.slug, domain: project.domain },
  };
}
