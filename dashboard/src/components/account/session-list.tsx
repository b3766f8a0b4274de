import { useQuery } from '@tanstack/react-query';
import type { SessionList } from '../../../../api/dashboard/contract/people.ts';
import { sessionsQuery, useSend } from '../../data/queries.ts';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Loaded } from '../feedback/loaded.tsx';
import { RelativeTime } from '../text/format.tsx';

/** Where the person is signed in. */
export function Sessions() {
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
          {session.current && <Badge tone="good">this session</Badge>}
        </span>
        <span className="small faint">
          {session.address} · last used <RelativeTime at={session.lastUsedAt} /> · signed in{' '}
          <RelativeTime at={session.createdAt} />
        </span>
      </div>
      {!session.current && (
        <ConfirmButton
          small
          label="Sign out"
          about={`${browser} at ${session.address}`}
          title="Sign out this browser?"
          verb="Sign out"
          action={() => end.mutateAsync({ params: { id: session.id } })}
        >
          The person who uses that browser must sign in again.
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
