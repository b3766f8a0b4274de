import type { JobDetail } from '../../../../api/dashboard/contract/jobs.ts';
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
        verb="Cancel job"
        action={() => cancel.mutateAsync({ params })}
      >
        The job stops at its next step and fails. Its diff keeps the changes, but no pull request is
        opened. A follow-up starts the job again.
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
      The job accepts no more follow-ups. Its pull request does not change. This cannot be undone.
      Idle jobs are archived automatically after a while.
    </ConfirmButton>
  );
}
