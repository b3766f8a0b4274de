import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  branchAnswer,
  commentAnswer,
  installationAnswer,
  permissionAnswer,
  pullAnswer,
  repositoryAnswer,
  tokenAnswer,
} from './answers.ts';
import { peopleAnswer } from './people.ts';
import {
  findRepository,
  mayOn,
  newToken,
  type Pull,
  type Repository,
  type State,
  type Token,
} from './state.ts';

export interface Call {
  method: string;
  /** Below the API's base. */
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  token: Token | undefined;
  /** The request came with the App's own token, properly signed. */
  asApp: boolean;
  web: string;
}

export interface Answer {
  status: number;
  body: unknown;
  location?: string;
  /** Number of the page that follows this one of a list. */
  next?: number;
}

const ok = (body: unknown, status = 200): Answer => ({ status, body });
const failed = (status: number, message: string, errors?: unknown[]): Answer => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', ...(errors && { errors }) },
});

/** A page of a list, as the query asks for it. */
function page<T>({ query }: Call, all: readonly T[], show: (item: T) => unknown): Answer {
  const size = Math.min(100, Number(query.get('per_page') ?? 30));
  const number = Number(query.get('page') ?? 1);
  return {
    ...ok(all.slice((number - 1) * size, number * size).map(show)),
    ...(all.length > number * size && { next: number + 1 }),
  };
}

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
  const { method, query, web, token } = call;
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
  if (operation === '/branches') {
    const names = git(repository, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')
      .split('\n')
      .filter(Boolean);
    const shown =
      query.get('protected') === 'true'
        ? names.filter(name => repository.protectedBranches.includes(name))
        : names;
    return page(call, shown, name =>
      branchAnswer(repository, name, headOf(repository, name) ?? ''),
    );
  }
  const compared = /^\/compare\/(.+)\.\.\.(.+)$/.exec(decodeURIComponent(operation));
  if (compared) {
    if (
      compared
        .slice(1)
        .some(
          commit =>
            git(repository, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`) === '',
        )
    )
      return failed(404, 'Not Found');
    const base = git(repository, 'merge-base', compared[1] ?? '', compared[2] ?? '').trim();
    return base
      ? ok({ merge_base_commit: { sha: base } })
      : failed(404, `No common ancestor between ${compared[1]} and ${compared[2]}.`);
  }
  return pullAnswers(repository, call, operation);
}

function treeAnswer(repository: Repository, ref: string): Answer {
  const paths = git(repository, 'ls-tree', '-r', '--name-only', ref).split('\n').filter(Boolean);
  return paths.length > 0
    ? ok({ sha: ref, truncated: false, tree: paths.map(path => ({ path, type: 'blob' })) })
    : failed(404, 'Not Found');
}

function pullAnswers(repository: Repository, call: Call, operation: string): Answer {
  const { method, query, body, web } = call;
  const listed = (pull: Pull): object =>
    pullAnswer(repository, pull, pull.lastCommit ?? headOf(repository, pull.head) ?? '', web);
  const show = (pull: Pull): unknown => ({ ...listed(pull), merged: pull.mergedAt !== null });
  if (operation === '/pulls' && method === 'POST') return createPull(repository, body, show);
  if (operation === '/pulls') {
    // As GitHub does: a filter whose owner it does not know filters nothing.
    const [owner, head] = (query.get('head') ?? '').split(/:(.*)/s);
    const state = query.get('state') ?? 'open';
    const found = repository.pulls.filter(
      pull =>
        (owner !== repository.owner || pull.head === head) &&
        (state === 'all' || pull.state === state),
    );
    return page(call, found.toReversed(), listed);
  }
  const [, kind, number, list] =
    /^\/(pulls|issues)\/(\d+)(?:\/(comments|reviews))?$/.exec(operation) ?? [];
  const pull = repository.pulls.find(each => each.number === Number(number));
  if (!pull) return failed(404, 'Not Found');
  if (list) {
    const wanted = kind === 'issues' ? 'issue' : list === 'reviews' ? 'review' : 'line';
    return page(
      call,
      repository.comments.filter(
        comment => comment.pull === pull.number && comment.kind === wanted,
      ),
      commentAnswer,
    );
  }
  if (method === 'PATCH' && isTooLong(body)) return invalid(TOO_LONG);
  if (method === 'PATCH') Object.assign(pull, body);
  return ok(show(pull));
}

const TOO_LONG = 'body is too long (maximum is 65536 characters)';
const isTooLong = ({ body = '' }: { body?: unknown }) => String(body).length > 65_536;
const invalid = (message: string): Answer =>
  failed(422, 'Validation Failed', [{ resource: 'PullRequest', code: 'custom', message }]);

function createPull(
  repository: Repository,
  body: Record<string, unknown>,
  show: (pull: Pull) => unknown,
): Answer {
  const {
    title,
    head,
    base,
    draft = false,
    body: text = '',
  } = body as { title: string; head: string; base: string; draft?: boolean; body?: string };
  for (const [field, name] of [
    ['head', head],
    ['base', base],
  ] as const) {
    if (headOf(repository, name) === undefined)
      return failed(422, 'Validation Failed', [
        { resource: 'PullRequest', code: 'invalid', field },
      ]);
  }
  if (repository.pulls.some(pull => pull.head === head && pull.state === 'open'))
    return invalid(`A pull request already exists for ${repository.owner}:${head}.`);
  if (
    git(repository, 'rev-list', '--count', `refs/heads/${base}..refs/heads/${head}`).trim() === '0'
  )
    return invalid(`No commits between ${base} and ${head}`);
  if (draft && !repository.drafts)
    return failed(422, 'Draft pull requests are not supported in this repository.');
  if (isTooLong(body)) return invalid(TOO_LONG);
  const pull: Pull = {
    number: repository.pulls.length + 1,
    title,
    body: text,
    head,
    base,
    draft,
    state: 'open',
    mergedAt: null,
    lastCommit: null,
    fork: false,
  };
  repository.pulls.push(pull);
  return ok(show(pull), 201);
}

export function headOf(repository: Repository, branch: string): string | undefined {
  const file = join(repository.folder, 'refs/heads', branch);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return readFileSync(file, 'utf8').trim();
  return (
    git(repository, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`).trim() || undefined
  );
}

/** Git on the bare repository; what fails is ''. */
export function git(repository: Repository, ...args: string[]): string {
  try {
    return execFileSync('git', ['-C', repository.folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
