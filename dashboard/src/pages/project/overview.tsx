import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Project } from '../../../../api/dashboard/contract/projects/projects.ts';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { JobRows } from '../../components/jobs/job-list.tsx';
import { NewJobForm } from '../../components/jobs/new-job-form.tsx';
import { NoJobs } from '../../components/jobs/no-jobs.tsx';
import { FirstSteps } from '../../components/overview/first-steps.tsx';
import { SuggestedConventions } from '../../components/overview/suggested-conventions.tsx';
import { SearchIndex } from '../../components/projects/search-index.tsx';
import { SiteFound } from '../../components/projects/site-found.tsx';
import { formatNumber, plural } from '../../components/text/format.tsx';
import { may, useProject } from '../../data/place.ts';
import { overviewQuery, projectQuery, recentJobsQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';
import type { Job } from '../../../../api/dashboard/contract/jobs.ts';
import type { Overview } from '../../../../api/dashboard/contract/overview.ts';

const OverviewCharts = lazy(async () => ({
  default: (await import('../../components/overview/overview-charts.tsx')).OverviewCharts,
}));

export function OverviewPage() {
  const { organization, project } = useProject();
  const details = useQuery(projectQuery(project.id));
  const overview = useQuery(overviewQuery(project.id));
  return (
    <Page title={project.name} lead={<span className="mono">{project.domain}</span>}>
      {may(organization.role, 'member') && <NewJobForm />}
      <Figures project={details.data} />
      <Loaded query={overview}>{({ needs }) => <NeedsYou needs={needs} />}</Loaded>
      {overview.data && <FirstSteps steps={overview.data.steps} />}
      {may(organization.role, 'member') && <SuggestedConventions />}
      <RecentJobs />
      {overview.data && (
        <Suspense>
          <OverviewCharts days={overview.data.days} />
        </Suspense>
      )}
      <div className="grid-fill">
        <SearchIndex />
        <SiteFound />
        <Source details={details} />
      </div>
    </Page>
  );
}

function Figures({ project }: { project: Project | undefined }) {
  return (
    <div className="figures">
      <Figure name="Running jobs" value={project?.activeJobs} to="/$organization/$domain/jobs" />
      <Figure
        name="Open pull requests"
        value={project?.openPullRequests}
        to="/$organization/$domain/pulls"
      />
      <Figure
        name="Unanswered questions (30 days)"
        value={project?.unanswered}
        to="/$organization/$domain/questions"
      />
    </div>
  );
}

function Figure({
  name,
  value,
  to,
}: {
  name: string;
  value: number | undefined;
  to: `/$organization/$domain/${'jobs' | 'pulls' | 'questions'}`;
}) {
  const { params } = useProject();
  return (
    <Link to={to} params={params} className="card card-pad figure">
      <span className="value">{value === undefined ? '–' : formatNumber(value)}</span>
      <span className="name">{name}</span>
    </Link>
  );
}

function RecentJobs() {
  const { project, params } = useProject();
  const jobs = useQuery(recentJobsQuery(project.id));
  return (
    <section className="card" aria-labelledby="recent">
      <div className="card-head">
        <h2 id="recent">Recent jobs</h2>
        <Link to="/$organization/$domain/jobs" params={params}>
          All jobs
        </Link>
      </div>
      <Loaded query={jobs}>
        {({ jobs: list }) =>
          list.length > 0 ? <JobRows jobs={list} organization={params.organization} /> : <NoJobs />
        }
      </Loaded>
    </section>
  );
}

function Source({ details }: { details: UseQueryResult<Project> }) {
  const { params } = useProject();
  return (
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
                'not set: links are relative'
              )}
            </dd>
          </dl>
        )}
      </Loaded>
    </section>
  );
}

/** What waits for a person. Nothing waits: one line. */
function NeedsYou({ needs }: { needs: Overview['needs'] }) {
  const { params } = useProject();
  const { waiting, review, failed, unanswered, webhooks } = needs;
  const nothing = waiting.length + review.length + failed.length + unanswered + webhooks === 0;
  return (
    <section className="card" aria-labelledby="needs-you">
      <div className="card-head">
        <h2 id="needs-you">Needs you</h2>
        {unanswered > 0 && (
          <Link to="/$organization/$domain/questions" params={params}>
            {plural(unanswered, 'unanswered question')}
          </Link>
        )}
      </div>
      {nothing && <p className="card-pad soft">Nothing needs your attention.</p>}
      {webhooks > 0 && (
        <p className="card-pad">
          <Link to="/$organization/-/webhooks" params={params}>
            {plural(webhooks, 'webhook')} disabled after failed deliveries
          </Link>
        </p>
      )}
      <NeedsRows title="Jobs that wait for you" jobs={waiting} />
      <NeedsRows title="Pull requests to review" jobs={review} />
      <NeedsRows title="Failed jobs" jobs={failed} />
    </section>
  );
}

function NeedsRows({ title, jobs }: { title: string; jobs: readonly Job[] }) {
  const { organization } = useProject();
  if (jobs.length === 0) return null;
  return (
    <>
      <h3 className="card-pad needs-title">{title}</h3>
      <JobRows jobs={jobs} organization={organization.slug} />
    </>
  );
}
