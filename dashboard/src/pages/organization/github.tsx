import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { GitHubConnection, LeaveForGitHub } from '../../../../shared/dashboard/github.ts';
import { Badge } from '../../components/feedback/badge.tsx';
import { Button, buttonClass } from '../../components/controls/button.tsx';
import { Snippet } from '../../components/controls/copy.tsx';
import { ConfirmButton } from '../../components/dialogs/dialog.tsx';
import { RelativeTime } from '../../components/text/format.tsx';
import { GitHubRepositories, RepositoryName } from '../../components/github/repository-list.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Page } from '../../layout/page.tsx';
import { Empty, Loaded } from '../../components/feedback/loaded.tsx';
import { gitHubQuery } from '../../data/github-queries.ts';
import { may, useOrganization } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';

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
        <Notice tone="plain">An owner of {organization.name} connects GitHub.</Notice>
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
          {data.by === 'app' && <ByApp organization={organization} name={name} connection={data} />}
          {data.by === 'token' && data.problem === null && <ByToken organization={organization} />}
          {data.by === 'none' && (
            <div className="card">
              <Empty icon="plug" title="GitHub cannot be used yet" command={settings(data)}>
                {data.problem}
              </Empty>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

function ByApp({
  organization,
  name,
  connection: { canConnect, installations, shown },
}: {
  organization: string;
  name: string;
  connection: GitHubConnection;
}) {
  const { back } = useSearch({ strict: false });
  return (
    <>
      {back === 'connected' && (
        <Notice tone="good">
          Connected.{' '}
          <Link to="/$organization/-/new-project" params={{ organization }}>
            Make a project
          </Link>{' '}
          of one of its repositories.
        </Notice>
      )}
      {back === 'shown' && shown.length === 0 && (
        <Notice tone="warn">
          GitHub shows you no other installation of the App. Install it on the account that has your
          docs.
        </Notice>
      )}
      {shown.length > 0 && <Shown organization={organization} name={name} shown={shown} />}
      <section className="card" aria-labelledby="installations">
        <div className="card-head">
          <h2 id="installations">Connected accounts</h2>
          {canConnect && installations.length > 0 && <Leave small organization={organization} />}
        </div>
        {installations.length === 0 ? (
          <Empty
            icon="plug"
            title="No account on GitHub is connected"
            action={canConnect && <Leave organization={organization} />}
          >
            {canConnect
              ? `Install the App on the account that has your docs. If it is installed there, connect it: GitHub asks who you are, and Docent keeps nothing of that.`
              : 'Whoever runs Docent connects an installation of the App by its number.'}
          </Empty>
        ) : (
          <ul className="list">
            {installations.map(each => (
              <Installation key={each.id} organization={organization} installation={each} />
            ))}
          </ul>
        )}
      </section>
      {!canConnect && <NoClient organization={organization} />}
    </>
  );
}

function NoClient({ organization }: { organization: string }) {
  return (
    <Notice tone="plain">
      <div className="stack-tight">
        <p>
          To let owners connect accounts here, set <code>GITHUB_APP_CLIENT_ID</code> and{' '}
          <code>GITHUB_APP_CLIENT_SECRET</code>. Without them:
        </p>
        <Snippet
          text={`docent github connect 7654321 --organization ${organization}`}
          what="command"
        />
      </div>
    </Notice>
  );
}

/** The two ways to GitHub. */
function Leave({ organization, small = false }: { organization: string; small?: boolean }) {
  const leave = useSend('POST /organizations/:organization/github/leave', ({ url }) =>
    window.location.assign(url),
  );
  const go = (to: LeaveForGitHub['to']) => leave.mutate({ params: { organization }, body: { to } });
  const busy = (to: LeaveForGitHub['to']) => leave.isPending && leave.variables.body.to === to;
  return (
    <div className="stack-tight">
      <div className="row">
        <Button
          look="primary"
          small={small}
          busy={busy('authorize')}
          onClick={() => go('authorize')}
        >
          Connect GitHub
        </Button>
        <Button small={small} busy={busy('install')} onClick={() => go('install')}>
          Install the App
        </Button>
      </div>
      {leave.error && <Notice tone="bad">{leave.error.message}</Notice>}
    </div>
  );
}

function Installation({
  organization,
  installation: { id, account, connectedAt, url, problem },
}: {
  organization: string;
  installation: GitHubConnection['installations'][number];
}) {
  const disconnect = useSend('DELETE /organizations/:organization/github/installations/:id');
  return (
    <li className="card-pad stack">
      <div className="row-between">
        <div>
          <span className="row">
            <strong className="clip">{account}</strong>
            {problem === null ? (
              <Badge tone="good">works</Badge>
            ) : (
              <Badge tone="bad">needs a repair</Badge>
            )}
          </span>
          <div className="small faint">
            Installation {id}, connected <RelativeTime at={connectedAt} />
          </div>
        </div>
        <div className="row">
          {url !== null && (
            <a href={url} className={buttonClass('plain', true)} target="_blank" rel="noopener">
              Settings on GitHub <Icon name="external" size={14} />
            </a>
          )}
          <ConfirmButton
            small
            label="Disconnect"
            about={account}
            title={`Disconnect ${account}?`}
            verb="Disconnect"
            action={() =>
              disconnect.mutateAsync({
                params: { organization, id },
              })
            }
          >
            Projects on its repositories can be neither read nor pushed to until it is connected
            again. The App stays installed on GitHub.
          </ConfirmButton>
        </div>
      </div>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </li>
  );
}

function Shown({
  organization,
  name,
  shown,
}: {
  organization: string;
  name: string;
  shown: GitHubConnection['shown'];
}) {
  const connect = useSend('POST /organizations/:organization/github/installations/:id');
  return (
    <section className="card" aria-labelledby="shown">
      <div className="card-head">
        <h2 id="shown">Accounts that GitHub shows you</h2>
      </div>
      <ul className="list">
        {shown.map(({ id, account, refusal }) => (
          <li key={id} className="card-pad stack-tight">
            <div className="row-between">
              <div>
                <strong className="clip">{account}</strong>
                <div className="small faint">Installation {id}</div>
              </div>
              {refusal === null && (
                <Button
                  small
                  look="primary"
                  busy={connect.isPending && connect.variables.params.id === id}
                  aria-label={`Connect to ${name}: ${account}`}
                  onClick={() =>
                    connect.mutate({
                      params: { organization, id },
                    })
                  }
                >
                  Connect to {name}
                </Button>
              )}
            </div>
            {refusal !== null && <p className="soft">{refusal}</p>}
          </li>
        ))}
      </ul>
      {connect.error && (
        <div className="card-pad">
          <Notice tone="bad">{connect.error.message}</Notice>
        </div>
      )}
    </section>
  );
}

function ByToken({ organization }: { organization: string }) {
  return (
    <section className="card card-pad section" aria-labelledby="token">
      <div className="row-between">
        <h2 id="token">By a token</h2>
        <Link
          to="/$organization/-/new-project"
          params={{ organization }}
          className={buttonClass('plain', true)}
        >
          New project
        </Link>
      </div>
      <p className="soft">
        Whoever runs Docent has set <code>GITHUB_TOKEN</code>. It opens these repositories:
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
