import { Type } from '@sinclair/typebox';
import { EffortSchema } from '../../../../shared/models/thinking.ts';
import { MOST_FORMS } from '../../../../shared/jobs/construct.ts';
import { BudgetSchema } from '../../../../shared/jobs/waiting-schemas.ts';
import { nullable } from '../common.ts';
import { ContextRepositories, StoredContextRepositories } from './context-repositories.ts';

/** Globs as the agent's tools take them, with `*`, `**` and `?`. */
const AllowPaths = Type.Array(
  Type.String({ minLength: 1, maxLength: 200, pattern: String.raw`^[^\s,{}[\]\\:]+$` }),
  {
    maxItems: 50,
    description: 'Files that jobs may write beyond pages, images and navigation, as globs.',
  },
);

/** As jobs show them when they wait for approval. */
const AllowedForms = Type.Array(Type.String({ minLength: 1, maxLength: 5_000 }), {
  maxItems: MOST_FORMS,
});

/** Hosts, or beginnings of https addresses, such as `example.com` and `https://example.com/docs`. */
const WebPages = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: String.raw`^(https://)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?(/[^\s,?#\\%]*)?$`,
  }),
  {
    maxItems: 50,
    description: 'Web pages that jobs may read: hosts, or addresses that theirs begin with.',
  },
);

/** What a project sets for its jobs, as members of a change. */
export const JobSettingsChange = {
  allowMdxCode: Type.Optional(Type.Boolean()),
  allowPaths: Type.Optional(AllowPaths),
  allowedForms: Type.Optional(AllowedForms),
  /** Null: none. */
  budgetUsd: Type.Optional(nullable(BudgetSchema)),
  commitAuthor: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 360 }), Type.Null()], {
      description: 'Author and committer of commits, as `Name <address>`. Null: Docent.',
    }),
  ),
  contextRepositories: Type.Optional(ContextRepositories),
  /** Null: as the model's and the installation's settings say. */
  effort: Type.Optional(nullable(EffortSchema)),
  requirePlanApproval: Type.Optional(Type.Boolean()),
  /** Only with an author. */
  signOff: Type.Optional(Type.Boolean()),
  webPages: Type.Optional(WebPages),
};

/** The same as members of a project. */
export const JobSettings = {
  allowMdxCode: Type.Boolean({ description: 'Jobs may add code and embeds to pages.' }),
  allowPaths: Type.Array(Type.String(), {
    description: 'Other files that jobs may write, as globs.',
  }),
  allowedForms: Type.Array(Type.String(), {
    description: 'Forms of what the policy would refuse that people allowed.',
  }),
  budgetUsd: nullable(Type.Number({ description: 'What a job may spend before it waits.' })),
  commitAuthor: nullable(Type.String({ description: '`Name <address>`; null: Docent.' })),
  contextRepositories: StoredContextRepositories,
  effort: nullable(EffortSchema),
  requirePlanApproval: Type.Boolean({ description: 'Jobs wait for approval of a plan.' }),
  signOff: Type.Boolean({ description: 'Commits have the author’s Signed-off-by line.' }),
  webPages: Type.Array(Type.String(), { description: 'Web pages that jobs may read.' }),
};
