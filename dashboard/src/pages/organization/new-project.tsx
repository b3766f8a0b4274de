import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { NewProjectForm } from '../../components/projects/new-project-form.tsx';
import { useOrganization } from '../../data/place.ts';
import { repositoriesQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

export function NewProjectPage() {
  const organization = useOrganization();
  const repositories = useQuery(repositoriesQuery(organization.slug));
  return (
    <Page
      title="New project"
      width="narrow"
      lead="A docs repository for the agent to edit, and the site that the assistant answers from."
    >
      <div className="card card-pad">
        <Loaded query={repositories}>
          {list => <NewProjectForm organization={organization.slug} list={list} />}
        </Loaded>
      </div>
    </Page>
  );
}
