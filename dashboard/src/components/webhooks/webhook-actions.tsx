import type { Webhook } from '../../../../api/dashboard/contract/webhooks.ts';
import { useOrganization } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { Button } from '../controls/button.tsx';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { RotateButton } from '../dialogs/rotate-button.tsx';

interface Props {
  webhook: Webhook;
  /** Gets a new secret. */
  onMade: (secret: string) => void;
}

export function WebhookActions({ webhook, onMade }: Props) {
  const { slug: organization } = useOrganization();
  const { id, url, state } = webhook;
  const params = { organization, id };
  const test = useSend('POST /organizations/:organization/webhooks/:id/test', () =>
    showToast({ text: 'A test is on its way: see the deliveries.', tone: 'good' }),
  );
  const change = useSend('PATCH /organizations/:organization/webhooks/:id');
  const remove = useSend('DELETE /organizations/:organization/webhooks/:id');
  const isActive = state === 'active';
  return (
    <span className="row key-actions">
      {isActive && (
        <Button
          small
          busy={test.isPending}
          aria-label={`Test ${url}`}
          onClick={() => {
            test.mutateAsync({ params }).catch(showFailure);
          }}
        >
          Test
        </Button>
      )}
      <Button
        small
        busy={change.isPending}
        aria-label={`${isActive ? 'Disable' : 'Enable'} ${url}`}
        onClick={() => {
          change.mutateAsync({ params, body: { enabled: !isActive } }).catch(showFailure);
        }}
      >
        {isActive ? 'Disable' : 'Enable'}
      </Button>
      <Rotate webhook={webhook} onMade={onMade} />
      <ConfirmButton
        small
        label="Remove"
        about={url}
        title="Remove this webhook?"
        verb="Remove webhook"
        action={() => remove.mutateAsync({ params })}
      >
        Nothing is sent to {url} any more, and its deliveries are deleted.
      </ConfirmButton>
    </span>
  );
}

function Rotate({ webhook: { id, url }, onMade }: Props) {
  const { slug: organization } = useOrganization();
  const rotate = useSend('POST /organizations/:organization/webhooks/:id/rotate', ({ secret }) =>
    onMade(secret),
  );
  return (
    <RotateButton
      noun="secret"
      label={`Rotate the secret of ${url}`}
      title="Rotate the secret"
      busy={rotate.isPending}
      error={rotate.error}
      action={graceHours =>
        rotate.mutateAsync({ params: { organization, id }, body: { graceHours } })
      }
    >
      Until the old secret expires, both sign each delivery.
    </RotateButton>
  );
}
