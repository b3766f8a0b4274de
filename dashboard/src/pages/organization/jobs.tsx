import { getRouteApi } from '@tanstack/react-router';
import { Empty } from '../../components/feedback/loaded.tsx';
import { JobBrowser } from '../../components/jobs/job-browser.tsx';
import { useOrganization } from '../../data/place.ts';
import { Page } from '../../layout/page.tsx';

const route = getRouteApi('/app/$organization/-/jobs');

export function OrganizationJobsPage() {
  const { slug, name } = useOrganization();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="All jobs" lead={`Jobs of all projects of ${name}.`}>
      <JobBrowser
        scope={{ organization: slug }}
        filter={filter}
        onFilter={(search, replace) => {
          void navigate({ search, replace });
        }}
        none={
          <Empty icon="jobs" title="No jobs yet">
            Open a project to start one.
          </Empty>
        }
      />
    </Page>
  );
}
