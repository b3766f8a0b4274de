import { useQuery } from '@tanstack/react-query';
import { repositoryHealthQuery } from '../../data/github-queries.ts';
import { useProject } from '../../data/place.ts';
import { Button } from '../controls/button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Loaded } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';

/**
 * Whether a job could read the project's repository and push to it now; if not, the one
 * thing to repair.
 */
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
              <Badge tone="good">works</Badge>
            ) : (
              <Badge tone="bad">needs a repair</Badge>
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
                Docent can read the repository and push to it, and the base branch is there.
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
