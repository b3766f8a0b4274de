import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Loading } from '../../components/feedback/loaded.tsx';
import { Form } from '../../components/forms/form.tsx';
import { PasswordField } from '../../components/forms/password-field.tsx';
import { arrival } from '../../data/arrival.ts';
import { setupQuery } from '../../data/queries.ts';
import { call } from '../../data/request.ts';
import { nextAfterProvider } from '../../data/sign-on.ts';
import { DeadLink, Door } from '../../layout/door.tsx';
import { useEnter, useSessionForm } from '../../layout/signed-in.ts';

/** Where the sign-in provider returns to. Its code is single-use, so it is sent once. */
export function SignInCallbackPage() {
  const enter = useEnter();
  const sent = useRef(false);
  const [error, setError] = useState<Error>();
  const [confirm, setConfirm] = useState<string>();
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    call('POST /sign-on/callback', { body: { query: arrival } })
      .then(answer => {
        if (answer.session) return enter(answer.session, nextAfterProvider());
        setConfirm(answer.confirm);
      })
      .catch((caught: unknown) => setError(caught as Error));
  }, [enter]);
  if (confirm !== undefined) return <Confirm email={confirm} />;
  if (error) return <DeadLink title="You are not signed in" sentence={error.message} />;
  return (
    <Door title="Signing in …">
      <Loading lines={2} />
    </Door>
  );
}

/** Asks once for the account's password: the address was never proved when it was created. */
function Confirm({ email }: { email: string }) {
  const form = useSessionForm('POST /sign-on/confirm', nextAfterProvider());
  const { data: setup } = useQuery(setupQuery);
  return (
    <Door
      title="Confirm your password"
      lead={
        <>
          <strong>{email}</strong> has an account with a password here.
        </>
      }
      foot={
        <p>
          Forgot it, or never set one? The operator can create a one-time link with{' '}
          <code>docent user link</code>.
        </p>
      }
    >
      <Form
        busy={form.busy}
        error={form.error}
        submit="Link and sign in"
        onSubmit={values => form.submit({ body: { password: values.raw('password') } })}
      >
        <PasswordField
          autoFocus
          hint={`Asked only once. After that, ${setup?.provider ?? 'the provider'} signs you in.`}
        />
      </Form>
    </Door>
  );
}
