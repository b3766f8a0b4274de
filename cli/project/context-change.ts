import { locateContextRepositories } from '../../hosts/context-repositories.ts';
import type { HostDeps } from '../../hosts/host-deps.ts';
import { type ContextRepository, parseContext } from '../../shared/context-repositories.ts';
import { ProjectChange } from '../../api/dashboard/contract/projects/projects.ts';
import { checkFlag } from '../commands/flags.ts';

/** The setting that `--context` stands for: comma-separated `name@branch`, or `none`. */
export async function contextChange(
  deps: HostDeps,
  organizationId: string,
  flag: string | undefined,
): Promise<{ contextRepositories?: ContextRepository[] }> {
  if (flag === undefined) return {};
  const wanted =
    flag === 'none' ? [] : flag.split(',').map(written => parseContext(written.trim()));
  checkFlag('--context', ProjectChange.properties.contextRepositories, wanted);
  return { contextRepositories: await locateContextRepositories(deps, organizationId, wanted) };
}
