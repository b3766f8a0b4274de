import { Link, type LinkProps } from '@tanstack/react-router';
import { Icon, type IconName } from '../components/text/icons.tsx';
import { may, type Organization, type ProjectRef } from '../data/place.ts';
import { ProjectSwitcher } from './project-switcher.tsx';
import { UserMenu } from './user-menu.tsx';

const PROJECT = '/$organization/$domain';
const PROJECT_PAGES = [
  { to: PROJECT, icon: 'overview', name: 'Overview', exact: true },
  { to: `${PROJECT}/jobs`, icon: 'jobs', name: 'Jobs' },
  { to: `${PROJECT}/pulls`, icon: 'pulls', name: 'Pull requests' },
  { to: `${PROJECT}/docs/$`, icon: 'book', name: 'Docs' },
  { to: `${PROJECT}/playground`, icon: 'playground', name: 'Playground' },
  { to: `${PROJECT}/questions`, icon: 'questions', name: 'Questions' },
  { to: `${PROJECT}/keys`, icon: 'keys', name: 'API keys' },
  { to: `${PROJECT}/settings`, icon: 'settings', name: 'Settings' },
] as const satisfies readonly ListedPage[];

const ORGANIZATION = '/$organization';
const ORGANIZATION_PAGES = [
  { to: ORGANIZATION, icon: 'projects', name: 'Projects', exact: true },
  { to: `${ORGANIZATION}/-/members`, icon: 'members', name: 'Members' },
  { to: `${ORGANIZATION}/-/github`, icon: 'plug', name: 'GitHub', ownersOnly: true },
  { to: `${ORGANIZATION}/-/usage`, icon: 'usage', name: 'Usage' },
  { to: `${ORGANIZATION}/-/audit`, icon: 'check', name: 'Audit log', ownersOnly: true },
] as const satisfies readonly ListedPage[];

interface ListedPage {
  to: LinkProps['to'];
  icon: IconName;
  name: string;
  /** Marked as the current page only at its own address, not below it. */
  exact?: true;
  ownersOnly?: true;
}

export function Sidebar({
  organization,
  project,
}: {
  organization: Organization | undefined;
  project: ProjectRef | undefined;
}) {
  return (
    <>
      <Link to="/" className="brand">
        <img src="/dashboard/icon.svg" alt="" width="24" height="24" />
        Docent
      </Link>
      {organization && <ProjectSwitcher organization={organization} project={project} />}
      <nav aria-label="Pages" className="stack">
        {organization && project && (
          <PageList
            pages={PROJECT_PAGES}
            params={{ organization: organization.slug, domain: project.domain }}
          />
        )}
        {organization && (
          <div>
            <p className="nav-title">{organization.name}</p>
            <PageList
              pages={ORGANIZATION_PAGES.filter(
                page => !('ownersOnly' in page) || may(organization.role, 'owner'),
              )}
              params={{ organization: organization.slug, domain: '' }}
            />
          </div>
        )}
      </nav>
      <div className="sidebar-foot">
        <UserMenu />
      </div>
    </>
  );
}

function PageList({
  pages,
  params,
}: {
  pages: readonly ((typeof PROJECT_PAGES)[number] | (typeof ORGANIZATION_PAGES)[number])[];
  params: { organization: string; domain: string };
}) {
  return (
    <ul className="nav">
      {pages.map(({ to, icon, name, ...page }) => (
        <li key={to}>
          <Link
            to={to}
            params={{ ...params, _splat: '' }}
            className="nav-link"
            activeOptions={{ exact: 'exact' in page, includeSearch: false }}
          >
            <Icon name={icon} />
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
