import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Snippet } from '../../components/controls/copy.tsx';
import { Form, TextField } from '../../components/forms/form.tsx';
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
          <p>No account? An owner of your organization invites you.</p>
          <p>
            Forgotten the password? Whoever runs Docent lets you back in with{' '}
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
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
      <SignOn next={next} />
    </Door>
  );
}

function SetupNeeded() {
  return (
    <Door title="Make the first account" lead="Nobody can sign in here yet.">
      <div className="stack">
        <p>
          The terminal that runs <code>docent start</code> shows a one-time link: open it. Whoever
          has it becomes this installation’s first owner.
        </p>
        <p>It works once and runs out. For another:</p>
        <Snippet text="./bin/docent.mjs user setup" what="command" />
      </div>
    </Door>
  );
}
