import { useState } from 'react';
import type { Webhook } from '../../../../api/dashboard/contract/webhooks.ts';
import { useOrganization } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { showToast } from '../../data/toasts.ts';
import { Button } from '../controls/button.tsx';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, SelectField } from '../forms/form.tsx';

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
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const rotate = useSend('POST /organizations/:organization/webhooks/:id/rotate', ({ secret }) => {
    close();
    onMade(secret);
  });
  return (
    <>
      <Button small onClick={() => setOpen(true)} aria-label={`Rotate the secret of ${url}`}>
        Rotate
      </Button>
      {open && (
        <Dialog title="Rotate the secret" onClose={close}>
          <Form
            busy={rotate.isPending}
            error={rotate.error}
            submit="Create new secret"
            onSubmit={values =>
              rotate.mutate({
                params: { organization, id },
                body: { graceHours: Number(values.text('graceHours')) },
              })
            }
          >
            <p className="soft">Until the old secret expires, both sign each delivery.</p>
            <SelectField label="Keep the old secret valid for" name="graceHours" defaultValue="24">
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

export function showFailure(error: Error): void {
  showToast({ text: error.message, tone: 'bad' });
}
