import { useSuspenseQuery } from '@tanstack/react-query';
import { notFound, useParams } from '@tanstack/react-router';
import type { Role, Session } from '../../../shared/dashboard.ts';
import { sessionQuery } from './queries.ts';

export type Organization = Session['organizations'][number];
export type { Role };
export type ProjectRef = Organization['projects'][number];

const RANK: Record<Role, number> = { viewer: 0, member: 1, owner: 2 };

/** Whether somebody of this role sees a control. What counts is the server's own check. */
export function may(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** The organization that the address names; the router's "not found" where it is none of ours. */
export function useOrganization(): Organization {
  const { organization: slug } = useParams({ strict: false });
  const found = useSession().organizations.find(each => each.slug === slug);
  if (!found) throw notFound();
  return found;
}

/** The project that the address names: the last segment of its address is its domain. */
export function useProject(): { organization: Organization; project: ProjectRef; params: { organization: string; domain: string } } {
  const organization = useOrganization();
  const { domain } = useParams({ strict: false });
  const project = organization.projects.find(each => each.domain === domain);
  if (!project) throw notFound();
  return { organization, project, params: { organization: organization.slug, domain: project.domain } };
}
