import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/controls/button.tsx';
import { Copyable } from '../../components/controls/copy.tsx';
import { Empty } from '../../components/feedback/loaded.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { may, type ProjectRef, useOrganization } from '../../data/place.ts';
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
    <Page
      title="Projects"
      lead="Each project is one docs repository and one docs site."
      actions={create}
    >
      <div className="card">
        {organization.projects.length === 0 ? (
          <Empty
            icon="projects"
            title="No projects yet"
            command='npx docent project add "Docs" --repository ./my-docs'
          >
            {create
              ? 'Create one here or on the command line.'
              : 'An owner of the organization can create the first one.'}
          </Empty>
        ) : (
          <ul className="list">
            {' '}
            {organization.projects.map(project => (
              <ProjectRow key={project.id} project={project} params={params} />
            ))}
          </ul>
        )}
      </div>
    </Page>
  );
}

function ProjectRow({
  project,
  params,
}: {
  project: ProjectRef;
  params: { organization: string };
}) {
  return (
    <li className="list-row">
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
  );
}
