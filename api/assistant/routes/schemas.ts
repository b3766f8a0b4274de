import { Type } from '@sinclair/typebox';
import { FilterSchema } from '../message-body.ts';
import { MOST_RESULTS, RESULTS } from '../../../db/search/number-of-results.ts';

export const SearchBody = Type.Object({
  query: Type.String({ minLength: 1, maxLength: 2_000 }),
  pageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST_RESULTS, default: RESULTS.endpoint }),
  ),
  filter: Type.Optional(Type.Union([FilterSchema, Type.Null()])),
});
export const SearchAnswer = Type.Array(
  Type.Object({
    content: Type.String(),
    path: Type.String(),
    metadata: Type.Object({ title: Type.String() }),
  }),
);

export const PageBody = Type.Object({
  path: Type.String({ minLength: 1, maxLength: 1_000 }),
  filter: Type.Optional(Type.Union([FilterSchema, Type.Null()])),
});
export const PageAnswer = Type.Object({ path: Type.String(), content: Type.String() });

export const DomainParams = Type.Object({ domain: Type.String({ minLength: 1, maxLength: 63 }) });
/** `*` is the page's path, and `.md`. */
export const MarkdownPageParams = Type.Object({
  ...DomainParams.properties,
  '*': Type.String({ minLength: 4, maxLength: 1_000 }),
});
export const MessageQuery = Type.Object({
  finish: Type.Optional(
    Type.String({
      description:
        '`metadata`: the finish event carries the threadId as message metadata only, ' +
        'which every release of the chat SDK accepts.',
    }),
  ),
});
