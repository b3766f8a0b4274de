import { Link, type LinkProps, useRouter } from '@tanstack/react-router';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Icon, type IconName } from '../components/text/icons.tsx';
import { Menu } from '../components/controls/menu.tsx';
import { Notice } from '../components/feedback/notice.tsx';
import { may, type Organization, type ProjectRef, useSession } from '../data/place.ts';
import { call, RequestError } from '../data/request.ts';
import { ThemeChoice } from './theme.tsx';

const PROJECT_PAGES = [
  ['/$organization/$domain', 'overview', 'Overview'],
  ['/$organization/$domain/jobs', 'jobs', 'Jobs'],
  ['/$organization/$domain/pulls', 'pulls', 'Pull requests'],
  ['/$organization/$domain/playground', 'playground', 'Playground'],
  ['/$organization/$domain/questions', 'questions', 'Questions'],
  ['/$organization/$domain/keys', 'keys', 'API keys'],
  ['/$organization/$domain/settings', 'settings', 'Settings'],
] as const satisfies readonly (readonly [LinkProps['to'], IconName, string])[];

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
      {organization && <Switcher organization={organization} project={project} />}
      <nav aria-label="Pages" className="stack">
        {organization && project && (
          <ul className="nav">
            {PROJECT_PAGES.map(([to, icon, name], i) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ organization: organization.slug, domain: project.domain }}
                  className="nav-link"
                  activeOptions={{ exact: i === 0, includeSearch: false }}
                >
                  <Icon name={icon} />
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        )}
        {organization && (
          <div>
            <p className="nav-title">{organization.name}</p>
            <ul className="nav">
              <li>
                <Link
                  to="/$organization"
                  params={{ organization: organization.slug }}
                  className="nav-link"
                  activeOptions={{ exact: true }}
                >
                  <Icon name="projects" />
                  Projects
                </Link>
              </li>
              <li>
                <Link
                  to="/$organization/-/members"
                  params={{ organization: organization.slug }}
                  className="nav-link"
                >
                  <Icon name="members" />
                  Members
                </Link>
              </li>
              {may(organization.role, 'owner') && (
                <li>
                  <Link
                    to="/$organization/-/github"
                    params={{ organization: organization.slug }}
                    className="nav-link"
                    activeOptions={{ includeSearch: false }}
                  >
                    <Icon name="plug" />
                    GitHub
                  </Link>
                </li>
              )}
              <li>
                <Link
                  to="/$organization/-/usage"
                  params={{ organization: organization.slug }}
                  className="nav-link"
                  activeOptions={{ includeSearch: false }}
                >
                  <Icon name="usage" />
                  Usage
                </Link>
              </li>
            </ul>
          </div>
        )}
      </nav>
      <div className="sidebar-foot">
        <UserMenu />
      </div>
    </>
  );
}

function Switcher({
  organization,
  project,
}: {
  organization: Organization;
  project: ProjectRef | undefined;
}) {
  const { organizations } = useSession();
  const name = project?.name ?? 'All projects';
  return (
    <Menu
      className="switcher"
      label="switch project"
      button={
        <>
          <span className="monogram" aria-hidden="true">
            {name.slice(0, 1)}
          </span>
          <span className="names">
            <span className="clip" style={{ display: 'block', fontWeight: 600 }}>
              {name}
            </span>
            <span className="clip small faint" style={{ display: 'block' }}>
              {project?.domain ?? organization.name}
            </span>
          </span>
          <Icon name="chevrons" size={16} />
        </>
      }
    >
      {organizations.map(each => (
        <div key={each.id}>
          <p className="menu-title">{each.name}</p>
          {each.projects.map(one => (
            <Link
              key={one.id}
              to="/$organization/$domain"
              params={{ organization: each.slug, domain: one.domain }}
              className="menu-item"
              aria-current={one.id === project?.id ? 'true' : undefined}
            >
              {one.name} <span className="faint small">{one.domain}</span>
            </Link>
          ))}
          <Link to="/$organization" params={{ organization: each.slug }} className="menu-item soft">
            All projects
          </Link>
        </div>
      ))}
      {may(organization.role, 'owner') && (
        <>
          <hr className="menu-rule" />
          <Link
            to="/$organization/-/new-project"
            params={{ organization: organization.slug }}
            className="menu-item"
          >
            <Icon name="plus" size={16} />
            New project
          </Link>
        </>
      )}
    </Menu>
  );
}

function UserMenu() {
  const { user } = useSession();
  const router = useRouter();
  const client = useQueryClient();
  const signOut = useMutation({
    async mutationFn() {
      await call('DELETE /session', {}).catch((error: unknown) => {
        if (!(error instanceof RequestError && error.status === 401)) throw error; // else it has ended already
      });
      await router.navigate({ to: '/sign-in' });
      client.clear();
    },
  });
  return (
    <>
      {signOut.error && (
        <Notice tone="bad">You are still signed in. {signOut.error.message}</Notice>
      )}
      <ThemeChoice />
      <Menu
        className="nav-link button-quiet"
        label="account"
        button={
          <>
            <Icon name="user" />
            <span className="clip">{user.name}</span>
          </>
        }
      >
        <p className="menu-title">{user.email}</p>
        <Link to="/-/account" className="menu-item">
          Account and sessions
        </Link>
        <a href="/reference" className="menu-item">
          API reference <Icon name="external" size={14} />
        </a>
        <hr className="menu-rule" />
        <button type="button" className="menu-item" onClick={() => signOut.mutate()}>
          Sign out
        </button>
      </Menu>
    </>
  );
}
