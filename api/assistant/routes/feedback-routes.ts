import { type Static, Type } from '@sinclair/typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../../db/assistant/threads.ts';
import { saveVote } from '../../../db/assistant/votes.ts';
import { Problem } from '../../../shared/errors.ts';
import { requireAssistantProject } from '../../plugins/path-project.ts';
import type { AssistantDeps } from '../deps.ts';
import { countUse } from '../limits/use-limits.ts';
import { fp } from '../message-body.ts';
import { FAILURES, PATHS, ROUTE } from './paths.ts';
import { DomainParams } from './schemas.ts';

const TAGS = ['incorrect', 'not_what_i_asked', 'slow_or_buggy', 'style_or_tone', 'other'] as const;

export const FeedbackBody = Type.Object(
  {
    threadId: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The conversation, from the stream.',
    }),
    messageId: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The answer, from the stream’s start event.',
    }),
    fp: Type.Optional(fp),
    helpful: Type.Optional(
      Type.Union([Type.Boolean(), Type.Null()], {
        description:
          'Whether the answer helped; null withdraws the vote. ' +
          'Without it, tags and comment go to the existing vote.',
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
  },
  {
    title: 'Feedback',
    description: 'A vote on an answer.',
    examples: [{ threadId: 'thread_…', messageId: 'msg_…', helpful: true }],
  },
);

/** What a reader thinks of an answer: one vote per answer, the newest. */
export const feedbackRoutes: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
  requireAssistantProject(app, deps.db);
  app.post(
    PATHS.feedback,
    {
      ...ROUTE,
      schema: {
        tags: ['Assistant'],
        ...{ operationId: 'giveFeedback', summary: 'Vote on an answer' },
        description: 'One vote per answer: a second one replaces the first.',
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

/** Stores a vote: counted as a search; 404 if there is no such answer of this reader. */
export async function castVote(
  { db, limiter }: AssistantDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  vote: Static<typeof FeedbackBody>,
): Promise<void> {
  const { threadId, messageId, helpful, tags = [], comment } = vote;
  reply.headers(await countUse(limiter, request, 'search'));
  const isCast = await saveVote(db, {
    ...{ projectId: request.project.id, fp: vote.fp ?? ANONYMOUS },
    ...{ threadId, messageId, helpful, tags, comment: comment?.trim() || null },
  });
  if (isCast === undefined) throw new Problem('not_found', 'There is no such answer.');
  if (!isCast)
    throw new Problem('invalid_request', 'helpful is missing: this answer has no vote yet.');
}
