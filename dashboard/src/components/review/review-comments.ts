import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  NewReviewComment,
  ReviewComment,
  ReviewCommentList,
  ReviewVerdict,
} from '../../../../api/dashboard/contract/review.ts';
import { commentsQuery } from '../../data/queries.ts';
import { call } from '../../data/request.ts';

/** A comment and the replies to it. */
export interface Thread {
  first: ReviewComment;
  replies: ReviewComment[];
}

export function threadsOf(comments: readonly ReviewComment[]): Thread[] {
  return comments
    .filter(({ parentId }) => parentId === null)
    .map(first => ({ first, replies: comments.filter(({ parentId }) => parentId === first.id) }));
}

/** The comments on a job's changes, and what a person may do with them. */
export interface ReviewComments {
  comments: readonly ReviewComment[];
  verdicts: readonly ReviewVerdict[];
  /** Rejects with a sentence to show. */
  add(comment: NewReviewComment): Promise<unknown>;
  edit(id: string, text: string): Promise<unknown>;
  resolve(id: string, resolved: boolean): void;
  remove(id: string): void;
  send(): void;
  /** Undefined: there is nothing to approve any more. */
  approve: (() => void) | undefined;
  isSending: boolean;
  wasSent: boolean;
  error: Error | null;
}

export function useReviewComments(
  projectId: string,
  id: string | null,
  isOpen: boolean,
): ReviewComments {
  const client = useQueryClient();
  const params = { projectId, id: id ?? '' };
  const query = commentsQuery(projectId, params.id);
  const { data } = useQuery({ ...query, enabled: id !== null });
  const show = (list: ReviewCommentList) => client.setQueryData(query.queryKey, list);
  const add = useMutation({
    mutationFn: (body: NewReviewComment) =>
      call('POST /projects/:projectId/jobs/:id/comments', { params, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: query.queryKey }),
  });
  // Each answers with the comments as they are then.
  const act = useMutation({
    mutationFn: (work: () => Promise<ReviewCommentList>) => work(),
    onSuccess: show,
  });
  const change = (commentId: string, body: { resolved?: boolean; text?: string }) => () =>
    call('PATCH /projects/:projectId/jobs/:id/comments/:commentId', {
      params: { ...params, commentId },
      body,
    });
  const send = useMutation({
    mutationFn: () => call('POST /projects/:projectId/jobs/:id/comments/send', { params }),
    onSuccess: show,
    // Also where another person was first: what is shown is out of date.
    onSettled: () => client.invalidateQueries(),
  });
  return {
    comments: data?.comments ?? [],
    verdicts: data?.verdicts ?? [],
    add: comment => add.mutateAsync(comment),
    edit: (commentId, text) => act.mutateAsync(change(commentId, { text })),
    resolve: (commentId, resolved) => act.mutate(change(commentId, { resolved })),
    remove: commentId =>
      act.mutate(() =>
        call('DELETE /projects/:projectId/jobs/:id/comments/:commentId', {
          params: { ...params, commentId },
        }),
      ),
    send: () => send.mutate(),
    approve: isOpen
      ? () => act.mutate(() => call('POST /projects/:projectId/jobs/:id/approval', { params }))
      : undefined,
    isSending: send.isPending,
    wasSent: send.isSuccess,
    error: send.error ?? act.error,
  };
}
