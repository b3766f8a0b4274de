import { Link, useNavigate } from '@tanstack/react-router';
import type { Question } from '../../../../api/dashboard/contract/questions.ts';
import { may, useProject, useSession } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';

/** Starts a job that adds the missing answer to the docs, or links to that job. */
export function AnswerJob({ question }: { question: Question }) {
  const { organization, project, params } = useProject();
  const navigate = useNavigate();
  const { offlineModel } = useSession();
  const start = useSend('POST /projects/:projectId/questions/:id/job');
  if (question.jobId)
    return (
      <Link
        to="/$organization/$domain/jobs/$jobId"
        params={{ ...params, jobId: question.jobId }}
        className="small"
      >
        A job was started for this
      </Link>
    );
  if (!may(organization.role, 'member')) return null;
  const begin = async () => {
    const job = await start.mutateAsync({
      params: { projectId: project.id, id: question.id },
    });
    await navigate({
      to: '/$organization/$domain/jobs/$jobId',
      params: { ...params, jobId: job.id },
    });
  };
  return (
    <div className="stack-tight">
      {start.error && <Notice tone="bad">{start.error.message}</Notice>}
      <div className="row">
        <Button
          small
          busy={start.isPending}
          onClick={() => {
            begin().catch(() => undefined);
          }}
          aria-label={`Start a job that answers this: ${question.question}`}
          title={question.suggestedPrompt}
        >
          Start a job that answers this
        </Button>
        {offlineModel && (
          <span className="small faint">
            The offline model cannot do this: it makes only mechanical edits.
          </span>
        )}
      </div>
    </div>
  );
}
