import { Type } from '@sinclair/typebox';
import { FEEDBACK_SOURCES, FEEDBACK_STATUSES } from '../../shared/page-feedback.ts';
import { worded } from '../../shared/text/worded.ts';
import { PERIOD } from './period.ts';
import { ProjectParams } from './schemas.ts';

const ID = 'fb_01kaj5zq3v8w1m4r7t2x9c6bne';
const Source = Type.Union(
  FEEDBACK_SOURCES.map(each => Type.Literal(each)),
  { title: 'FeedbackSource', description: 'How it was given.' },
);
const Status = Type.Union(
  FEEDBACK_STATUSES.map(each => Type.Literal(each)),
  { title: 'FeedbackStatus', description: 'What the staff made of it.' },
);
const Words = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const Feedback = Type.Object(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    path: Type.String({ description: 'The page’s path on the site.' }),
    helpful: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the page helped; null: words only.',
    }),
    comment: Words('In the reader’s own words.'),
    contact: Words('Where the reader wants an answer.'),
    source: Source,
    status: Status,
    createdAt: Type.String({ format: 'date-time', description: 'When it was first given.' }),
  },
  {
    title: 'PageFeedback',
    description: 'What a reader thinks of a page.',
    examples: [
      {
        ...{ id: ID, path: '/install', helpful: false, comment: 'The port is wrong.' },
        ...{ contact: null, source: 'contextual', status: 'pending' },
        createdAt: '2026-11-23T09:14:31.020Z',
      },
    ],
  },
);
export const FeedbackList = Type.Object(
  {
    feedback: Type.Array(Feedback, { description: 'Newest first.' }),
    nextCursor: Words('Where the next page begins; null: there is none.'),
    hasMore: Type.Boolean({ description: 'Whether there is a next page.' }),
  },
  {
    title: 'PageFeedbackList',
    description: 'A page of what readers think of pages.',
    examples: [{ feedback: Feedback.examples, nextCursor: null, hasMore: false }],
  },
);
export const ByPage = Type.Object(
  {
    feedback: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'The page’s path on the site.' }),
          thumbsUp: Type.Integer({ description: 'Readers whom it helped.' }),
          thumbsDown: Type.Integer({ description: 'Readers whom it did not help.' }),
          code: Type.Integer({ description: 'What was said of its code.' }),
          total: Type.Integer({ description: 'All of it.' }),
        },
        { title: 'PageFeedbackCounts', description: 'What readers think of a page, counted.' },
      ),
      { description: 'The pages with the most first.' },
    ),
  },
  {
    title: 'PageFeedbackByPage',
    description: 'What readers think of each page, counted.',
    examples: [
      { feedback: [{ path: '/install', thumbsUp: 12, thumbsDown: 3, code: 1, total: 16 }] },
    ],
  },
);
export const ListQuery = Type.Object({
  ...PERIOD,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      examples: [50],
      description: 'At most.',
    }),
  ),
  cursor: Type.Optional(
    worded('^fb_[0-9a-z]{26}$', ': nextCursor of the previous page', {
      examples: [ID],
      description: 'nextCursor of the previous page.',
    }),
  ),
});

export const FeedbackParams = Type.Object({
  ...ProjectParams.properties,
  feedbackId: Type.String({ description: 'Unique identifier.', examples: [ID] }),
});
export const FeedbackChange = Type.Object(
  { status: Status },
  {
    title: 'ChangePageFeedback',
    description: 'What to change.',
    examples: [{ status: 'resolved' }],
  },
);
