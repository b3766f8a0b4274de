import { type Static, Type } from '@sinclair/typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../../db/assistant/threads.ts';
import { saveVote } from '../../../db/assistant/votes.ts';
import { savePageFeedback, withdrawPageFeedback } from '../../../db/assistant/page-feedback.ts';
import { FEEDBACK_SOURCES } from '../../../shared/page-feedback.ts';
import { readPage } from '../../../db/search/pages.ts';
import { fieldProblem, Problem } from '../../../shared/errors.ts';
import { requireAssistantProject } from '../../plugins/path-project.ts';
import type { AssistantDeps } from '../deps.ts';
import { countUse } from '../limits/use-limits.ts';
import { fp } from '../message-body.ts';
import { FAILURES, PATHS, ROUTE } from './paths.ts';
import { DomainParams } from './schemas.ts';

const TAGS = ['incorrect', 'not_what_i_asked', 'slow_or_buggy', 'style_or_tone', 'other'] as const;

export const FeedbackBody = Type.Object(
  {
    threadId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The conversation, from the stream.',
      }),
    ),
    messageId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The answer, from the stream’s start event.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'A page’s path on the site, in place of an answer.',
      }),
    ),
    fp: Type.Optional(fp),
    helpful: Type.Optional(
      Type.Union([Type.Boolean(), Type.Null()], {
        description:
          'Whether the answer or the page helped; null withdraws it. ' +
          'Without it, tags and comment go to the existing vote on an answer.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(
        Type.Union(
          TAGS.map(tag => Type.Literal(tag)),
          { title: 'FeedbackTag', description: 'What was wrong with it.' },
        ),
        { maxItems: TAGS.length, uniqueItems: true, description: 'What was wrong with it.' },
      ),
    ),
    comment: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'In the reader’s own words.' }),
    ),
    contact: Type.Optional(
      Type.String({ maxLength: 200, description: 'Of a page: where the reader wants an answer.' }),
    ),
    source: Type.Optional(
      Type.Union(
        FEEDBACK_SOURCES.map(source => Type.Literal(source)),
        { title: 'GivenFeedbackSource', description: 'Of a page: how it was given.' },
      ),
    ),
  },
  {
    title: 'Feedback',
    description: 'A vote on an answer or a page.',
    examples: [{ threadId: 'thread_…', messageId: 'msg_…', helpful: true }],
  },
);

type Vote = Static<typeof FeedbackBody>;

/** What a reader thinks of an answer, or of a page. */
export const feedbackRoutes: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
  requireAssistantProject(app, deps.db);
  app.post(
    PATHS.feedback,
    {
      ...ROUTE,
      schema: {
        tags: ['Assistant'],
        ...{ operationId: 'giveFeedback', summary: 'Vote on an answer or a page' },
        description:
          'One vote per answer, and per page of a reader who is known: a second one replaces it.',
        params: DomainParams,
        body: FeedbackBody,
        response: { 204: { type: 'null', description: 'It is stored.' }, ...FAILURES },
      },
    },
    async (request, reply) => {
      await castVote(deps, request, reply, request.body);
      return reply.code(204).send(null);
    },
  );
};

/** Stores a vote: counted as a search; 404 if there is no such page, or answer of this reader. */
export async function castVote(
  deps: AssistantDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  vote: Vote,
): Promise<void> {
  const { threadId, messageId, path, helpful, tags = [], comment } = vote;
  reply.headers(await countUse(deps.limiter, request, 'search'));
  if (path !== undefined) return voteOnPage(deps, request, { ...vote, path });
  if (threadId === undefined || messageId === undefined)
    throw fieldProblem('threadId', 'and messageId are required, or path of a page');
  const { db } = deps;
  const isCast = await saveVote(db, {
    ...{ projectId: request.project.id, fp: vote.fp ?? ANONYMOUS },
    ...{ threadId, messageId, helpful, tags, comment: comment?.trim() || null },
  });
  if (isCast === undefined) throw new Problem('not_found', 'There is no such answer.');
  if (!isCast)
    throw new Problem('invalid_request', 'helpful is missing: this answer has no vote yet.');
}

async function voteOnPage(
  { db }: AssistantDeps,
  { project }: FastifyRequest,
  vote: Vote & { path: string },
): Promise<void> {
  const { threadId, helpful, tags = [], source } = vote;
  if (threadId !== undefined || tags.length > 0)
    throw fieldProblem('path', 'goes with helpful, comment, contact and source');
  const words = { comment: vote.comment?.trim() || null, contact: vote.contact?.trim() || null };
  const page = await readPage(db, project.id, vote.path);
  if (!page) throw new Problem('not_found', 'There is no such page.');
  const of = { projectId: project.id, fp: vote.fp ?? ANONYMOUS, path: page.path };
  if (helpful === null) return withdrawPageFeedback(db, of);
  if (helpful === undefined && words.comment === null)
    throw fieldProblem('helpful', 'or comment is required');
  const given = source ?? (words.comment === null ? 'thumbs_only' : 'contextual');
  await savePageFeedback(db, { ...of, ...words, helpful: helpful ?? null, source: given });
}
