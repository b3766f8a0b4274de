import {
  branchAnswer,
  installationAnswer,
  permissionAnswer,
  repositoryAnswer,
  tokenAnswer,
} from './answers.ts';
import { type Answer, type Call, failed, ok, page } from './call.ts';
import { peopleAnswer } from './people.ts';
import { previewAnswers } from './preview-answers.ts';
import { pullAnswers } from './pull-answers.ts';
import { git, headOf } from './repositories.ts';
import {
  findRepository,
  mayOn,
  newToken,
  type Repository,
  type State,
  type Token,
} from './state.ts';

/** One call of the REST API, the operations that Docent uses. */
export function answer(state: State, call: Call): Answer {
  if (call.path === '/app' && call.asApp)
    return ok({
      id: 7,
      slug: 'docent',
      html_url: `${call.web}/apps/docent`,
      permissions: { contents: 'write', pull_requests: 'write', metadata: 'read' },
    });
  const toPeople = peopleAnswer(state, call);
  if (toPeople) return toPeople;
  const installation = /^\/app\/installations\/(\d+)(\/access_tokens)?$/.exec(call.path);
  if (installation)
    return appAnswer(state, call, Number(installation[1]), installation[2] !== undefined);
  const [, fullName = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(call.path) ?? [];
  const [, id, below = ''] = /^\/repositories\/(\d+)(\/.*)?$/.exec(call.path) ?? [];
  const repository = id
    ? state.repositories.find(each => each.id === Number(id))
    : findRepository(state, fullName);
  if (!call.token && !call.asApp) return failed(401, 'Bad credentials');
  if (!repository) return failed(404, 'Not Found');
  if (!id && `${repository.owner}/${repository.name}`.toLowerCase() !== fullName.toLowerCase()) {
    return {
      status: call.method === 'GET' ? 301 : 307,
      body: { message: 'Moved Permanently' },
      location: `/repositories/${repository.id}${rest}`,
    };
  }
  const operation = id ? below : rest;
  if (operation === '/installation') return foundInstallation(state, call, repository);
  if (!call.token || !mayOn(call.token, repository, 'metadata', 'read'))
    return failed(404, 'Not Found');
  return repositoryAnswers(repository, { ...call, token: call.token }, operation);
}

function appAnswer(state: State, call: Call, id: number, mint: boolean): Answer {
  if (!call.asApp) return failed(401, 'A JSON web token could not be decoded');
  const installation = state.installations.find(each => each.id === id);
  if (!installation) return failed(404, 'Not Found');
  if (!mint) return ok(installationAnswer(installation));
  if (installation.suspended) return failed(403, 'This installation has been suspended');
  const body = call.body as {
    repositories?: string[];
    repository_ids?: number[];
    permissions?: Record<string, string>;
  };
  state.mints.push({ installation: id, body });
  const reachable = state.repositories.filter(each => installation.repositories.includes(each.id));
  const wanted = [...(body.repositories ?? []), ...(body.repository_ids ?? [])];
  const named = reachable.filter(
    each => body.repositories?.includes(each.name) || body.repository_ids?.includes(each.id),
  );
  if (named.length < wanted.length)
    return failed(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  const asked = body.permissions ?? installation.permissions;
  const lacking = Object.entries(asked).some(
    ([name, level]) =>
      installation.permissions[name] !== 'write' && installation.permissions[name] !== level,
  );
  if (lacking)
    return failed(422, 'The permissions requested are not granted to this installation.');
  const granted = wanted.length > 0 ? named : reachable;
  return ok(
    tokenAnswer(
      newToken(
        state,
        'ghs',
        granted.map(each => each.id),
        asked,
      ),
      granted,
    ),
    201,
  );
}

function foundInstallation(state: State, call: Call, repository: Repository): Answer {
  if (!call.asApp) return failed(401, 'A JSON web token could not be decoded');
  const installation = state.installations.find(each => each.repositories.includes(repository.id));
  return installation ? ok(installationAnswer(installation)) : failed(404, 'Not Found');
}

function repositoryAnswers(
  repository: Repository,
  call: Call & { token: Token },
  operation: string,
): Answer {
  const { method, web, token } = call;
  const writes =
    mayOn(token, repository, 'contents', 'write') &&
    mayOn(token, repository, 'pull_requests', 'write');
  if (method !== 'GET' && !writes)
    return failed(
      403,
      token.repositories === 'all'
        ? 'Resource not accessible by personal access token'
        : 'Resource not accessible by integration',
    );
  if (method !== 'GET' && repository.archived)
    return failed(403, 'Repository was archived so is read-only.');
  if (operation === '') return ok(repositoryAnswer(repository, web, writes));
  const role = /^\/collaborators\/([^/]+)\/permission$/.exec(operation)?.[1];
  if (role !== undefined) return ok(permissionAnswer(repository.roles[role] ?? 'read'));
  const branch = /^\/branches\/(.+)$/.exec(operation)?.[1];
  if (branch !== undefined) {
    const sha = headOf(repository, decodeURIComponent(branch));
    return sha
      ? ok(branchAnswer(repository, decodeURIComponent(branch), sha))
      : failed(404, 'Branch not found');
  }
  const tree = /^\/git\/trees\/(.+)$/.exec(operation)?.[1];
  if (tree !== undefined) return treeAnswer(repository, decodeURIComponent(tree));
  if (operation === '/branches') return branchesAnswer(repository, call);
  const compared = /^\/compare\/(.+)\.\.\.(.+)$/.exec(decodeURIComponent(operation));
  if (compared) return comparison(repository, compared[1] ?? '', compared[2] ?? '', call);
  return previewAnswers(repository, call, operation) ?? pullAnswers(repository, call, operation);
}

function branchesAnswer(repository: Repository, call: Call): Answer {
  const names = git(repository, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')
    .split('\n')
    .filter(Boolean);
  const shown =
    call.query.get('protected') === 'true'
      ? names.filter(name => repository.protectedBranches.includes(name))
      : names;
  return page(call, shown, name => branchAnswer(repository, name, headOf(repository, name) ?? ''));
}

function comparison(repository: Repository, base: string, head: string, call: Call): Answer {
  const exists = (commit: string): boolean =>
    git(repository, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`) !== '';
  if (!exists(base) || !exists(head)) return failed(404, 'Not Found');
  const common = git(repository, 'merge-base', base, head).trim();
  return common
    ? ok({ merge_base_commit: { sha: common }, ...comparedCommits(repository, common, head, call) })
    : failed(404, `No common ancestor between ${base} and ${head}.`);
}

/** A page of the commits after `base`, oldest first; by GitHub's rule all of them without a page. */
function comparedCommits(repository: Repository, base: string, head: string, call: Call) {
  const all = git(repository, 'rev-list', '--reverse', '--topo-order', `${base}..${head}`)
    .split('\n')
    .filter(Boolean);
  const size = Number(call.query.get('per_page') ?? 250);
  const first = (Number(call.query.get('page') ?? 1) - 1) * size;
  const commits = all.slice(first, first + size).map(sha => {
    const [tree = '', date = '', parents = '', ...message] = git(
      repository,
      'show',
      '--no-patch',
      '--format=%T%n%aI%n%P%n%B',
      sha,
    ).split('\n');
    return {
      sha,
      commit: { message: message.join('\n').trimEnd(), tree: { sha: tree }, author: { date } },
      parents: parents.split(' ').flatMap(parent => (parent ? [{ sha: parent }] : [])),
    };
  });
  return { total_commits: all.length, commits };
}

function treeAnswer(repository: Repository, ref: string): Answer {
  const paths = git(repository, 'ls-tree', '-r', '--name-only', ref).split('\n').filter(Boolean);
  return paths.length > 0
    ? ok({ sha: ref, truncated: false, tree: paths.map(path => ({ path, type: 'blob' })) })
    : failed(404, 'Not Found');
}
