import { Badge } from '../feedback/badge.tsx';

const TONES = { active: 'accent', completed: 'good', failed: 'bad' } as const;

export function JobStatusBadge({
  status,
  archived = false,
}: {
  status: keyof typeof TONES;
  archived?: boolean;
}) {
  return (
    <span className="row">
      <Badge tone={TONES[status]}>
        <span className={`dot ${status === 'active' ? 'dot-live' : ''}`} />
        {status}
      </Badge>
      {archived && <Badge>archived</Badge>}
    </span>
  );
}
