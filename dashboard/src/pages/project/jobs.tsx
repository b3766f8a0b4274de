import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../components/controls/button.tsx';
import { NewJobBox } from '../../components/forms/text-box.tsx';
import { JobRows } from '../../components/jobs/job-list.tsx';
import { Page } from '../../layout/page.tsx';
import { SearchBox } from '../../components/controls/search-box.tsx';
import { Empty, Loaded, More } from '../../components/feedback/loaded.tsx';
import { may, useProject, useSession } from '../../data/place.ts';
import { jobsQuery } from '../../data/queries.ts';

const route = getRouteApi('/app/$organization/$domain/jobs');

export function JobsPage() {
  const { organization, project, params } = useProject();
  const { baseUrl } = useSession();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const jobs = useInfiniteQuery(jobsQuery(project.id, filter));
  const filtered = filter.status !== undefined || filter.search !== undefined;
  return (
    <Page title="Jobs" lead="An instruction becomes a pull request; follow-ups go to the same one.">
      {may(organization.role, 'member') && <NewJobBox />}
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
      <section className="card" aria-label="Jobs">
        <Loaded query={jobs}>
          {({ pages }) => {
            const list = pages.flatMap(page => page.jobs);
            if (list.length > 0) return <JobRows jobs={list} params={params} />;
            if (filtered)
              return (
                <Empty
                  icon="jobs"
                  title="No job matches"
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
            return (
              <Empty icon="jobs" title="No job yet" command={firstJob(baseUrl, project.id)}>
                Give the agent an instruction above, or from a script with an admin key:
              </Empty>
            );
          }}
        </Loaded>
      </section>
      <More query={jobs}>Show older jobs</More>
    </Page>
  );
}

export function firstJob(baseUrl: string, projectId: string): string {
  return [
    `curl -X POST ${baseUrl}/v2/agent/${projectId}/job \\`,
    '  -H "Authorization: Bearer $ADMIN_KEY" -H "Content-Type: application/json" \\',
    `  -d '{"prompt": "Replace \\"log-in\\" with \\"sign-in\\""}'`,
  ].join('\n');
}
