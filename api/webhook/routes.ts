import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { takeDelivery } from '../../shared/db/github/deliveries.ts';
import { Problem } from '../../shared/errors.ts';
import { withoutKey } from '../plugins/auth.ts';
import { repeat } from '../background/repeat.ts';
import { carryOut, type DeliveryDeps, finishDeliveries } from './deliveries.ts';
import { newsOf } from '../../hosts/github/events.ts';
import { readComment } from './follow-up.ts';

export interface WebhookOptions extends DeliveryDeps {
  /** GITHUB_WEBHOOK_SECRET. */
  secret: string;
}

/** GitHub sends up to 25 MB; pushes of that size are made good by the index's schedule. */
const BODY_LIMIT = 5 * 1024 * 1024;
const SWEEP_EVERY_MS = 30_000;
const Headers = Type.Object({
  'x-github-event': Type.String(),
  'x-github-delivery': Type.String({ maxLength: 100 }),
  'x-hub-signature-256': Type.Optional(Type.String()),
});
const Done = Type.Object({ result: Type.String() });

/**
 * `POST /github/webhook`: what happens on GitHub, signed by it. It is recorded before anything is
 * done about it: GitHub sends nothing twice by itself.
 */
export async function gitHubWebhook(
  app: FastifyInstance,
  { secret, ...deps }: WebhookOptions,
): Promise<void> {
  withoutKey(app);
  const sweeper = repeat(
    SWEEP_EVERY_MS,
    stopping => finishDeliveries(deps, app.log, stopping),
    error => app.log.warn({ err: error }, 'deliveries were not looked through'),
  );
  app.addHook('onClose', () => sweeper.stop());
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  ); // the signature is of the bytes
  app.post<{ Headers: Static<typeof Headers>; Body: Buffer }>(
    '/github/webhook',
    {
      bodyLimit: BODY_LIMIT,
      schema: { hide: true, headers: Headers, response: { 200: Done, 202: Done } },
    },
    async (request, reply) => {
      if (!Buffer.isBuffer(request.body))
        throw new Problem('invalid_request', 'The delivery has no body.');
      if (!signed(secret, request.body, request.headers['x-hub-signature-256'])) {
        throw new Problem(
          'unauthorized',
          'The signature is not by GITHUB_WEBHOOK_SECRET: set the same secret on GitHub.',
        );
      }
      const { 'x-github-delivery': delivery, 'x-github-event': event } = request.headers;
      const news = newsOf(event, parsed(request.body));
      if (!news) return { result: 'nothing to do' };
      // Most comments are among people: they cost no query, however many come at once.
      const ignored =
        news.kind === 'said' ? readComment(news, deps.config.GITHUB_MENTION).ignored : undefined;
      if (ignored !== undefined) return { result: ignored };
      if (!(await takeDelivery(deps.pool, delivery, news))) return { result: 'taken before' };
      try {
        const result = await carryOut(deps, delivery, news);
        request.log.info({ event, delivery, result }, 'delivery');
        return { result };
      } catch (error) {
        request.log.warn({ event, delivery, err: error }, 'delivery, to be tried again');
        return await reply.code(202).send({ result: 'to be tried again' });
      }
    },
  );
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
    throw new Problem(
      'invalid_request',
      'The delivery is not JSON: choose the content type application/json on GitHub.',
    );
  }
}
