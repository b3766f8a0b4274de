import { useQuery } from '@tanstack/react-query';
import { LinkedProvider } from '../../components/account/linked-provider.tsx';
import { NoPassword, PasswordForm } from '../../components/account/password-form.tsx';
import { Sessions } from '../../components/account/session-list.tsx';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { Form, TextField } from '../../components/forms/form.tsx';
import { useSession } from '../../data/place.ts';
import { accountQuery, useSend } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

export function AccountPage() {
  const { user } = useSession();
  const account = useQuery(accountQuery);
  return (
    <Page title="Account" lead={user.email} width="narrow">
      <section className="card card-pad section" aria-labelledby="profile">
        <h2 id="profile">Profile</h2>
        <Profile name={user.name} />
      </section>
      <section className="card card-pad section" aria-labelledby="password">
        <h2 id="password">Password</h2>
        <Loaded query={account}>
          {({ hasPassword }) =>
            hasPassword ? <PasswordForm /> : <NoPassword email={user.email} />
          }
        </Loaded>
      </section>
      {account.data && <LinkedProvider account={account.data} />}
      <Sessions />
    </Page>
  );
}

function Profile({ name }: { name: string }) {
  const change = useSend('PATCH /profile');
  return (
    <Form
      guarded
      busy={change.isPending}
      error={change.error}
      submit="Save"
      done={change.isSuccess && 'Saved.'}
      onSubmit={values => change.mutate({ body: { name: values.text('name') } })}
    >
      <TextField label="Name" name="name" defaultValue={name} autoComplete="name" required />
    </Form>
  );
}
