export { RepositoryError, type RepositoryErrorType } from '../../shared/repository-error.ts';
