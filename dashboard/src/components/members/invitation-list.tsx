import type { MemberList } from '../../../../api/dashboard/contract/people.ts';
import { useSend } from '../../data/queries.ts';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { formatTime, RelativeTime } from '../text/format.tsx';

/** Invitations that nobody has accepted yet. */
export function InvitationList({
  organization,
  invitations,
}: {
  organization: string;
  invitations: MemberList['invitations'];
}) {
  const withdraw = useSend('DELETE /organizations/:organization/invitations/:id');
  return (
    <section className="card" aria-labelledby="invitations">
      <div className="card-head">
        <h2 id="invitations">Pending invitations</h2>
      </div>
      <ul className="list">
        {invitations.map(one => (
          <li key={one.id} className="row-between card-pad">
            <div className="breaks">
              <strong>{one.email}</strong> <Badge>{one.role}</Badge>
              <div className="small faint">
                sent <RelativeTime at={one.createdAt} />, expires {formatTime(one.expiresAt)}
              </div>
            </div>
            <ConfirmButton
              small
              label="Withdraw"
              about={one.email}
              title="Withdraw the invitation?"
              verb="Withdraw"
              action={() => withdraw.mutateAsync({ params: { organization, id: one.id } })}
            >
              Its link stops working.
            </ConfirmButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
