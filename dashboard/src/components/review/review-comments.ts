import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  NewReviewComment,
  ReviewComment,
  ReviewCommentList,
} from '../../../../api/dashboard/contract/review.ts';
import { commentsQuery } from '../../data/queries.ts';
import { call } from '../../data/request.ts';

/** The comments on a job's changes, and what a person may do with them. */
export interface ReviewComments {
  comments: readonly ReviewComment[];
  /** Rejects with a sentence to show. */
  add(comment: NewReviewComment): Promise<unknown>;
  resolve(id: string, resolved: boolean): void;
  remove(id: string): void;
  send(): void;
  isSending: boolean;
  wasSent: boolean;
  error: Error | null;
}

export function useReviewComments(projectId: string, id: string | null): ReviewComments {
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
  const resolve = useMutation({
    mutationFn: ({ commentId, resolved }: { commentId: string; resolved: boolean }) =>
      call('PATCH /projects/:projectId/jobs/:id/comments/:commentId', {
        params: { ...params, commentId },
        body: { resolved },
      }),
    onSuccess: show,
  });
  const remove = useMutation({
    mutationFn: (commentId: string) =>
      call('DELETE /projects/:projectId/jobs/:id/comments/:commentId', {
        params: { ...params, commentId },
      }),
    onSuccess: show,
  });
  const send = useMutation({
    mutationFn: () => call('POST /projects/:projectId/jobs/:id/comments/send', { params }),
    onSuccess: show,
    // Also where another person was first: what is shown is out of date.
    onSettled: () => client.invalidateQueries(),
  });
  return {
    comments: data?.comments ?? [],
    add: comment => add.mutateAsync(comment),
    resolve: (commentId, resolved) => resolve.mutate({ commentId, resolved }),
    remove: commentId => remove.mutate(commentId),
    send: () => send.mutate(),
    isSending: send.isPending,
    wasSent: send.isSuccess,
    error: send.error ?? resolve.error ?? remove.error,
  };
}
