import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Session } from '../../../api/dashboard/contract/people.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Form } from '../components/forms/form.tsx';
import { PasswordField } from '../components/forms/password-field.tsx';
import { useSession } from '../data/place.ts';
import { sessionQuery, setupQuery } from '../data/queries.ts';
import { call } from '../data/request.ts';
import { setSessionOver, useSessionOver } from '../data/session-end.ts';
import { useSubmit } from './signed-in.ts';

/** Over the page whose session has ended, so that nothing typed there is lost. */
export function SignInAgain() {
  return useSessionOver() ? <Again /> : null;
}

function Again() {
  const { user } = useSession();
  const { data: setup } = useQuery(setupQuery);
  const { busy, error, submit } = useEnterAgain(user);
  return (
    <Dialog title="Sign in again" stubborn onClose={() => undefined}>
      <p className="soft">
        Your session has ended. What you typed on this page is kept. You are{' '}
        <strong>{user.email}</strong>.
      </p>
      <Form
        {...{ busy, error }}
        submit="Sign in"
        onSubmit={values => submit(values.raw('password'))}
        actions={
          <a href="/dashboard/sign-in" target="_blank" rel="noopener">
            {setup?.provider ? `Sign in with ${setup.provider} in a new tab` : 'Use another tab'}
          </a>
        }
      >
        <PasswordField autoFocus />
      </Form>
    </Dialog>
  );
}

function useEnterAgain({ id, email }: Session['user']) {
  const client = useQueryClient();
  const enter = async (password?: string) => {
    const session = await (password === undefined
      ? call('GET /session', {})
      : call('POST /session', { body: { email, password } }));
    // Another person: nothing on this page is theirs.
    if (session.user.id !== id) return location.reload();
    client.setQueryData(sessionQuery.queryKey, session);
    setSessionOver(false);
    await client.invalidateQueries();
  };
  useEffect(() => {
    // Signed in meanwhile, in another tab.
    const look = () => void enter().catch(() => undefined);
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  });
  return useSubmit<string>(enter);
}
