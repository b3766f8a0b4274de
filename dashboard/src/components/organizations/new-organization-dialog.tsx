import type { OrganizationMade } from '../../../../api/dashboard/contract/organizations.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Snippet } from '../controls/copy.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form, TextField } from '../forms/form.tsx';
import { formatTime } from '../text/format.tsx';

/** Makes an organization, then shows the link for its first owner. */
export function NewOrganizationDialog({ onClose }: { onClose: () => void }) {
  const make = useSend('POST /organizations');
  if (make.data) return <OwnerLink made={make.data} onClose={onClose} />;
  return (
    <Dialog title="New organization" onClose={onClose}>
      <Form
        busy={make.isPending}
        error={make.error}
        submit="Create organization"
        onSubmit={values =>
          make.mutate({
            body: {
              name: values.text('name'),
              slug: values.text('slug'),
              owner: values.text('owner'),
            },
          })
        }
      >
        <TextField label="Name" name="name" autoComplete="off" required />
        <TextField
          label="Slug"
          name="slug"
          autoComplete="off"
          required
          hint="In the addresses of its pages: lower-case letters, digits and -. It does not change."
        />
        <TextField
          label="E-mail of its first owner"
          name="owner"
          type="email"
          autoComplete="off"
          required
        />
      </Form>
    </Dialog>
  );
}

function OwnerLink({ made, onClose }: { made: OrganizationMade; onClose: () => void }) {
  return (
    <Dialog title="Send this link" stubborn onClose={onClose}>
      <p>
        {made.name} is created. Docent does not send e-mail. Send the link to its first owner,{' '}
        <strong>{made.owner}</strong>, yourself. It is single-use, expires{' '}
        {formatTime(made.expiresAt)}, and is not shown again.
      </p>
      <Snippet text={made.link} what="invitation link" />
      <div className="form-actions">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
