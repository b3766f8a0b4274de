import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account, SessionList } from '../../../../shared/dashboard/people.ts';
import { Badge } from '../../components/feedback/badge.tsx';
import { Snippet } from '../../components/controls/copy.tsx';
import { ConfirmButton } from '../../components/dialogs/dialog.tsx';
import { Form, TextField } from '../../components/forms/form.tsx';
import { formatTime, RelativeTime } from '../../components/text/format.tsx';
import { Page } from '../../layout/page.tsx';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { useSession } from '../../data/place.ts';
import { accountQuery, sessionsQuery, setupQuery, useSend } from '../../data/queries.ts';

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
          {({ hasPassword }) => (hasPassword ? <Password /> : <NoPassword email={user.email} />)}
        </Loaded>
      </section>
      {account.data && <SingleSignOn account={account.data} />}
      <Sessions />
    </Page>
  );
}

function Profile({ name }: { name: string }) {
  const change = useSend('PATCH /profile');
  return (
    <Form
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

function Password() {
  const [done, setDone] = useState(0);
  const change = useSend('POST /password', () => setDone(n => n + 1));
  return (
    // A new form each time: the old passwords must not stay in the fields.
    <Form
      key={done}
      busy={change.isPending}
      error={change.error}
      submit="Change password"
      done={change.isSuccess && 'Changed. Other sessions have ended.'}
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

function NoPassword({ email }: { email: string }) {
  return (
    <>
      <p>This account has none. Whoever runs Docent makes a one-time link to one:</p>
      <Snippet text={`docent user link ${email}`} what="command" />
    </>
  );
}

/** Shown where a provider is set up, or was. */
function SingleSignOn({ account }: { account: Account }) {
  const { data: setup } = useQuery(setupQuery);
  const unlink = useSend('DELETE /account/sign-on');
  const name = setup?.provider ?? 'The provider';
  if (!setup?.provider && !account.linkedAt) return null;
  return (
    <section className="card card-pad section" aria-labelledby="sign-on">
      <h2 id="sign-on">Single sign-on</h2>
      {!account.linkedAt && (
        <p className="soft">
          Not linked. “Continue with {name}” on the sign-in page links it with your account there,
          by its address.
        </p>
      )}
      {account.linkedAt && (
        <div className="row-between">
          <p>
            {name} signs you in, since {formatTime(account.linkedAt)}.
          </p>
          {account.hasPassword && (
            <ConfirmButton
              small
              label="Unlink"
              title={`Unlink ${name}?`}
              verb="Unlink"
              action={() => unlink.mutateAsync({})}
            >
              Then your password signs you in, until you link an account there anew.
            </ConfirmButton>
          )}
        </div>
      )}
    </section>
  );
}

function Sessions() {
  const sessions = useQuery(sessionsQuery);
  return (
    <section className="card" aria-labelledby="sessions">
      <div className="card-head">
        <h2 id="sessions">Where you are signed in</h2>
      </div>
      <Loaded query={sessions}>
        {({ sessions: list }) => (
          <ul className="list">
            {list.map(one => (
              <SessionRow key={one.id} session={one} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function SessionRow({ session }: { session: SessionList['sessions'][number] }) {
  const end = useSend('DELETE /sessions/:id');
  const browser = browserOf(session.userAgent);
  return (
    <li className="row-between card-pad">
      <div className="stack-tight">
        <span className="row">
          <strong>{browser}</strong>
          {session.current && <Badge tone="good">this one</Badge>}
        </span>
        <span className="small faint">
          {session.address} · last used <RelativeTime at={session.lastUsedAt} /> · since{' '}
          <RelativeTime at={session.createdAt} />
        </span>
      </div>
      {!session.current && (
        <ConfirmButton
          small
          label="Sign out"
          about={`${browser} at ${session.address}`}
          title="Sign out there?"
          verb="Sign out"
          action={() => end.mutateAsync({ params: { id: session.id } })}
        >
          Whoever uses that browser has to sign in again.
        </ConfirmButton>
      )}
    </li>
  );
}

function browserOf(userAgent: string): string {
  const name = [
    ['Edg/', 'Edge'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ].find(([mark]) => userAgent.includes(mark!))?.[1];
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'].find(each =>
    userAgent.includes(each),
  );
  return name
    ? `${name}${system ? ` on ${system}` : ''}`
    : userAgent.slice(0, 60) || 'Unknown browser';
}
