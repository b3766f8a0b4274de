import { useState } from 'react';
import type { Key } from '../../../../shared/dashboard/projects.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, SelectField } from '../forms/form.tsx';
import { NewKeyToken } from './new-key-token.tsx';

/**
 * Stays in the page after the old key has expired, because the dialog shows the new key once.
 */
export function RotateKeyButton({ projectId, apiKey: key }: { projectId: string; apiKey: Key }) {
  const [open, setOpen] = useState(false);
  const rotate = useSend('POST /projects/:projectId/keys/:id/rotate');
  const close = () => {
    setOpen(false);
    rotate.reset();
  };
  return (
    <>
      {key.state === 'valid' && (
        <Button small onClick={() => setOpen(true)} aria-label={`Rotate ${key.name}`}>
          Rotate
        </Button>
      )}
      {open && rotate.data && <NewKeyToken token={rotate.data.token} onClose={close} />}
      {open && !rotate.data && (
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
