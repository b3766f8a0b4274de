import { type Answer, type Call, failed, ok, page } from './call.ts';
import { type Deployment, mayOn, type Repository, type Token } from './state.ts';

/** What the REST API answers about deployments and commit statuses; undefined: not about them. */
export function previewAnswers(
  repository: Repository,
  call: Call & { token: Token },
  operation: string,
): Answer | undefined {
  const [, id] = /^\/deployments(?:\/(\d+)\/statuses)?$/.exec(operation) ?? [];
  const commit = /^\/commits\/([^/]+)\/status$/.exec(operation)?.[1];
  const isAboutDeployments = operation.startsWith('/deployments');
  if (!isAboutDeployments && commit === undefined) return undefined;
  const isPersonal = call.token.value.startsWith('ghp_');
  const permission = isAboutDeployments ? 'deployments' : 'statuses';
  if (!isPersonal && !mayOn(call.token, repository, permission, 'read'))
    return failed(403, 'Resource not accessible by integration');
  if (commit !== undefined) return combinedStatus(repository, commit);
  if (id === undefined) {
    const sha = call.query.get('sha');
    const found = repository.deployments.filter(each => sha === null || each.sha === sha);
    return page(call, found, deploymentAnswer);
  }
  const deployment = repository.deployments.find(each => each.id === Number(id));
  return deployment
    ? page(call, deployment.statuses, ({ state, url, at }) => ({
        state,
        environment_url: url,
        target_url: 'https://ci.example/log',
        created_at: at,
        updated_at: at,
      }))
    : failed(404, 'Not Found');
}

function deploymentAnswer({ id, sha, production }: Deployment) {
  return {
    id,
    sha,
    ref: sha,
    environment: production ? 'production' : 'Preview',
    production_environment: production,
  };
}

/** The newest status of each context. */
function combinedStatus(repository: Repository, sha: string): Answer {
  const newest = new Map(
    repository.statuses.filter(each => each.sha === sha).map(each => [each.context, each]),
  );
  return ok({
    sha,
    state: 'success',
    total_count: newest.size,
    statuses: [...newest.values()].map(({ context, state, url, at }) => ({
      context,
      state,
      target_url: url,
      created_at: at,
      updated_at: at,
    })),
  });
}
