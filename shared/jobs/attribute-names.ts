/** Search attributes; `docent start`, `docent api` and docker-compose.yml create them. */
export const SEARCH_ATTRIBUTES = {
  project: 'DocentProject',
  status: 'DocentStatus',
  pullRequest: 'DocentPullRequest',
  outcome: 'DocentOutcome',
  title: 'DocentTitle',
} as const;
export type SearchAttribute = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];

/** A keyword is matched as a whole, a text by its words. */
export const SEARCH_ATTRIBUTE_TYPES = {
  DocentProject: 'Keyword',
  DocentStatus: 'Keyword',
  DocentPullRequest: 'Keyword',
  DocentOutcome: 'Keyword',
  DocentTitle: 'Text',
} as const satisfies Record<SearchAttribute, string>;
