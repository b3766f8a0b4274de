import { turnInstructions } from '../../db/jobs/instructions.ts';
import { asksForComments, quoteReviewComments } from '../../hosts/review-comments.ts';
import type { RepositoryAddress } from '../../hosts/host.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * What people who may write have said on the job's pull request, quoted for the transcript, where
 * an instruction of the turn asks for it; else null. For `prepare`, which may wait for the host.
 * Throws `RepositoryError`.
 */
export async function commentsAskedFor(
  deps: Pick<ActivityDeps, 'pool' | 'hostFor'>,
  address: RepositoryAddress,
  jobId: string,
  turn: number,
): Promise<string | null> {
  const host = deps.hostFor(address);
  if (!host.reviewComments) return null;
  const { prompts, pullRequest } = await turnInstructions(deps.pool, jobId, turn);
  if (pullRequest === null || !prompts.some(asksForComments)) return null;
  return quoteReviewComments(await host.reviewComments(address, pullRequest));
}
