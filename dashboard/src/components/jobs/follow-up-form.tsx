import type { JobDetail } from '../../../../api/dashboard/contract/jobs.ts';
import { useSend } from '../../data/queries.ts';
import { Notice } from '../feedback/notice.tsx';
import { TextBox } from '../forms/text-box.tsx';

/** Sends the next instruction to a job. */
export function FollowUpForm({
  job,
  jobPath,
}: {
  job: JobDetail;
  jobPath: { projectId: string; id: string };
}) {
  const send = useSend('POST /projects/:projectId/jobs/:id/message');
  if (job.archivedAt !== null)
    return (
      <Notice tone="plain">
        This job is archived and accepts no more instructions. Start a new one.
      </Notice>
    );
  return (
    <div className="follow-up">
      <TextBox
        rows={2}
        draft={`follow-up ${jobPath.id}`}
        label="Follow-up instruction"
        submit="Send"
        busy={send.isPending}
        error={send.error}
        placeholder={
          job.status === 'active'
            ? 'Add an instruction: the agent reads it before its next step …'
            : 'Send a follow-up: it goes to the same branch and pull request …'
        }
        hint="Ctrl + Enter to send"
        imagesOf={jobPath}
        onSubmit={(prompt, _, uploads) =>
          send.mutateAsync({
            params: jobPath,
            body: { prompt, ...(uploads.length > 0 && { uploads }) },
          })
        }
      />
    </div>
  );
}
