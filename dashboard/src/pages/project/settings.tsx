import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { ProjectSettings } from '../../components/projects/project-settings.tsx';
import { RemoveProject } from '../../components/projects/remove-project.tsx';
import { RepositoryAccess } from '../../components/projects/repository-access.tsx';
import { SearchIndex } from '../../components/projects/search-index.tsx';
import { SiteFound } from '../../components/projects/site-found.tsx';
import { may, useProject } from '../../data/place.ts';
import { projectQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

export function SettingsPage() {
  const { organization, project } = useProject();
  const details = useQuery(projectQuery(project.id));
  const owner = may(organization.role, 'owner');
  return (
    <Page title="Settings" width="narrow">
      <section className="card card-pad section" aria-labelledby="project">
        <h2 id="project">Project</h2>
        <Loaded query={details}>
          {data => <ProjectSettings project={data} mayEdit={owner} />}
        </Loaded>
      </section>
      {details.data?.needsCredentials && may(organization.role, 'member') && (
        <RepositoryAccess host={details.data.hostName} />
      )}
      <SiteFound />
      <SearchIndex />
      {owner && details.data && <RemoveProject project={details.data} />}
    </Page>
  );
}
