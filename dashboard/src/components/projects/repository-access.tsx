import { useQuery } from '@tanstack/react-query';
import { repositoryHealthQuery } from '../../data/github-queries.ts';
import { useProject } from '../../data/place.ts';
import { Button } from '../controls/button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Loaded } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';

/** Whether a job can read the project's repository and push to it. If not, what to fix. */
export function RepositoryAccess({ host }: { host: string }) {
  const { project } = useProject();
  const health = useQuery(repositoryHealthQuery(project.id));
  return (
    <section className="card" aria-labelledby="health">
      <div className="card-head">
        <h2 id="health" className="row">
          {host}{' '}
          {health.data &&
            (health.data.problem === null ? (
              <Badge tone="good">working</Badge>
            ) : (
              <Badge tone="bad">needs attention</Badge>
            ))}
        </h2>
        <Button
          small
          busy={health.isFetching}
          onClick={() => {
            void health.refetch();
          }}
        >
          Check again
        </Button>
      </div>
      <Loaded query={health} lines={1}>
        {({ problem }) => (
          <div className="card-pad">
            {problem === null ? (
              <p className="soft">
                Docent can read the repository and push to it, and the base branch exists.
              </p>
            ) : (
              <Notice tone="bad">{problem}</Notice>
            )}
          </div>
        )}
      </Loaded>
    </section>
  );
}
