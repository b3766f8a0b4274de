import { Link } from '@tanstack/react-router';
import { openPalette } from '../data/palette.ts';
import { Icon } from '../components/text/icons.tsx';
import { may, type Organization, type ProjectRef } from '../data/place.ts';
import { ORGANIZATION_PAGES, PROJECT_PAGES } from './page-lists.ts';
import { ProjectSwitcher } from './project-switcher.tsx';
import { UserMenu } from './user-menu.tsx';

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
      {organization && (
        <button type="button" className="palette-opener" onClick={openPalette}>
          Find anything
          <kbd aria-hidden="true">Ctrl K</kbd>
        </button>
      )}
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
