import { Type } from '@sinclair/typebox';
import { EffortSchema } from '../../../../shared/models/thinking.ts';
import { AllowPaths } from './allow-paths.ts';
import { nullable } from '../common.ts';
import { WebPages } from './web-pages.ts';
import { ContextRepositories, StoredContextRepositories } from './context-repositories.ts';

/** What a project sets for its jobs, as members of a change. */
export const JobSettingsChange = {
  allowMdxCode: Type.Optional(Type.Boolean()),
  allowPaths: Type.Optional(AllowPaths),
  contextRepositories: Type.Optional(ContextRepositories),
  /** Null: as the model's and the installation's settings say. */
  effort: Type.Optional(nullable(EffortSchema)),
  webPages: Type.Optional(WebPages),
};

/** The same as members of a project. */
export const JobSettings = {
  allowMdxCode: Type.Boolean({ description: 'Jobs may add code and embeds to pages.' }),
  allowPaths: Type.Array(Type.String(), {
    description: 'Other files that jobs may write, as globs.',
  }),
  contextRepositories: StoredContextRepositories,
  effort: nullable(EffortSchema),
  webPages: Type.Array(Type.String(), { description: 'Web pages that jobs may read.' }),
};
