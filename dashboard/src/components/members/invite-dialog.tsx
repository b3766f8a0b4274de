import type { Role } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Snippet } from '../controls/copy.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, SelectField, TextField } from '../forms/form.tsx';
import { formatTime } from '../text/format.tsx';
import { ROLES } from './roles.ts';

export function InviteDialog({
  organization,
  onClose,
}: {
  organization: string;
  onClose: () => void;
}) {
  const invite = useSend('POST /organizations/:organization/invitations');
  if (invite.data) {
    return (
      <Dialog title="Send this link" stubborn onClose={onClose}>
        <p>
          Docent does not send e-mail. Send the link to <strong>{invite.data.email}</strong>{' '}
          yourself. It is single-use, expires {formatTime(invite.data.expiresAt)}, and is not shown
          again.
        </p>
        <Snippet text={invite.data.link} what="invitation link" />
        <div className="form-actions">
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <Form
        busy={invite.isPending}
        error={invite.error}
        submit="Create link"
        onSubmit={values =>
          invite.mutate({
            params: { organization },
            body: { email: values.text('email'), role: values.text('role') as Role },
          })
        }
      >
        <TextField label="E-mail" name="email" type="email" autoComplete="off" required />
        <SelectField label="Role" name="role" defaultValue="member">
          {ROLES.map(([role, text]) => (
            <option key={role} value={role}>
              {text}
            </option>
          ))}
        </SelectField>
      </Form>
    </Dialog>
  );
}
