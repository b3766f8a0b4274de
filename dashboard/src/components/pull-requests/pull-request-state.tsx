import type { PullRequest } from '../../../../api/dashboard/contract/jobs.ts';
import { Badge } from '../feedback/badge.tsx';
import { OutcomeBadge } from '../jobs/outcome-badge.tsx';

/** The same looks as those of the pull request's job. */
export function PullRequestState({
  state,
  draft = false,
}: {
  state: PullRequest['state'];
  draft?: boolean;
}) {
  return draft && state === 'open' ? <Badge>draft</Badge> : <OutcomeBadge outcome={state} />;
}
