import type { GitHubConnection } from '../../../../api/dashboard/contract/github.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';

type Installation = GitHubConnection['shown'][number];

/** The installations that GitHub shows to the person who authorized, to choose from. */
export function FoundInstallations({
  organization,
  name,
  shown,
}: {
  organization: string;
  name: string;
  shown: readonly Installation[];
}) {
  const connect = useSend('POST /organizations/:organization/github/installations/:id');
  return (
    <section className="card" aria-labelledby="shown">
      <div className="card-head">
        <h2 id="shown">GitHub accounts that you can use</h2>
      </div>
      <ul className="list">
        {shown.map(each => (
          <Row
            key={each.id}
            installation={each}
            name={name}
            busy={connect.isPending && connect.variables.params.id === each.id}
            onConnect={() => connect.mutate({ params: { organization, id: each.id } })}
          />
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

function Row({
  installation: { id, account, refusal },
  name,
  busy,
  onConnect,
}: {
  installation: Installation;
  name: string;
  busy: boolean;
  onConnect: () => void;
}) {
  return (
    <li className="card-pad stack-tight">
      <div className="row-between">
        <div>
          <strong className="clip">{account}</strong>
          <div className="small faint">Installation {id}</div>
        </div>
        {refusal === null && (
          <Button
            small
            look="primary"
            busy={busy}
            aria-label={`Connect to ${name}: ${account}`}
            onClick={onConnect}
          >
            Connect to {name}
          </Button>
        )}
      </div>
      {refusal !== null && <p className="soft">{refusal}</p>}
    </li>
  );
}
