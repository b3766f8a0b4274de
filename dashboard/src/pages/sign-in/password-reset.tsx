import { useLocation } from '@tanstack/react-router';
import { Form, TextField } from '../../components/forms/form.tsx';
import { DeadLink, Door } from '../../layout/door.tsx';
import { useSessionForm } from '../../layout/signed-in.ts';

/** A one-time link to a new password. */
export function PasswordResetPage() {
  const { hash: token } = useLocation();
  const form = useSessionForm('POST /reset');
  if (token === '')
    return <DeadLink sentence="The part after # is missing: copy the whole link." />;
  return (
    <Door title="Choose a new password" lead="Your other sessions end.">
      <Form
        busy={form.busy}
        error={form.error}
        submit="Save and sign in"
        onSubmit={values => form.submit({ body: { token, password: values.raw('password') } })}
      >
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="At least 10 characters."
          autoFocus
          required
        />
      </Form>
    </Door>
  );
}
