import type { LeaveForGitHub } from '../../../../api/dashboard/contract/github.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';

/** The two ways to connect: authorize an installed App, or install it. */
export function ConnectButtons({
  organization,
  small = false,
}: {
  organization: string;
  small?: boolean;
}) {
  const leave = useSend('POST /organizations/:organization/github/leave', ({ url }) =>
    window.location.assign(url),
  );
  const go = (to: LeaveForGitHub['to']) => leave.mutate({ params: { organization }, body: { to } });
  const busy = (to: LeaveForGitHub['to']) => leave.isPending && leave.variables.body.to === to;
  return (
    <div className="stack-tight">
      <div className="row">
        <Button
          look="primary"
          small={small}
          busy={busy('authorize')}
          onClick={() => go('authorize')}
        >
          Connect GitHub
        </Button>
        <Button small={small} busy={busy('install')} onClick={() => go('install')}>
          Install the App
        </Button>
      </div>
      {leave.error && <Notice tone="bad">{leave.error.message}</Notice>}
    </div>
  );
}
