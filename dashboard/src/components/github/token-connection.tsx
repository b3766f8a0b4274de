import { Link } from '@tanstack/react-router';
import { buttonClass } from '../controls/button.tsx';
import { GitHubRepositories, RepositoryName } from './repository-list.tsx';

/** The repositories that the operator’s token can use. */
export function TokenConnection({ organization }: { organization: string }) {
  return (
    <section className="card card-pad section" aria-labelledby="token">
      <div className="row-between">
        <h2 id="token">Token</h2>
        <Link
          to="/$organization/-/new-project"
          params={{ organization }}
          className={buttonClass('plain', true)}
        >
          New project
        </Link>
      </div>
      <p className="soft">
        The operator has set <code>GITHUB_TOKEN</code>. It gives access to these repositories:
      </p>
      <GitHubRepositories
        organization={organization}
        empty="Give the token access to your docs repository."
        row={repository => (
          <div className="choice">
            <RepositoryName repository={repository} />
          </div>
        )}
      />
    </section>
  );
}
