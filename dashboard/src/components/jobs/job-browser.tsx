import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Job } from '../../../../api/dashboard/contract/jobs.ts';
import { may, useOrganization } from '../../data/place.ts';
import { jobsQuery } from '../../data/queries.ts';
import type { JobSearch } from '../../routes/job-search.ts';
import { Button } from '../controls/button.tsx';
import { Empty, Loaded, More } from '../feedback/loaded.tsx';
import { ArchiveBar } from './archive-bar.tsx';
import { JobFilters } from './job-filters.tsx';
import { JobRows } from './job-list.tsx';

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
