import type { ReactNode } from 'react';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone === 'plain' ? '' : `badge-${tone}`}`}>{children}</span>;
}

const JOB = { active: 'accent', completed: 'good', failed: 'bad' } as const;

export function JobStatusBadge({
  status,
  archived = false,
}: {
  status: keyof typeof JOB;
  archived?: boolean;
}) {
  return (
    <span className="row">
      <Badge tone={JOB[status]}>
        <span className={`dot ${status === 'active' ? 'dot-live' : ''}`} />
        {status}
      </Badge>
      {archived && <Badge>archived</Badge>}
    </span>
  );
}

const PULL = { open: 'good', merged: 'accent', closed: 'bad' } as const;

export function PullStateBadge({
  state,
  draft = false,
}: {
  state: keyof typeof PULL;
  draft?: boolean;
}) {
  return draft && state === 'open' ? (
    <Badge>draft</Badge>
  ) : (
    <Badge tone={PULL[state]}>{state}</Badge>
  );
}
