import { docsFolderOf } from '../../../sites/docs-folder.ts';
import type { HostDefinition } from '../../../hosts/host-definition.ts';
import { RepositoryError } from '../../../hosts/repository-error.ts';
import { askThird, type ThirdAccess, ThirdHost } from './host.ts';

/** All that makes a third kind of host known. It has none of the optional capabilities. */
export function thirdHost(access: ThirdAccess): HostDefinition {
  return {
    kind: 'third',
    name: 'Third',
    workerSettings: 'start the third host',
    openForWorker: ({ repositories }) => new ThirdHost(access, repositories),
    problem: () => null,
    repositoryAt: async (_deps, address) =>
      address.startsWith(`${access.url}/`) ? address.slice(access.url.length + 1) : undefined,
    requireMayUse: async (_deps, _organizationId, repository) => {
      await askThird(access, repository, '');
    },
    async locate(_deps, _asking, repository, wanted) {
      const { defaultBranch } = await askThird<{ defaultBranch: string }>(access, repository, '');
      const baseRef = wanted.baseRef ?? defaultBranch;
      const files = await askThird<string[]>(access, repository, `/files?ref=${baseRef}`);
      return {
        repository,
        repositoryUrl: `${access.url}/${repository}`,
        baseRef,
        docsFolder: wanted.docsFolder ?? docsFolderOf(files),
      };
    },
    async checkChange(_deps, { repository }, { baseRef = 'main' }) {
      await askThird(access, repository, `/files?ref=${baseRef}`).catch(() => {
        throw new RepositoryError('ref_not_found', `There is no branch ${baseRef}.`);
      });
    },
    pullRequestsUrl: repositoryUrl => `${repositoryUrl}/pulls`,
  };
}
