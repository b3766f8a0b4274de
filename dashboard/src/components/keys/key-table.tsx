import type { Key } from '../../../../api/dashboard/contract/projects/projects.ts';
import { useSend } from '../../data/queries.ts';
import { Meter } from '../charts/meter.tsx';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { formatNumber, formatTime, plural, RelativeTime } from '../text/format.tsx';
import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, SelectField } from '../forms/form.tsx';

interface Props {
  keys: readonly Key[];
  owner: boolean;
  projectId: string;
  /** Gets a new key's token. */
  onMade: (token: string) => void;
}

export function KeyTable({ keys, owner, ...rest }: Props) {
  return (
    <div className="table-wrap">
      <table className="table table-cards">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Kind</th>
            <th scope="col">State</th>
            <th scope="col">Last used</th>
            <th scope="col">This month</th>
            {owner && (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {keys.map(key => (
            <Row key={key.id} apiKey={key} owner={owner} {...rest} />
          ))}
        </tbody>
      </table>
    </div>
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
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const rotate = useSend('POST /projects/:projectId/keys/:id/rotate', ({ token }) => {
    close();
    onMade(token);
  });
  return (
    <>
      <Button small onClick={() => setOpen(true)} aria-label={`Rotate ${key.name}`}>
        Rotate
      </Button>
      {open && (
        <Dialog title={`Rotate “${key.name}”`} onClose={close}>
          <Form
            busy={rotate.isPending}
            error={rotate.error}
            submit="Create new key"
            onSubmit={values =>
              rotate.mutate({
                params: { projectId, id: key.id },
                body: { graceHours: Number(values.text('graceHours')) },
              })
            }
          >
            <p className="soft">
              You get a new key with the same permissions. Both work until the old one expires.
            </p>
            <SelectField label="Keep the old key valid for" name="graceHours" defaultValue="24">
              <option value="0">0 hours: revoke it now</option>
              <option value="1">1 hour</option>
              <option value="24">1 day</option>
              <option value="168">1 week</option>
            </SelectField>
          </Form>
        </Dialog>
      )}
    </>
  );
}
