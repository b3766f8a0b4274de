import { useQuery } from '@tanstack/react-query';
import type { GitHubConnection } from '../../../../api/dashboard/contract/github.ts';
import { Empty, Loaded } from '../../components/feedback/loaded.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { AppConnection } from '../../components/github/app-connection.tsx';
import { CreateApp } from '../../components/github/create-app.tsx';
import { StoredApp } from '../../components/github/stored-app.tsx';
import { gitHubQuery } from '../../data/github-queries.ts';
import { may, useOrganization } from '../../data/place.ts';
import { Page } from '../../layout/page.tsx';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/controls/button.tsx';
import { GitHubRepositories, RepositoryName } from '../../components/github/repository-list.tsx';

const settings = ({ callbackUrl }: GitHubConnection) => `# The App’s callback URL: ${callbackUrl}
GITHUB_APP_ID=123456
GITHUB_APP_PRIVATE_KEY="$(cat docent.private-key.pem)"
GITHUB_APP_CLIENT_ID=Iv23…
GITHUB_APP_CLIENT_SECRET=…`;

export function GitHubPage() {
  const organization = useOrganization();
  const owner = may(organization.role, 'owner');
  return (
    <Page
      title="GitHub"
      width="narrow"
      lead="Where Docent reads your docs and opens pull requests."
    >
      {owner ? (
        <Connection organization={organization.slug} name={organization.name} />
      ) : (
        <Notice tone="plain">Only owners of {organization.name} can connect GitHub.</Notice>
      )}
    </Page>
  );
}

function Connection({ organization, name }: { organization: string; name: string }) {
  const connection = useQuery(gitHubQuery(organization));
  return (
    <Loaded query={connection}>
      {data => (
        <>
          {data.by !== 'none' && data.problem !== null && (
            <Notice tone="bad">{data.problem}</Notice>
          )}
          {data.by === 'app' && (
            <AppConnection organization={organization} name={name} connection={data} />
          )}
          {data.by === 'token' && data.problem === null && (
            <TokenConnection organization={organization} />
          )}
          {data.storedApp && (
            <>
              {data.by === 'none' && data.problem !== null && (
                <Notice tone="bad">{data.problem}</Notice>
              )}
              <StoredApp organization={organization} app={data.storedApp} />
            </>
          )}
          {data.canCreateApp && (
            <section className="card card-pad stack" aria-label="New GitHub App">
              <p>
                An App of your own on GitHub, for everybody who uses this Docent. Its keys are
                stored encrypted, and no restart is needed.
              </p>
              <CreateApp organization={organization} />
            </section>
          )}
          {data.by === 'none' && !data.storedApp && (
            <div className="card">
              <Empty
                icon="plug"
                title={data.canCreateApp ? 'Or set up an App by hand' : 'Set up GitHub'}
                command={settings(data)}
              >
                {data.problem}
              </Empty>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

/** The repositories that the operator’s token can use. */
function TokenConnection({ organization }: { organization: string }) {
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
