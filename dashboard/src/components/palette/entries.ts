import { useNavigate, type UseNavigateResult } from '@tanstack/react-router';
import { showOverlay } from '../../data/palette.ts';
import { may, type Organization, type ProjectRef } from '../../data/place.ts';
import { newJob } from '../../layout/new-job.ts';
import { ORGANIZATION_PAGES, PROJECT_PAGES } from '../../layout/page-lists.ts';
import type { IconName } from '../text/icons.tsx';

export interface Entry {
  id: string;
  icon: IconName;
  title: string;
  /** What it is, at the end of its line. */
  kind: string;
  open: () => void;
}

type Navigate = UseNavigateResult<string>;

/** Most of the entries that are known here. */
const MOST = 8;

/** Actions, pages of the dashboard and projects whose names contain all the words. */
export function useFixedEntries(
  organization: Organization,
  project: ProjectRef | undefined,
  words: string,
): Entry[] {
  const navigate = useNavigate();
  const wanted = words.toLowerCase().split(/\s+/);
  return [
    ...(project ? ofProject(navigate, organization, project) : []),
    ...ofOrganization(navigate, organization),
    ...projectsOf(navigate, organization),
    shortcuts,
  ]
    .filter(({ title, kind }) =>
      wanted.every(word => `${title} ${kind}`.toLowerCase().includes(word)),
    )
    .slice(0, MOST);
}

const shortcuts: Entry = {
  id: 'shortcuts',
  icon: 'menu',
  title: 'Shortcuts',
  kind: 'Action',
  open: () => showOverlay('shortcuts'),
};

function ofProject(
  navigate: Navigate,
  { slug, role }: Organization,
  { domain, name: projectName }: ProjectRef,
): Entry[] {
  const params = { organization: slug, domain };
  const start: Entry = {
    id: 'new-job',
    icon: 'plus',
    title: `New job in ${projectName}`,
    kind: 'Action',
    open: () => void newJob(navigate, params),
  };
  const pages = PROJECT_PAGES.map(({ to, icon, name }): Entry => ({
    id: to,
    icon,
    title: name,
    kind: projectName,
    open: () => void navigate({ to, params: { ...params, _splat: '' } }),
  }));
  return may(role, 'member') ? [start, ...pages] : pages;
}

function ofOrganization(navigate: Navigate, { slug, name, role }: Organization): Entry[] {
  return ORGANIZATION_PAGES.filter(page => !('ownersOnly' in page) || may(role, 'owner')).map(
    page => ({
      id: page.to,
      icon: page.icon,
      title: page.name,
      kind: name,
      open: () => void navigate({ to: page.to, params: { organization: slug } }),
    }),
  );
}

function projectsOf(navigate: Navigate, { slug, projects }: Organization): Entry[] {
  return projects.map(({ domain, name }) => ({
    id: `project ${domain}`,
    icon: 'projects',
    title: name,
    kind: 'Project',
    open: () =>
      void navigate({ to: '/$organization/$domain', params: { organization: slug, domain } }),
  }));
}
