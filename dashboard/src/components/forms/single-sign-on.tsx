import { useMutation, useQuery } from '@tanstack/react-query';
import { setupQuery } from '../../data/queries.ts';
import { leaveForProvider } from '../../data/sign-on.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';

/** The button to sign in with the provider, if one is set up. */
export function SignOn({ next }: { next?: string | undefined }) {
  const { data: setup } = useQuery(setupQuery);
  const leave = useMutation({ mutationFn: () => leaveForProvider(next) });
  if (!setup?.provider) return null;
  return (
    <div className="door-other">
      <span className="door-or">or</span>
      {leave.error && <Notice tone="bad">{leave.error.message}</Notice>}
      <Button busy={leave.isPending} onClick={() => leave.mutate()}>
        Continue with {setup.provider}
      </Button>
    </div>
  );
}
