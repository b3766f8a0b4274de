import type { Key } from '../../../../api/dashboard/contract/projects/projects.ts';
import { useSend } from '../../data/queries.ts';
import { Meter } from '../charts/meter.tsx';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { RotateButton } from '../dialogs/rotate-button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { formatNumber, formatTime, plural, RelativeTime } from '../text/format.tsx';
import { Table } from '../controls/table.tsx';

interface Props {
  keys: readonly Key[];
  owner: boolean;
  projectId: string;
  /** Gets a new key's token. */
  onMade: (token: string) => void;
}

export function KeyTable({ keys, owner, ...rest }: Props) {
  return (
    <Table columns={['Key', 'Kind', 'State', 'Last used', 'This month']} actions={owner}>
      {keys.map(key => (
        <Row key={key.id} apiKey={key} owner={owner} {...rest} />
      ))}
    </Table>
  );
}

function Row({ apiKey: key, owner, projectId, onMade }: Omit<Props, 'keys'> & { apiKey: Key }) {
  const allowed = [...key.allowedOrigins, ...key.allowedAddresses];
  return (
    <tr className={key.state === 'valid' ? undefined : 'ended'}>
      <td className="whole">
        <strong>{key.name}</strong>
        <div className="mono small faint">{key.start}</div>
        {allowed.length > 0 && <div className="small faint">only from {allowed.join(', ')}</div>}
      </td>
      <td data-label="Kind">
        <Badge tone={key.kind === 'admin' ? 'accent' : 'plain'}>{key.kind}</Badge>
      </td>
      <td data-label="State">
        <State apiKey={key} />
      </td>
      <td data-label="Last used">
        {key.lastUsedAt ? <RelativeTime at={key.lastUsedAt} /> : 'never'}
      </td>
      <td data-label="This month">
        <Uses apiKey={key} />
      </td>
      {owner && (
        <td className="end">
          <span className="row key-actions">
            {key.state === 'valid' && (
              <>
                <RotateKeyButton projectId={projectId} apiKey={key} onMade={onMade} />
                <Revoke apiKey={key} projectId={projectId} />
              </>
            )}
          </span>
        </td>
      )}
    </tr>
  );
}

const SOON_MS = 7 * 86_400_000;

function State({ apiKey: key }: { apiKey: Key }) {
  if (key.state !== 'valid')
    return <Badge tone={key.state === 'revoked' ? 'bad' : 'warn'}>{key.state}</Badge>;
  if (!key.expiresAt) return <Badge tone="good">valid</Badge>;
  const soon = new Date(key.expiresAt).getTime() - Date.now() < SOON_MS;
  return (
    <span title={formatTime(key.expiresAt)}>
      <Badge tone={soon ? 'warn' : 'good'}>
        <span>
          expires <RelativeTime at={key.expiresAt} />
        </span>
      </Badge>
    </span>
  );
}

function Uses({ apiKey: key }: { apiKey: Key }) {
  if (key.monthlyLimit === null)
    return <span className="number">{plural(key.usesThisMonth, 'job')}</span>;
  if (key.state !== 'valid')
    return <span className="number">{formatNumber(key.usesThisMonth)}</span>;
  return (
    <div className="uses">
      <span className="number small">
        {formatNumber(key.usesThisMonth)} of {formatNumber(key.monthlyLimit)}
      </span>
      <Meter
        used={key.usesThisMonth}
        limit={key.monthlyLimit}
        label={`Uses of ${key.name} this month`}
      />
    </div>
  );
}

function Revoke({ apiKey: key, projectId }: { apiKey: Key; projectId: string }) {
  const revoke = useSend('POST /projects/:projectId/keys/:id/revoke');
  return (
    <ConfirmButton
      small
      label="Revoke"
      about={key.name}
      title={`Revoke “${key.name}”?`}
      verb="Revoke key"
      action={() => revoke.mutateAsync({ params: { projectId, id: key.id } })}
    >
      Requests with this key are refused from now on. This cannot be undone. To replace a key
      without downtime, rotate it.
    </ConfirmButton>
  );
}

/** `onMade` gets the new key, which is shown once: the row of the old one may be gone by then. */
function RotateKeyButton({
  projectId,
  apiKey: key,
  onMade,
}: {
  projectId: string;
  apiKey: Key;
  onMade: (token: string) => void;
}) {
  const rotate = useSend('POST /projects/:projectId/keys/:id/rotate', ({ token }) => onMade(token));
  return (
    <RotateButton
      noun="key"
      label={`Rotate ${key.name}`}
      title={`Rotate “${key.name}”`}
      busy={rotate.isPending}
      error={rotate.error}
      action={graceHours =>
        rotate.mutateAsync({ params: { projectId, id: key.id }, body: { graceHours } })
      }
    >
      You get a new key with the same permissions. Both work until the old one expires.
    </RotateButton>
  );
}
