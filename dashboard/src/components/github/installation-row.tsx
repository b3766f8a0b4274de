import type { GitHubConnection } from '../../../../api/dashboard/contract/github.ts';
import { useSend } from '../../data/queries.ts';
import { buttonClass } from '../controls/button.tsx';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Notice } from '../feedback/notice.tsx';
import { RelativeTime } from '../text/format.tsx';
import { Icon } from '../text/icons.tsx';

type Installation = GitHubConnection['installations'][number];

/** A connected account: its state, its settings on GitHub, and a button to disconnect it. */
export function InstallationRow({
  organization,
  installation: { id, account, connectedAt, url, problem },
}: {
  organization: string;
  installation: Installation;
}) {
  return (
    <li className="card-pad stack">
      <div className="row-between">
        <div>
          <span className="row">
            <strong className="clip">{account}</strong>
            {problem === null ? (
              <Badge tone="good">working</Badge>
            ) : (
              <Badge tone="bad">needs attention</Badge>
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
          <Disconnect organization={organization} id={id} account={account} />
        </div>
      </div>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </li>
  );
}

function Disconnect({
  organization,
  id,
  account,
}: Pick<Installation, 'id' | 'account'> & { organization: string }) {
  const disconnect = useSend('DELETE /organizations/:organization/github/installations/:id');
  return (
    <ConfirmButton
      small
      label="Disconnect"
      about={account}
      title={`Disconnect ${account}?`}
      verb="Disconnect"
      action={() => disconnect.mutateAsync({ params: { organization, id } })}
    >
      Docent cannot read its repositories or push to them until you connect it again. The App stays
      installed on GitHub.
    </ConfirmButton>
  );
}
