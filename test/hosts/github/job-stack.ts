import { claimInstallation } from '../../../db/github/installations.ts';
import { type JobStack, type JobStackOptions, startJobStack } from '../../support/job-stack.ts';
import { type GitHubStandIn, startGitHub } from './stand-in.ts';
import type { Repository } from './state.ts';

export interface GitHubJobStack extends JobStack {
  github: GitHubStandIn;
  repositoryOnGitHub: Repository;
}

/**
 * The whole main path with its project on the GitHub stand-in, by an App that is installed on that
 * one repository.
 */
export async function startGitHubJobStack(
  options: JobStackOptions & { files: Record<string, string> },
): Promise<GitHubJobStack> {
  const github = await startGitHub();
  const repository = github.addRepository('acme/docs', options.files);
  // Another repository of the same installation: no token may open it.
  const installation = github.install([
    repository,
    github.addRepository('acme/payroll', { 'README.md': '# Secret\n' }),
  ]);
  const stack = await startJobStack({
    ...options,
    noWorker: true,
    env: {
      GITHUB_API_URL: github.apiUrl,
      GITHUB_APP_ID: github.appId,
      GITHUB_APP_PRIVATE_KEY: github.privateKey,
      GITHUB_WEBHOOK_SECRET: 'webhook-secret-of-the-tests',
      ...options.env,
    },
  });
  await claimInstallation(stack.pool, {
    id: installation,
    organizationId: stack.project.organizationId,
    account: 'acme',
  });
  await stack.pool.query(
    "update projects set host = 'github', repository = 'acme/docs', repository_url = $2 where id = $1",
    [stack.project.id, `${github.webUrl}/acme/docs`],
  );
  if (!options.noWorker) await stack.startWorker();
  return {
    ...stack,
    github,
    repositoryOnGitHub: repository,
    close: async () => {
      await stack.close();
      await github.stop();
    },
  };
}
