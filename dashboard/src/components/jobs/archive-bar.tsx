import { useQueryClient } from '@tanstack/react-query';
import type { Job } from '../../../../api/dashboard/contract/jobs.ts';
import { call } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';
import { plural } from '../text/format.tsx';

/** Archives the chosen jobs, one after the other. */
export function ArchiveBar({ jobs, onDone }: { jobs: readonly Job[]; onDone: () => void }) {
  const client = useQueryClient();
  if (jobs.length === 0) return null;
  const archive = async () => {
    const failures: string[] = [];
    for (const { id, project } of jobs) {
      await call('POST /projects/:projectId/jobs/:id/archive', {
        params: { projectId: project.id, id },
      }).catch((error: Error) => failures.push(error.message));
    }
    onDone();
    const archived = jobs.length - failures.length;
    showToast(
      failures.length === 0
        ? { text: `${plural(archived, 'job')} archived.` }
        : { text: `${archived} of ${jobs.length} archived. ${failures[0]}`, tone: 'bad' },
    );
    await client.invalidateQueries();
  };
  return (
    <div className="row-between archive-bar" role="region" aria-label="Chosen jobs">
      <span>{plural(jobs.length, 'job')} chosen</span>
      <ConfirmButton
        label="Archive"
        about="the chosen jobs"
        title={`Archive ${plural(jobs.length, 'job')}?`}
        verb="Archive"
        action={archive}
      >
        They take no more follow-ups. Their pull requests stay as they are. This cannot be undone.
      </ConfirmButton>
    </div>
  );
}
