import { useState } from 'react';
import { useSend } from '../../data/queries.ts';
import { Snippet } from '../controls/copy.tsx';
import { Form, TextField } from '../forms/form.tsx';

export function PasswordForm() {
  const [done, setDone] = useState(0);
  const change = useSend('POST /password', () => setDone(n => n + 1));
  return (
    // A new form each time: the old passwords must not stay in the fields.
    <Form
      guarded
      key={done}
      busy={change.isPending}
      error={change.error}
      submit="Change password"
      done={change.isSuccess && 'Changed. Your other sessions have ended.'}
      onSubmit={values =>
        change.mutate({
          body: { current: values.raw('current'), next: values.raw('next') },
        })
      }
    >
      <TextField
        label="Current password"
        name="current"
        type="password"
        autoComplete="current-password"
        required
      />
      <TextField
        label="New password"
        name="next"
        type="password"
        autoComplete="new-password"
        hint="At least 10 characters. Your other sessions end."
        required
      />
    </Form>
  );
}

export function NoPassword({ email }: { email: string }) {
  return (
    <>
      <p>This account has no password. The operator can create a one-time link to set one:</p>
      <Snippet text={`docent user link ${email}`} what="command" />
    </>
  );
}
