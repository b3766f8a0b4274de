import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Question } from '../../../../shared/dashboard/questions.ts';
import { may, useProject } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { showToast } from '../../data/toasts.ts';
import { Button } from '../controls/button.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';

/** Puts a question aside, by a page or without one, or opens it again. */
export function QuestionActions({ question }: { question: Question }) {
  const { organization, project, params } = useProject();
  const [resolves, setResolves] = useState(false);
  const change = useSend('PATCH /projects/:projectId/questions/:id');
  const at = { projectId: project.id, id: question.id };
  const close = (closed: boolean) => change.mutateAsync({ params: at, body: { closed } });
  const dismiss = async () => {
    try {
      await close(true);
      showToast({ text: 'Question dismissed.', undo: () => close(false) });
    } catch (error) {
      showToast({ text: (error as Error).message, tone: 'bad' });
    }
  };
  const page = question.page !== null && (
    <Link
      to="/$organization/$domain/docs/$"
      params={{ ...params, _splat: question.page.replace(/^\//, '') }}
      className="small"
    >
      Resolved by {question.page}
    </Link>
  );
  if (!may(organization.role, 'member')) return page;
  if (question.state !== 'open')
    return (
      <>
        {page}
        <Button
          small
          busy={change.isPending}
          aria-label={`Open again: ${question.question}`}
          onClick={() => change.mutate({ params: at, body: { closed: false } })}
        >
          Open again
        </Button>
      </>
    );
  if (question.answered) return null;
  return (
    <>
      <Button
        small
        aria-label={`Resolve by a page: ${question.question}`}
        onClick={() => setResolves(true)}
      >
        Resolve by a page
      </Button>
      <Button
        small
        look="quiet"
        busy={change.isPending}
        aria-label={`Dismiss: ${question.question}`}
        onClick={() => void dismiss()}
      >
        Dismiss
      </Button>
      {resolves && <ResolveDialog question={question} onClose={() => setResolves(false)} />}
    </>
  );
}
