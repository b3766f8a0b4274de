import { getRouteApi } from '@tanstack/react-router';
import { JobBrowser } from '../../components/jobs/job-browser.tsx';
import { NewJobForm } from '../../components/jobs/new-job-form.tsx';
import { NoJobs } from '../../components/jobs/no-jobs.tsx';
import { may, useProject } from '../../data/place.ts';
import { Page } from '../../layout/page.tsx';

const route = getRouteApi('/app/$organization/$domain/jobs');

export function JobsPage() {
  const { organization, project } = useProject();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="Jobs"
      lead="Each instruction becomes a pull request. Follow-ups update the same one."
    >
      {may(organization.role, 'member') && <NewJobForm />}
      <JobBrowser
        scope={{ projectId: project.id }}
        filter={filter}
        onFilter={(search, replace) => {
          void navigate({ search, replace });
        }}
        none={<NoJobs />}
      />
    </Page>
  );
}
