import { requireMayRead } from '../hosts/context-repositories.ts';
import { HistoryError } from '../hosts/git/history-questions.ts';
import { parseDiff } from '../hosts/git/parse-diff.ts';
import type { Project } from '../db/projects/projects.ts';
import type { Change } from '../shared/jobs/automation.ts';
import type { ContextRepository } from '../shared/context-repositories.ts';
import type { AutomationDeps } from './deps.ts';
import type { ChangedFiles } from './quote.ts';

/** What a change did to its repository. Throws `RepositoryError`, `Problem`. */
export async function readChangedFiles(
  deps: AutomationDeps,
  { organizationId }: Pick<Project, 'organizationId'>,
  change: Change,
  signal: AbortSignal,
): Promise<ChangedFiles> {
  const { host, repository, commit, number } = change;
  await requireMayRead(deps, organizationId, contextOf(change));
  const address = { host, repository, readOnly: true };
  const reads = deps.hostFor(address);
  const from =
    change.from ?? (number === null ? null : await reads.beforeRebase?.(address, number, commit));
  const question = { kind: 'diff', path: '', to: commit, ...(from && { from }) } as const;
  try {
    const { text, isCut } = await reads.history(address, commit, question, signal);
    const diff = text.slice(Math.max(0, text.search(/^diff --git /m)));
    return { paths: pathsIn(diff), diff, isCut };
  } catch (error) {
    // The branch was set back since: what is left is its title and description.
    if (error instanceof HistoryError) return { paths: [], diff: '', isCut: true };
    throw error;
  }
}

export function contextOf({
  host,
  repository,
  branch,
}: Pick<Change, 'host' | 'repository' | 'branch'>): ContextRepository {
  return { name: repository, host, repository, ref: branch };
}

/** Each path of a diff once, old names of renamed files too. */
export function pathsIn(diff: string): string[] {
  const paths = parseDiff(diff).flatMap(({ from, path }) => (from ? [from, path] : [path]));
  return [...new Set(paths)];
}
