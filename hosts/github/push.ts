import { RepositoryError } from '../repository-error.ts';

/**
 * What GitHub's git says of a push that it will not take, and the one thing to repair. The first
 * match counts.
 */
const REASONS: readonly [RegExp, (repository: string, branch: string) => string][] = [
  [
    /workflows? (permission|scope)|without `workflows?`/i,
    repository =>
      `GitHub refuses a change of a workflow in ${repository}: Docent works without the ` +
      'workflows permission; make that change yourself.',
  ],
  [
    /GH006|protected branch/i,
    (repository, branch) =>
      `The branch ${branch} of ${repository} is protected: exempt Docent’s branches from the ` +
      'rule, or name another branch.',
  ],
  [
    /GH013|rule violations|ruleset/i,
    (repository, branch) =>
      `A ruleset of ${repository} forbids the push to ${branch}: let Docent’s branches ` +
      '(docent/*) bypass it.',
  ],
  [
    /GH009|push protection|secret/i,
    repository =>
      `GitHub’s push protection sees a secret in the change of ${repository}: take it out.`,
  ],
  [
    /archived|read-only/i,
    repository =>
      `The repository ${repository} is archived and read-only: unarchive it, or point the ` +
      'project elsewhere.',
  ],
  [
    /email|GH007/i,
    repository =>
      `GitHub refuses the author’s address of the commit in ${repository}: allow it in the ` +
      'repository’s rules, or set the project’s commit author.',
  ],
];

/** The refusal of a push in a sentence that names what to repair; any other error as it is. */
export function explainPush(error: unknown, repository: string, branch: string): unknown {
  if (!(error instanceof RepositoryError)) return error;
  if (error.type === 'credentials_refused' && error.message.includes('(403)')) {
    return new RepositoryError(
      'credentials_refused',
      `The App or token may not push to ${repository}: give it read and write access to ` +
        'Contents and Pull requests there.',
    );
  }
  if (error.type !== 'push_refused') return error;
  // Of the message only what GitHub says: a branch may well be called docent/rotate-email-secrets.
  const known = REASONS.find(([pattern]) =>
    pattern.test(error.message.split(`${branch}: `).at(-1) ?? ''),
  );
  return known ? new RepositoryError('push_refused', known[1](repository, branch)) : error;
}
