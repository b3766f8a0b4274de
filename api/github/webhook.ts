import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { FastifyInstance } from 'fastify';
import { notePullRequest, projectsOnGitHub, returnDelivery, takeDelivery } from '../../shared/db/github-events.ts';
import { Problem } from '../../shared/errors.ts';
import type { GitHubClient } from '../../shared/github/client.ts';
import { requestIndex } from '../../shared/index-requests.ts';
import { RepositoryError } from '../../shared/repository-error.ts';
import type { AgentDeps } from '../agent/deps.ts';
import { withoutKey } from '../plugins/auth.ts';
import { fromIssueComment, fromLineComment, fromReview, IssueComment, LineComment, PullRequestEvent, Push, Review, type Said } from './events.ts';
import { followUp } from './follow-up.ts';

export interface WebhookOptions extends AgentDeps {
  /** GITHUB_WEBHOOK_SECRET. */
  secret: string;
  github: GitHubClient | undefined;
}

/** GitHub sends up to 25 MB; pushes of that size are made good by the index's schedule. */
const BODY_LIMIT = 5 * 1024 * 1024;
const Headers = Type.Object({ 'x-github-event': Type.String(), 'x-github-delivery': Type.String({ maxLength: 100 }), 'x-hub-signature-256': Type.Optional(Type.String()) });
const Done = Type.Object({ result: Type.String() });

/** `POST /github/webhook`: what happens on GitHub, signed by it. */
export async function gitHubWebhook(app: FastifyInstance, { secret, github, ...deps }: WebhookOptions): Promise<void> {
  withoutKey(app);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body)); // the signature is of the bytes
  app.post<{ Headers: Static<typeof Headers>; Body: Buffer }>('/github/webhook', {
    bodyLimit: BODY_LIMIT,
    schema: { hide: true, headers: Headers, response: { 200: Done } },
  }, async request => {
    if (!Buffer.isBuffer(request.body)) throw new Problem('invalid_request', 'The delivery has no body.');
    if (!signed(secret, request.body, request.headers['x-hub-signature-256'])) {
      throw new Problem('unauthorized', 'The signature is not by GITHUB_WEBHOOK_SECRET: set the same secret on GitHub.');
    }
    const delivery = request.headers['x-github-delivery'];
    if (!(await takeDelivery(deps.pool, delivery))) return { result: 'taken before' };
    try {
      const result = await handle(deps, github, request.headers['x-github-event'], parsed(request.body));
      request.log.info({ event: request.headers['x-github-event'], delivery, result }, 'delivery');
      return { result };
    } catch (error) {
      await returnDelivery(deps.pool, delivery).catch(() => undefined);
      if (error instanceof RepositoryError) throw new Problem('unavailable', error.message, { cause: error });
      throw error;
    }
  });
}

async function handle(deps: AgentDeps, github: GitHubClient | undefined, event: string, payload: unknown): Promise<string> {
  switch (event) {
    case 'push': return reindex(deps, read(Push, payload));
    case 'pull_request': return note(deps, read(PullRequestEvent, payload));
    case 'issue_comment': return hear(deps, github, fromIssueComment(read(IssueComment, payload)));
    case 'pull_request_review_comment': return hear(deps, github, fromLineComment(read(LineComment, payload)));
    case 'pull_request_review': return hear(deps, github, fromReview(read(Review, payload)));
    default: return 'nothing to do';
  }
}

async function reindex(deps: AgentDeps, { ref, repository }: Static<typeof Push>): Promise<string> {
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  const projects = branch === undefined ? [] : await projectsOnGitHub(deps.pool, repository.full_name, branch);
  for (const project of projects) await requestIndex(deps.temporal, deps.config.TASK_QUEUE, project);
  return `${projects.length} to index`;
}

async function note(deps: AgentDeps, { repository, pull_request: pull }: Static<typeof PullRequestEvent>): Promise<string> {
  const state = pull.merged ? 'merged' : pull.state;
  await notePullRequest(deps.pool, { repository: repository.full_name, number: pull.number, state, at: pull.updated_at });
  return state;
}

async function hear(deps: AgentDeps, github: GitHubClient | undefined, said: Said | undefined): Promise<string> {
  return said ? followUp(deps, github, said) : 'nothing to do';
}

function signed(secret: string, body: Buffer, signature = ''): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Problem('invalid_request', 'The delivery is not JSON: choose the content type application/json on GitHub.');
  }
}

function read<S extends TSchema>(schema: S, payload: unknown): Static<S> {
  if (Value.Check(schema, payload)) return payload;
  throw new Problem('invalid_request', 'The delivery lacks members that this kind of event has.');
}
