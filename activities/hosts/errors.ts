import { RepositoryError } from '../../shared/repository-error.ts';

export { RepositoryError, type RepositoryErrorType } from '../../shared/repository-error.ts';

/** The refusal of a branch that is no job's to push to, whatever our credentials may do. */
export function reserved(repository: string, branch: string): RepositoryError {
  return new RepositoryError(
    'push_refused',
    `The branch ${branch} of ${repository} is the base, the default or a protected one, which Docent never pushes to: name another branch for the job, or exempt docent/* from a rule that protects every branch.`,
  );
}
