import { Type } from '@sinclair/typebox';
import { MOST_CONTEXT_REPOSITORIES } from '../../../../shared/context-repositories.ts';

/** Repositories that jobs may read beside the docs, as people name them. */
export const ContextRepositories = Type.Array(
  Type.Object({
    repository: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Its name, or its address on a connected host.',
    }),
    ref: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A branch, or the id of a commit; the default branch if left out.',
      }),
    ),
  }),
  { maxItems: MOST_CONTEXT_REPOSITORIES, description: 'Repositories that jobs may read.' },
);

/** The same, as a project has them. */
export const StoredContextRepositories = Type.Array(
  Type.Object({
    name: Type.String({ description: 'As the agent names it.' }),
    host: Type.String(),
    repository: Type.String(),
    ref: Type.String(),
  }),
  { description: 'Repositories that jobs may read.' },
);
