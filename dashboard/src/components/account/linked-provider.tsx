import { useQuery } from '@tanstack/react-query';
import type { Account } from '../../../../api/dashboard/contract/people.ts';
import { setupQuery, useSend } from '../../data/queries.ts';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { formatTime } from '../text/format.tsx';

/** The link to a single sign-on provider. Shown if one is set up, or was. */
export function LinkedProvider({ account }: { account: Account }) {
  const { data: setup } = useQuery(setupQuery);
  const unlink = useSend('DELETE /account/sign-on');
  const name = setup?.provider ?? 'The provider';
  if (!setup?.provider && !account.linkedAt) return null;
  return (
    <section className="card card-pad section" aria-labelledby="sign-on">
      <h2 id="sign-on">Single sign-on</h2>
      {!account.linkedAt && (
        <p className="soft">
          Not linked. To link an account with the same e-mail address, use “Continue with {name}” on
          the sign-in page.
        </p>
      )}
      {account.linkedAt && (
        <div className="row-between">
          <p>
            {name} has signed you in since {formatTime(account.linkedAt)}.
          </p>
          {account.hasPassword && (
            <ConfirmButton
              small
              label="Unlink"
              title={`Unlink ${name}?`}
              verb="Unlink"
              action={() => unlink.mutateAsync({})}
            >
              After that, you sign in with your password until you link an account again.
            </ConfirmButton>
          )}
        </div>
      )}
    </section>
  );
}
