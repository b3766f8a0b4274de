import type { FoundPreview } from '../../host-definition.ts';
import type { GitHubClient } from '../client.ts';
import { deploymentUrl, statusUrl } from './preview.ts';

/** Of a commit; the newest come first. */
const DEPLOYMENTS = 3;

/**
 * The preview of a commit, of its deployments before its statuses; null: there is none yet. Two
 * requests, and one for each of the newest deployments. Throws `RepositoryError`.
 */
export async function readPreview(
  github: GitHubClient,
  repository: string,
  commit: string,
): Promise<FoundPreview | null> {
  return await github.call(repository, async ({ rest: { repos } }, name) => {
    const deployments = await repos.listDeployments({
      ...name,
      sha: commit,
      per_page: DEPLOYMENTS,
    });
    for (const deployment of deployments.data) {
      const statuses = await repos.listDeploymentStatuses({
        ...name,
        deployment_id: deployment.id,
        per_page: 1,
      });
      const [status] = statuses.data;
      const url = status && deploymentUrl(deployment, status);
      if (url !== undefined) return { url, from: 'deployment', at: status!.updated_at };
    }
    const combined = await repos.getCombinedStatusForRef({ ...name, ref: commit, per_page: 100 });
    for (const status of combined.data.statuses) {
      const url = statusUrl(status);
      if (url !== undefined) return { url, from: 'status', at: status.updated_at };
    }
    return null;
  });
}
