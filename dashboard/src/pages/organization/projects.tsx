import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/controls/button.tsx';
import { Copyable } from '../../components/controls/copy.tsx';
import { Empty } from '../../components/feedback/loaded.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { may, useOrganization } from '../../data/place.ts';
import { Page } from '../../layout/page.tsx';

export function ProjectsPage() {
  const organization = useOrganization();
  const params = { organization: organization.slug };
  const create = may(organization.role, 'owner') && (
    <Link to="/$organization/-/new-project" params={params} className={buttonClass('primary')}>
      <Icon name="plus" size={16} />
      New project
    </Link>
  );
  return (
    <Page title="Projects" lead="One docs repository plus one docs site each." actions={create}>
      <div className="card">
        {organization.projects.length === 0 ? (
          <Empty
            icon="projects"
            title="No project yet"
            command='./bin/docent.mjs project add "Docs" --repository ./my-docs'
          >
            {create
              ? 'Make one here, or on the command line.'
              : 'An owner of the organization makes the first one.'}
          </Empty>
        ) : (
          <ul className="list">
            {organization.projects.map(project => (
              <li key={project.id} className="list-row">
                <span className="monogram" aria-hidden="true">
                  {project.name.slice(0, 1)}
                </span>
                <div>
                  <Link
                    to="/$organization/$domain"
                    params={{ ...params, domain: project.domain }}
                    className="title"
                  >
                    {project.name}
                  </Link>
                  <div className="meta">{project.domain}</div>
                </div>
                <span className="end above small">
                  <Copyable text={project.id} what={`project ID of ${project.name}`} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Page>
  );
}
