import { Link } from '@tanstack/react-router';
import { Menu } from '../components/controls/menu.tsx';
import { Icon } from '../components/text/icons.tsx';
import { may, type Organization, type ProjectRef, useSession } from '../data/place.ts';

interface Props {
  organization: Organization;
  project: ProjectRef | undefined;
}

/** A menu of all projects of the person's organizations. */
export function ProjectSwitcher({ organization, project }: Props) {
  const { organizations } = useSession();
  return (
    <Menu
      className="switcher"
      label="switch project"
      button={<Current organization={organization} project={project} />}
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
          <Link
            to="/$organization"
            params={{ organization: each.slug }}
            className="menu-item soft"
            activeOptions={{ exact: true }}
          >
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

function Current({ organization, project }: Props) {
  const name = project?.name ?? 'All projects';
  return (
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
  );
}
