import { Badge } from '../feedback/badge.tsx';

const TONES = { open: 'good', merged: 'accent', closed: 'bad' } as const;

export function PullRequestState({
  state,
  draft = false,
}: {
  state: keyof typeof TONES;
  draft?: boolean;
}) {
  return draft && state === 'open' ? (
    <Badge>draft</Badge>
  ) : (
    <Badge tone={TONES[state]}>{state}</Badge>
  );
}
