import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Snippet } from '../../components/controls/copy.tsx';
import { Form, TextField } from '../../components/forms/form.tsx';
import { PasswordField } from '../../components/forms/password-field.tsx';
import { SignOn } from '../../components/forms/single-sign-on.tsx';
import { setupQuery } from '../../data/queries.ts';
import { Door } from '../../layout/door.tsx';
import { useSessionForm } from '../../layout/signed-in.ts';

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' });
  const form = useSessionForm('POST /session', next);
  const setup = useQuery(setupQuery);
  if (setup.data?.needed) return <SetupNeeded />;
  return (
    <Door
      title="Sign in to Docent"
      foot={
        <>
          <p>No account? Ask an owner of your organization for an invitation.</p>
          <p>
            Forgot your password? The operator can create a one-time link with{' '}
            <code>docent user link</code>.
          </p>
        </>
      }
    >
      <Form
        busy={form.busy}
        error={form.error}
        submit="Sign in"
        onSubmit={values =>
          form.submit({ body: { email: values.text('email'), password: values.raw('password') } })
        }
      >
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          required
        />
        <PasswordField />
      </Form>
      <SignOn next={next} />
    </Door>
  );
}

function SetupNeeded() {
  return (
    <Door title="Create the first account" lead="Nobody can sign in here yet.">
      <div className="stack">
        <p>
          Open the one-time link that <code>docent start</code> prints in the terminal. The person
          who opens it becomes the first owner of this installation.
        </p>
        <p>Single use, expires. To get a new one:</p>
        <Snippet text="npx docent user setup" what="command" />
      </div>
    </Door>
  );
}
