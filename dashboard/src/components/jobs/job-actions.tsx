import type { JobDetail } from '../../../../shared/dashboard/jobs.ts';
import { useSend } from '../../data/queries.ts';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';

/** Cancels a running job, archives an idle one. */
export function JobActions({ job, projectId }: { job: JobDetail; projectId: string }) {
  const cancel = useSend('POST /projects/:projectId/jobs/:id/cancel');
  const archive = useSend('POST /projects/:projectId/jobs/:id/archive');
  const params = { projectId, id: job.id };
  if (job.archivedAt !== null) return null;
  if (job.status === 'active') {
    return (
      <ConfirmButton
        label="Cancel"
        title="Cancel this job?"
        verb="Cancel the job"
        action={() => cancel.mutateAsync({ params })}
      >
        It stops at its next step and fails. What it changed is kept in its diff, but opens no pull
        request. A follow-up starts it again.
      </ConfirmButton>
    );
  }
  return (
    <ConfirmButton
      danger={false}
      label="Archive"
      title="Archive this job?"
      verb="Archive"
      action={() => archive.mutateAsync({ params })}
    >
      It takes no more follow-ups. Its pull request stays as it is. Idle jobs archive themselves
      after a while.
    </ConfirmButton>
  );
}
