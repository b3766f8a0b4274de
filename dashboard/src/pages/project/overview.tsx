import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { NewJobBox } from '../../components/forms/text-box.tsx';
import { formatNumber } from '../../components/text/format.tsx';
import { IndexCard } from '../../components/projects/search-index.tsx';
import { JobRows } from '../../components/jobs/job-list.tsx';
import { Page } from '../../layout/page.tsx';
import { Empty, Loaded } from '../../components/feedback/loaded.tsx';
import { may, useProject, useSession } from '../../data/place.ts';
import { projectQuery, recentJobsQuery } from '../../data/queries.ts';
import { firstJob } from './jobs.tsx';

export function OverviewPage() {
  const { organization, project, params } = useProject();
  const { baseUrl } = useSession();
  const details = useQuery(projectQuery(project.id));
  const jobs = useQuery(recentJobsQuery(project.id));
  return (
    <Page title={project.name} lead={<span className="mono">{project.domain}</span>}>
      {may(organization.role, 'member') && <NewJobBox />}
      <div className="figures">
        <Figure
          name="Jobs at work"
          value={details.data?.activeJobs}
          to="/$organization/$domain/jobs"
          params={params}
        />
        <Figure
          name="Open pull requests"
          value={details.data?.openPullRequests}
          to="/$organization/$domain/pulls"
          params={params}
        />
        <Figure
          name="Unanswered questions, 30 days"
          value={details.data?.unanswered}
          to="/$organization/$domain/questions"
          params={params}
        />
      </div>
      <section className="card" aria-labelledby="recent">
        <div className="card-head">
          <h2 id="recent">Recent jobs</h2>
          <Link to="/$organization/$domain/jobs" params={params}>
            All jobs
          </Link>
        </div>
        <Loaded query={jobs}>
          {({ jobs: list }) =>
            list.length > 0 ? (
              <JobRows jobs={list} params={params} />
            ) : (
              <Empty icon="jobs" title="No job yet" command={firstJob(baseUrl, project.id)}>
                Give the agent an instruction above, or from a script with an admin key:
              </Empty>
            )
          }
        </Loaded>
      </section>
      <div className="grid-2">
        <IndexCard />
        <section className="card" aria-labelledby="source">
          <div className="card-head">
            <h2 id="source">Source</h2>
            <Link to="/$organization/$domain/settings" params={params}>
              Settings
            </Link>
          </div>
          <Loaded query={details} lines={3}>
            {data => (
              <dl className="facts card-pad">
                <dt>Repository</dt>
                <dd>{data.repositoryUrl}</dd>
                <dt>Base branch</dt>
                <dd>
                  <code>{data.baseRef}</code>
                </dd>
                <dt>Docs folder</dt>
                <dd>
                  <code>{data.docsFolder || '/'}</code>
                </dd>
                <dt>Site</dt>
                <dd>
                  {data.siteUrl ? (
                    <a href={data.siteUrl}>{data.siteUrl}</a>
                  ) : (
                    'no address set; links are relative'
                  )}
                </dd>
              </dl>
            )}
          </Loaded>
        </section>
      </div>
    </Page>
  );
}

function Figure({
  name,
  value,
  to,
  params,
}: {
  name: string;
  value: number | undefined;
  to:
    | '/$organization/$domain/jobs'
    | '/$organization/$domain/pulls'
    | '/$organization/$domain/questions';
  params: { organization: string; domain: string };
}) {
  return (
    <Link to={to} params={params} className="card card-pad figure">
      <span className="value">{value === undefined ? '–' : formatNumber(value)}</span>
      <span className="name">{name}</span>
    </Link>
  );
}
