import { Link, useSearch } from '@tanstack/react-router';
import type {
  GitHubConnection,
  LeaveForGitHub,
} from '../../../../api/dashboard/contract/github.ts';
import { Snippet } from '../controls/copy.tsx';
import { Empty } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';
import { FoundInstallations } from './found-installations.tsx';
import { InstallationRow } from './installation-row.tsx';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';

/** The accounts where the GitHub App is installed, and the ways to connect one. */
export function AppConnection({
  organization,
  name,
  connection: { canConnect, installations, shown },
}: {
  organization: string;
  name: string;
  connection: GitHubConnection;
}) {
  return (
    <>
      <ReturnNotice organization={organization} noneFound={shown.length === 0} />
      {shown.length > 0 && (
        <FoundInstallations organization={organization} name={name} shown={shown} />
      )}
      <section className="card" aria-labelledby="installations">
        <div className="card-head">
          <h2 id="installations">Connected accounts</h2>
          {canConnect && installations.length > 0 && (
            <ConnectButtons small organization={organization} />
          )}
        </div>
        {installations.length === 0 ? (
          <NoInstallation organization={organization} canConnect={canConnect} />
        ) : (
          <ul className="list">
            {installations.map(each => (
              <InstallationRow key={each.id} organization={organization} installation={each} />
            ))}
          </ul>
        )}
      </section>
      {!canConnect && <NoClient organization={organization} />}
    </>
  );
}

/** The result of the visit to GitHub. */
function ReturnNotice({ organization, noneFound }: { organization: string; noneFound: boolean }) {
  const { back } = useSearch({ strict: false });
  if (back === 'connected')
    return (
      <Notice tone="good">
        Connected.{' '}
        <Link to="/$organization/-/new-project" params={{ organization }}>
          Create a project
        </Link>{' '}
        from one of its repositories.
      </Notice>
    );
  if (back === 'shown' && noneFound)
    return (
      <Notice tone="warn">
        GitHub lists no other installation that you can use. Install the App on the account that has
        your docs.
      </Notice>
    );
  return null;
}

function NoInstallation({
  organization,
  canConnect,
}: {
  organization: string;
  canConnect: boolean;
}) {
  return (
    <Empty
      icon="plug"
      title="No GitHub account is connected"
      action={canConnect && <ConnectButtons organization={organization} />}
    >
      {canConnect
        ? 'Install the App on the account that has your docs. If it is installed there, connect ' +
          'it: GitHub asks who you are, and Docent keeps nothing of that.'
        : 'The operator connects an installation of the App by its number.'}
    </Empty>
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

/** The two ways to connect: authorize an installed App, or install it. */
function ConnectButtons({
  organization,
  small = false,
}: {
  organization: string;
  small?: boolean;
}) {
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
