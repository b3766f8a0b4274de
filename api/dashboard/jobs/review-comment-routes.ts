import type { Static } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type {
  NewReviewComment,
  ReviewComment,
  ReviewCommentChange,
  ReviewCommentList,
  ReviewVerdict,
} from '../contract/review.ts';
import {
  deleteReviewComment,
  editReviewComment,
  insertReviewComment,
  listReviewComments,
  listVerdicts,
  markCommentsSent,
  resolveReviewComment,
  storeVerdict,
  type ReviewCommentRow,
} from '../../../db/jobs/review-comments.ts';
import { Problem } from '../../../shared/errors.ts';
import { sendMessage } from '../../../jobs/send-message.ts';
import { isAtLeast } from '../access.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';

/** Of one job, whatever their state. */
const MOST_COMMENTS = 1_000;
/** Of the follow-up that the open ones become; an instruction has at most 100,000 characters. */
const LONGEST_FOLLOW_UP = 90_000;

/** Comments on the changes of a job: everyone who may read the job sees them. */
export function reviewCommentRoutes(deps: DashboardDeps) {
  const { pool } = deps;
  return {
    'GET /projects/:projectId/jobs/:id/comments': request => list(deps, request),

    'POST /projects/:projectId/jobs/:id/comments': async request => {
      const { job, signedIn } = request;
      const before = await listReviewComments(pool, job.id);
      const body = placed(request.body, before);
      const open = before.filter(({ state }) => state === 'open');
      if (before.length >= MOST_COMMENTS || followUpOf([...open, body]).length > LONGEST_FOLLOW_UP)
        throw new Problem('conflict', 'This job has too many comments. Send the open ones first.');
      const { id: userId, name: author } = signedIn.user;
      const id = await insertReviewComment(pool, { jobId: job.id, userId, author, ...body });
      const { comments } = await list(deps, request);
      const made = comments.find(comment => comment.id === id);
      if (!made) throw new Problem('not_found', 'There is no such job.');
      return made;
    },

    'POST /projects/:projectId/jobs/:id/approval': async request => {
      await decide(deps, request, 'approved');
      return list(deps, request);
    },

    'POST /projects/:projectId/jobs/:id/comments/send': async request => {
      await send(deps, request);
      await decide(deps, request, 'changes_requested');
      return list(deps, request);
    },

    'PATCH /projects/:projectId/jobs/:id/comments/:commentId': async request => {
      await change(deps, request, request.params.commentId, request.body);
      return list(deps, request);
    },

    'DELETE /projects/:projectId/jobs/:id/comments/:commentId': async request => {
      const { job, params } = request;
      const all = await listReviewComments(pool, job.id);
      const found = all.find(({ id }) => id === params.commentId);
      if (!found) throw noComment();
      if (!mayDelete(found, request))
        throw new Problem('not_permitted', 'Only its author and owners may delete a comment.');
      if (found.state === 'sent')
        throw new Problem('conflict', 'The comment was sent to the job. Resolve it instead.');
      if (hasReplies(found, all))
        throw new Problem('conflict', 'The comment has replies. Resolve it instead.');
      await deleteReviewComment(pool, job.id, found.id);
      return list(deps, request);
    },
  } satisfies Partial<Handlers>;
}

/**
 * One follow-up of all that is open and fits. Two people who send at once send each comment once.
 */
async function send(deps: DashboardDeps, { project, job }: FastifyRequest): Promise<void> {
  const comments = await listReviewComments(deps.pool, job.id);
  const open = fitting(comments.filter(({ state }) => state === 'open'));
  if (open.length === 0) throw new Problem('conflict', 'No comment is open.');
  await sendMessage(deps, {
    projectId: project.id,
    jobId: job.id,
    prompt: followUpOf(open),
    source: 'dashboard',
    idempotency: undefined,
    async onStored(tx, messageId) {
      const ids = open.map(({ id }) => id);
      if ((await markCommentsSent(tx, job.id, ids, messageId)) !== ids.length)
        throw new Problem('conflict', 'The comments changed meanwhile. Look again, then send.');
    },
  });
}

/** The oldest that one follow-up carries: what was sent and dropped is open again, with the others. */
function fitting(open: ReviewCommentRow[]): ReviewCommentRow[] {
  let fit = Math.min(1, open.length);
  while (fit < open.length && followUpOf(open.slice(0, fit + 1)).length <= LONGEST_FOLLOW_UP)
    fit += 1;
  return open.slice(0, fit);
}

/** A reply stands where its thread does. */
function placed(body: NewReviewComment, all: readonly ReviewCommentRow[]) {
  if (body.parentId === undefined) return { ...body, parentId: null };
  const found = all.find(({ id }) => id === body.parentId);
  if (!found) throw noComment();
  const { file, line, quote } = found;
  return { file, line, quote, text: body.text, parentId: found.parentId ?? found.id };
}

async function change(
  { pool }: DashboardDeps,
  { job, signedIn }: FastifyRequest,
  id: string,
  { resolved, text }: Static<typeof ReviewCommentChange>,
): Promise<void> {
  const all = await listReviewComments(pool, job.id);
  if (!all.some(comment => comment.id === id)) throw noComment();
  if (text !== undefined) {
    const isEdited = await editReviewComment(pool, {
      ...{ jobId: job.id, id, text },
      userId: signedIn.user.id,
    });
    if (!isEdited)
      throw new Problem('not_permitted', 'Only its author may edit a comment, before it is sent.');
  }
  if (resolved !== undefined) await resolveReviewComment(pool, job.id, id, resolved);
}

function decide(
  { pool }: DashboardDeps,
  { job, signedIn: { user } }: FastifyRequest,
  verdict: ReviewVerdict['verdict'],
): Promise<void> {
  return storeVerdict(pool, { jobId: job.id, userId: user.id, author: user.name, verdict });
}

async function list({ pool }: DashboardDeps, request: FastifyRequest): Promise<ReviewCommentList> {
  const [rows, verdicts] = await Promise.all([
    listReviewComments(pool, request.job.id),
    listVerdicts(pool, request.job.id),
  ]);
  return {
    comments: rows.map(row => view(row, rows, request)),
    verdicts: verdicts.map(({ createdAt, ...rest }) => ({
      ...rest,
      createdAt: createdAt.toISOString(),
    })),
  };
}

function view(
  row: ReviewCommentRow,
  all: readonly ReviewCommentRow[],
  request: FastifyRequest,
): ReviewComment {
  const { userId, createdAt, editedAt, ...shown } = row;
  const deletable = mayDelete(row, request) && row.state !== 'sent' && !hasReplies(row, all);
  const editable = userId === request.signedIn.user.id && row.state !== 'sent';
  return {
    ...shown,
    ...{ deletable, editable },
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
  };
}

/** They are other people's words, and would go with it. */
function hasReplies({ id }: ReviewCommentRow, all: readonly ReviewCommentRow[]): boolean {
  return all.some(({ parentId }) => parentId === id);
}

function mayDelete(
  { userId }: ReviewCommentRow,
  { membership, signedIn }: FastifyRequest,
): boolean {
  return userId === signedIn.user.id || isAtLeast(membership.role, 'owner');
}

function noComment(): Problem {
  return new Problem('not_found', 'There is no such comment.');
}

type Commented = Pick<ReviewCommentRow, 'file' | 'line' | 'quote' | 'text'>;

/** One instruction to the job: its review comments, numbered, each with what it is about. */
function followUpOf(comments: readonly Commented[]): string {
  const items = comments.map(({ file, line, quote, text }, i) => {
    const where = line === null ? file : `${file}, line ${line}`;
    const quoted = quote === '' ? '' : `\n${quote.replace(/^/gm, '> ')}`;
    return `${i + 1}. ${where}:${quoted}\n${text}`;
  });
  return `Change the pull request as these review comments ask:\n\n${items.join('\n\n')}`;
}
