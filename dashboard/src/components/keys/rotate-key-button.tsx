import { useState } from 'react';
import type { Key } from '../../../../api/dashboard/contract/projects/projects.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, SelectField } from '../forms/form.tsx';

/** `onMade` gets the new key, which is shown once: the row of the old one may be gone by then. */
export function RotateKeyButton({
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
