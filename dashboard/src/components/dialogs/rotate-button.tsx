import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Form, SelectField } from '../forms/form.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  noun: 'key' | 'secret';
  /** Of the button, for those who do not see where it is. */
  label: string;
  title: string;
  busy: boolean;
  error: Error | null;
  /** Makes a new one; the old one is valid for so many hours more. */
  action: (graceHours: number) => Promise<unknown>;
  /** What people should know before. */
  children: ReactNode;
}

/** Replaces a secret after a dialog that asks how long the old one stays valid. */
export function RotateButton({ noun, label, title, busy, error, action, children }: Props) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button small onClick={() => setOpen(true)} aria-label={label}>
        Rotate
      </Button>
      {open && (
        <Dialog title={title} onClose={close}>
          <Form
            busy={busy}
            error={error}
            submit={`Create new ${noun}`}
            onSubmit={values => {
              // `error` is shown in the form.
              action(Number(values.text('graceHours'))).then(close, () => undefined);
            }}
          >
            <p className="soft">{children}</p>
            <SelectField
              label={`Keep the old ${noun} valid for`}
              name="graceHours"
              defaultValue="24"
            >
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
