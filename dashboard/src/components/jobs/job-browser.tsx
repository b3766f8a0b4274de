import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Job } from '../../../../api/dashboard/contract/jobs.ts';
import { may, useOrganization } from '../../data/place.ts';
import { jobsQuery } from '../../data/queries.ts';
import type { JobSearch } from '../../routes/job-search.ts';
import { Button } from '../controls/button.tsx';
import { Empty, Loaded, More } from '../feedback/loaded.tsx';
import { JobFilters } from './job-filters.tsx';
import { JobRows } from './job-list.tsx';
import { call } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { plural } from '../text/format.tsx';

interface Props {
  scope: { projectId: string } | { organization: string };
  filter: JobSearch;
  /** `replace`: the step before is not kept, as while a person types. */
  onFilter: (filter: JobSearch, replace: boolean) => void;
  /** Where there are no jobs at all. */
  none: ReactNode;
}

/** A list of jobs with its filters; members can archive several at once. */
export function JobBrowser({ scope, filter, onFilter, none }: Props) {
  const organization = useOrganization();
  const jobs = useInfiniteQuery(jobsQuery(scope, filter));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const list = jobs.data?.pages.flatMap(page => page.jobs) ?? [];
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  return (
    <>
      <JobFilters filter={filter} onFilter={onFilter} />
      <ArchiveBar
        jobs={list.filter(job => chosen.has(job.id) && canArchive(job))}
        onDone={() => setChosen(new Set())}
      />
      <section className="card" aria-label="Jobs">
        <Loaded query={jobs}>
          {() =>
            list.length > 0 ? (
              <JobRows
                jobs={list}
                organization={organization.slug}
                withProject={'organization' in scope}
                selection={may(organization.role, 'member') && { chosen, choose }}
              />
            ) : Object.keys(filter).length === 0 ? (
              none
            ) : (
              <Empty
                icon="jobs"
                title="No jobs match"
                action={<Button onClick={() => onFilter({}, false)}>Show all jobs</Button>}
              />
            )
          }
        </Loaded>
      </section>
      <More query={jobs}>Show older jobs</More>
    </>
  );
}

function canArchive(job: Job): boolean {
  return job.archivedAt === null && job.status !== 'active';
}

/** Archives the chosen jobs, one after the other. */
function ArchiveBar({ jobs, onDone }: { jobs: readonly Job[]; onDone: () => void }) {
  const client = useQueryClient();
  if (jobs.length === 0) return null;
  const archive = async () => {
    const failures: string[] = [];
    for (const { id, project } of jobs) {
      await call('POST /projects/:projectId/jobs/:id/archive', {
        params: { projectId: project.id, id },
      }).catch((error: Error) => failures.push(error.message));
    }
    onDone();
    const archived = jobs.length - failures.length;
    showToast(
      failures.length === 0
        ? { text: `${plural(archived, 'job')} archived.` }
        : { text: `${archived} of ${jobs.length} archived. ${failures[0]}`, tone: 'bad' },
    );
    await client.invalidateQueries();
  };
  return (
    <div className="row-between archive-bar" role="region" aria-label="Chosen jobs">
      <span>{plural(jobs.length, 'job')} chosen</span>
      <ConfirmButton
        label="Archive"
        about="the chosen jobs"
        title={`Archive ${plural(jobs.length, 'job')}?`}
        verb="Archive"
        action={archive}
      >
        They take no more follow-ups. Their pull requests stay as they are. This cannot be undone.
      </ConfirmButton>
    </div>
  );
}
