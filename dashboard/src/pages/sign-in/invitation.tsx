import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { InvitationView } from '../../../../api/dashboard/contract/people.ts';
import { Loading } from '../../components/feedback/loaded.tsx';
import { Form, TextField } from '../../components/forms/form.tsx';
import { SignOn } from '../../components/forms/single-sign-on.tsx';
import { call } from '../../data/request.ts';
import { DeadLink, Door } from '../../layout/door.tsx';
import { useSessionForm } from '../../layout/signed-in.ts';

/** Opens an invitation or setup link. The token is in the fragment, which browsers never send. */
export function InvitationPage() {
  const { hash: token } = useLocation();
  const view = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('POST /invitation', { body: { token } }),
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
  });
  if (token === '' || view.isError) {
    return (
      <DeadLink
        sentence={view.error?.message ?? 'The part after # is missing: copy the whole link.'}
      />
    );
  }
  if (!view.data)
    return (
      <Door title="Welcome to Docent">
        <Loading lines={3} />
      </Door>
    );
  return <Accept token={token} view={view.data} />;
}

function Accept({ token, view }: { token: string; view: InvitationView }) {
  const form = useSessionForm('POST /invitation/accept');
  const isSetup = view.email === null;
  return (
    <Door
      title={isSetup ? 'Welcome to Docent' : `Join ${view.organization}`}
      lead={
        isSetup ? (
          'Create the first account. It becomes the owner of this installation.'
        ) : (
          <>
            You are invited as {view.role}, as <strong>{view.email}</strong>.
          </>
        )
      }
    >
      <Form
        busy={form.busy}
        error={form.error}
        submit={view.account ? 'Join' : 'Create account'}
        onSubmit={values =>
          form.submit({
            body: {
              token,
              password: values.raw('password'),
              ...(isSetup && { email: values.text('email') }),
              ...(!view.account && { name: values.text('name') }),
            },
          })
        }
      >
        <Fields view={view} />
      </Form>
      {!isSetup && <SignOn />}
    </Door>
  );
}

function Fields({ view: { email, account } }: { view: InvitationView }) {
  const isSetup = email === null;
  return (
    <>
      {isSetup && (
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          required
        />
      )}
      {!account && (
        <TextField label="Name" name="name" autoComplete="name" required autoFocus={!isSetup} />
      )}
      <TextField
        label="Password"
        name="password"
        type="password"
        required
        autoComplete={account ? 'current-password' : 'new-password'}
        hint={account ? 'The password of your account here.' : 'At least 10 characters.'}
      />
    </>
  );
}
