import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Question } from '../../../../api/dashboard/contract/questions.ts';
import { may, useProject } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { Button } from '../controls/button.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';

/** Puts a question aside, by a page or without one, or opens it again. */
export function QuestionActions({ question }: { question: Question }) {
  const { organization } = useProject();
  const mayChange = may(organization.role, 'member');
  if (question.state === 'open')
    return mayChange && !question.answered && <CloseButtons question={question} />;
  return (
    <>
      {question.page !== null && <ResolvedBy page={question.page} />}
      {mayChange && <OpenButton question={question} />}
    </>
  );
}

function ResolvedBy({ page }: { page: string }) {
  const { params } = useProject();
  return (
    <Link
      to="/$organization/$domain/docs/$"
      params={{ ...params, _splat: page.replace(/^\//, '') }}
      className="small"
    >
      Resolved by {page}
    </Link>
  );
}

function OpenButton({ question }: { question: Question }) {
  const { change, close } = useClose(question);
  return (
    <Button
      small
      busy={change.isPending}
      aria-label={`Open again: ${question.question}`}
      onClick={() => {
        close(false).catch(showFailure);
      }}
    >
      Open again
    </Button>
  );
}

function CloseButtons({ question }: { question: Question }) {
  const [resolves, setResolves] = useState(false);
  const { change, close } = useClose(question);
  const dismiss = async () => {
    await close(true);
    showToast({ text: 'Question dismissed.', undo: () => close(false).catch(showFailure) });
  };
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
        onClick={() => {
          dismiss().catch(showFailure);
        }}
      >
        Dismiss
      </Button>
      {resolves && <ResolveDialog question={question} onClose={() => setResolves(false)} />}
    </>
  );
}

function useClose({ id }: Question) {
  const { project } = useProject();
  const change = useSend('PATCH /projects/:projectId/questions/:id');
  const close = (closed: boolean) =>
    change.mutateAsync({ params: { projectId: project.id, id }, body: { closed } });
  return { change, close };
}
