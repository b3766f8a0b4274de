import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import type { RepositoryAddress, RepositoryHost } from '../hosts/host.ts';

const MOST_CHANGED_FILES = 100;
const MOST_CHANGED_BYTES = 1_000_000;
const MOST_FILES = 3_000;

/** A large change, for `leaveToOrdinary`. */
export function isLargeChange(changes: ReadonlyMap<string, Buffer | null>): boolean {
  const bytes = [...changes.values()].reduce((sum, content) => sum + (content?.length ?? 0), 0);
  return changes.size > MOST_CHANGED_FILES || bytes > MOST_CHANGED_BYTES;
}

/** A repository that takes long to look through, for `leaveToOrdinary`. */
export function isLargeRepository({ entries }: { entries: ReadonlyMap<string, unknown> }): boolean {
  return entries.size > MOST_FILES;
}

/**
 * Ends a local activity whose work may take long: it would keep its workflow task open. The workflow
 * calls the ordinary one instead (workflows/local-first.ts). In an ordinary activity, nothing.
 */
export function leaveToOrdinary(why: string): void {
  if (!Context.current().info.isLocal) return;
  throw ApplicationFailure.create({
    message: `Left to an ordinary activity: ${why}.`,
    type: 'left_to_ordinary',
    category: ApplicationFailureCategory.BENIGN, // no trouble: not logged as such
  });
}

/** Likewise, where a commit must be fetched first. */
export async function leaveFetching(
  host: RepositoryHost,
  address: RepositoryAddress,
  commit: string,
): Promise<void> {
  if (!Context.current().info.isLocal || (await host.isFetched(address, commit))) return;
  leaveToOrdinary('the commit is to be fetched');
}
