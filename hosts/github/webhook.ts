import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { Problem } from '../../shared/errors.ts';
import type { Delivery, HostWebhook, WebhookQuestions } from '../webhook.ts';
import { newsOf } from './events.ts';
import { openGitHub } from './open.ts';
import { pullRequestOf } from './pull-requests.ts';
import { mayWrite, readReviewComments } from './review-comments.ts';

const Headers = Type.Object({
  'x-github-event': Type.String(),
  'x-github-delivery': Type.String({ maxLength: 100 }),
  'x-hub-signature-256': Type.Optional(Type.String()),
});

export const gitHubWebhook: HostWebhook = {
  path: '/github/webhook',
  secret: config => config.GITHUB_WEBHOOK_SECRET,
  mention: config => config.GITHUB_MENTION,
  headers: Headers,
  read: (secret, headers, body) => read(secret, headers as Static<typeof Headers>, body),
  open({ config, pool }): WebhookQuestions | undefined {
    const github = openGitHub(config, pool);
    if (!github) return undefined;
    return {
      repositoryId: repository =>
        github.call(repository, async (octokit, name) => {
          const { data } = await octokit.rest.repos.get(name);
          return data.id;
        }),
      mayWrite: (repository, login) => mayWrite(github, repository, login),
      pullRequest: (repository, number) =>
        github.call(repository, async (octokit, name) => {
          const { data } = await octokit.rest.pulls.get({ ...name, pull_number: number });
          return { state: pullRequestOf(data).state, at: data.updated_at };
        }),
      reviewComments: (repository, number) => readReviewComments(github, repository, number),
    };
  },
};

function read(secret: string, headers: Static<typeof Headers>, body: Buffer): Delivery {
  if (!isSigned(secret, body, headers['x-hub-signature-256']))
    throw new Problem(
      'unauthorized',
      'The signature is not by GITHUB_WEBHOOK_SECRET: set the same secret on GitHub.',
    );
  const { 'x-github-delivery': name, 'x-github-event': event } = headers;
  // Headers are not signed: anyone who captured a delivery could send it again under another id.
  const id = createHash('sha256').update(event).update('\n').update(body).digest('hex');
  return { name, id, event, news: newsOf(event, parsed(body)) };
}

function isSigned(secret: string, body: Buffer, signature = ''): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Problem(
      'invalid_request',
      'The delivery is not JSON: choose the content type application/json on GitHub.',
    );
  }
}
