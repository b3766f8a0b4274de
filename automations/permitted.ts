import { RepositoryError } from '../hosts/repository-error.ts';
import { Problem } from '../shared/errors.ts';
import { FAILURES } from '../shared/jobs/failures.ts';

/** What we may not do, or may not any more, is left undone: the run is done all the same. */
export async function permitted(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isFinal =
      error instanceof RepositoryError
        ? !FAILURES[error.type].retry
        : error instanceof Problem && error.status < 500;
    if (!isFinal) throw error;
  }
}
