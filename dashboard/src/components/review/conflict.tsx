import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { PullRequestDetail } from '../../../../api/dashboard/contract/jobs.ts';
import { call } from '../../data/request.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';

/** Why a pull request cannot be merged, and the way out: the same instruction on today's base. */
export function Conflict({
  pull,
  projectId,
  params,
  mayRedo,
}: {
  pull: PullRequestDetail;
  projectId: string;
  params: { organization: string; domain: string };
  mayRedo: boolean;
}) {
  const navigate = useNavigate();
  const redo = useMutation({
    async mutationFn(id: string) {
      const { fullPrompt } = await call('GET /projects/:projectId/jobs/:id', {
        params: { projectId, id },
      });
      return call('POST /projects/:projectId/jobs', {
        params: { projectId },
        body: { prompt: fullPrompt },
      });
    },
    onSuccess: job =>
      navigate({
        to: '/$organization/$domain/jobs/$jobId',
        params: { ...params, jobId: job.id },
      }),
  });
  const { jobId } = pull;
  return (
    <Notice tone="warn">
      <p>{pull.conflict}</p>
      {jobId !== null && mayRedo && pull.state === 'open' && (
        <Button small busy={redo.isPending} onClick={() => redo.mutate(jobId)}>
          Do it again on the current base
        </Button>
      )}
      {redo.error && <p role="alert">{redo.error.message}</p>}
    </Notice>
  );
}
