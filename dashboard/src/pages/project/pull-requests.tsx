import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { PullRequestList } from '../../../../api/dashboard/contract/jobs.ts';
import { buttonClass } from '../../components/controls/button.tsx';
import { Empty, Loaded, More } from '../../components/feedback/loaded.tsx';
import { PullRequestRows } from '../../components/pull-requests/pull-request-list.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { useProject } from '../../data/place.ts';
import { pullsQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

const route = getRouteApi('/app/$organization/$domain/pulls');
const STATES = [
  [undefined, 'Open'],
  ['merged', 'Merged'],
  ['closed', 'Closed'],
  ['all', 'All'],
] as const;

export function PullRequestsPage() {
  const { project, params } = useProject();
  const { state } = route.useSearch();
  const pulls = useInfiniteQuery(
    pullsQuery(project.id, state === 'all' ? undefined : (state ?? 'open')),
  );
  return (
    <Page title="Pull requests" lead="Changes that the agent proposes, to review and merge.">
      <nav className="tabs" aria-label="State">
        {STATES.map(([value, name]) => (
          <Link
            key={name}
            to="/$organization/$domain/pulls"
            params={params}
            search={value ? { state: value } : {}}
            className="tab"
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {name}
          </Link>
        ))}
      </nav>
      <section className="card" aria-label="Pull requests">
        <Loaded query={pulls}>{({ pages }) => <PullRequests pages={pages} state={state} />}</Loaded>
      </section>
      <More query={pulls}>Show more pull requests</More>
    </Page>
  );
}

function PullRequests({
  pages,
  state,
}: {
  pages: readonly PullRequestList[];
  state: string | undefined;
}) {
  const { params } = useProject();
  const list = pages[0]!;
  const pullRequests = pages.flatMap(page => page.pullRequests);
  if (list.url !== null) {
    return (
      <Empty
        icon="pulls"
        title={`Pull requests are on ${list.hostName}`}
        action={
          <a href={list.url} className={buttonClass()} rel="noopener">
            Open {list.hostName} <Icon name="external" size={14} />
          </a>
        }
      >
        The repository of this project is hosted there. Review and merge as usual.
      </Empty>
    );
  }
  if (pullRequests.length === 0) {
    return (
      <Empty
        icon="pulls"
        title={state === 'all' ? 'No pull requests yet' : `No ${state ?? 'open'} pull requests`}
        action={
          <Link to="/$organization/$domain/jobs" params={params} className={buttonClass()}>
            Go to jobs
          </Link>
        }
      >
        A job that changes the docs opens a pull request.
      </Empty>
    );
  }
  return <PullRequestRows pullRequests={pullRequests} params={params} />;
}
