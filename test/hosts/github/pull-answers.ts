import { commentAnswer, pullAnswer } from './answers.ts';
import { type Answer, type Call, failed, ok, page } from './call.ts';
import { git, headOf } from './repositories.ts';
import type { Pull, Repository } from './state.ts';

/** What the REST API answers about pull requests and their comments. */
export function pullAnswers(repository: Repository, call: Call, operation: string): Answer {
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
        (state === 'all' || pull.state === state) &&
        pull.base === (query.get('base') ?? pull.base),
    );
    return page(call, found.toReversed(), listed);
  }
  const changed = /^\/issues\/comments\/(\d+)$/.exec(operation)?.[1];
  if (changed !== undefined) return changeComment(repository, Number(changed), body);
  const [, kind, number, list] =
    /^\/(pulls|issues)\/(\d+)(?:\/(comments|reviews|labels|requested_reviewers))?$/.exec(
      operation,
    ) ?? [];
  const pull = repository.pulls.find(each => each.number === Number(number));
  if (!pull) return failed(404, 'Not Found');
  if (list && method === 'POST') return addTo(repository, pull, list, body, listed);
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

function changeComment(repository: Repository, id: number, body: object): Answer {
  const comment = repository.comments.find(each => each.id === id);
  if (!comment) return failed(404, 'Not Found');
  Object.assign(comment, body);
  return ok(commentAnswer(comment));
}

/** A comment, labels, or reviewers: an author cannot review their own. */
function addTo(
  repository: Repository,
  pull: Pull,
  list: string,
  body: { body?: unknown; labels?: unknown; reviewers?: unknown },
  show: (pull: Pull) => unknown,
): Answer {
  if (list === 'labels') {
    pull.labels = [...new Set([...pull.labels, ...(body.labels as string[])])];
    return ok(pull.labels.map(name => ({ name })));
  }
  if (list === 'requested_reviewers') {
    const asked = body.reviewers as string[];
    if (asked.some(login => !repository.roles[login]))
      return failed(422, 'Reviews may only be requested from collaborators.');
    pull.reviewers.push(...asked);
    return ok(show(pull), 201);
  }
  const comment = {
    id: repository.comments.length + 1,
    kind: 'issue' as const,
    pull: pull.number,
    login: 'docent[bot]',
    bot: true,
    body: String(body.body),
    path: null,
    line: null,
    at: new Date().toISOString(),
  };
  repository.comments.push(comment);
  return ok(commentAnswer(comment), 201);
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
    author: 'docent[bot]',
    labels: [],
    reviewers: [],
    mergeCommit: null,
  };
  repository.pulls.push(pull);
  return ok(show(pull), 201);
}
