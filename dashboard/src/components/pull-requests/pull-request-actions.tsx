import type { PullRequest } from '../../../../api/dashboard/contract/jobs.ts';
import { useSend } from '../../data/queries.ts';
import { ConfirmButton } from '../dialogs/confirm-button.tsx';

/** Closes or merges an open pull request of the built-in host. */
export function PullRequestActions({ pull, projectId }: { pull: PullRequest; projectId: string }) {
  const close = useSend('POST /projects/:projectId/pulls/:number/close');
  const merge = useSend('POST /projects/:projectId/pulls/:number/merge');
  const params = { projectId, number: pull.number };
  return (
    <>
      <ConfirmButton
        label="Close"
        title="Close without merging?"
        verb="Close pull request"
        action={() => close.mutateAsync({ params })}
      >
        The branch is kept. A follow-up to its job opens a new pull request.
      </ConfirmButton>
      <ConfirmButton
        danger={false}
        look="primary"
        label="Merge"
        title={`Merge into ${pull.base}?`}
        verb="Merge"
        action={() => merge.mutateAsync({ params })}
      >
        Creates a merge commit. The search index is updated automatically.
      </ConfirmButton>
    </>
  );
}
