import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../components/controls/button.tsx';
import { SearchBox } from '../../components/controls/search-box.tsx';
import { Empty, Loaded, More } from '../../components/feedback/loaded.tsx';
import { JobRows } from '../../components/jobs/job-list.tsx';
import { NewJobForm } from '../../components/jobs/new-job-form.tsx';
import { NoJobs } from '../../components/jobs/no-jobs.tsx';
import { may, useProject } from '../../data/place.ts';
import { jobsQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

const route = getRouteApi('/app/$organization/$domain/jobs');

export function JobsPage() {
  const { organization, project, params } = useProject();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const jobs = useInfiniteQuery(jobsQuery(project.id, filter));
  return (
    <Page
      title="Jobs"
      lead="Each instruction becomes a pull request. Follow-ups update the same one."
    >
      {may(organization.role, 'member') && <NewJobForm />}
      <Filters />
      <section className="card" aria-label="Jobs">
        <Loaded query={jobs}>
          {({ pages }) => {
            const list = pages.flatMap(page => page.jobs);
            if (list.length > 0) return <JobRows jobs={list} params={params} />;
            if (filter.status === undefined && filter.search === undefined) return <NoJobs />;
            return (
              <Empty
                icon="jobs"
                title="No jobs match"
                action={
                  <Button
                    onClick={() => {
                      void navigate({ search: {} });
                    }}
                  >
                    Show all jobs
                  </Button>
                }
              />
            );
          }}
        </Loaded>
      </section>
      <More query={jobs}>Show older jobs</More>
    </Page>
  );
}

function Filters() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <div className="filters">
      <SearchBox
        label="Search jobs"
        placeholder="Search instructions and titles"
        value={filter.search}
        onChange={search => {
          void navigate({ search: old => ({ ...old, search }), replace: true });
        }}
      />
      <select
        className="input"
        aria-label="Status"
        value={filter.status ?? ''}
        onChange={event => {
          void navigate({
            search: old => ({
              ...old,
              status: (event.target.value || undefined) as typeof filter.status,
            }),
          });
        }}
      >
        <option value="">Any status</option>
        <option value="active">Active</option>
        <option value="completed">Completed</option>
        <option value="failed">Failed</option>
      </select>
    </div>
  );
}
