import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { takeDelivery } from '../../db/webhook/deliveries.ts';
import { Problem } from '../../shared/errors.ts';
import type { HostWebhook } from '../../hosts/webhook.ts';
import { withoutKey } from '../plugins/auth.ts';
import { repeat } from '../../jobs/sweep/repeat.ts';
import { carryOut, finishDeliveries } from './deliveries.ts';
import type { DeliveryDeps } from './deps.ts';
import { readComment } from './follow-up.ts';

export interface WebhookOptions extends Omit<DeliveryDeps, 'questions'> {
  webhook: HostWebhook;
}

/**
 * How long after an event its delivery counts. GitHub repeats one for three days; what was taken is
 * remembered for longer than this, so that nothing counts twice.
 */
const MAX_AGE_DAYS = 14;
/** GitHub sends up to 25 MB; pushes of that size are made good by the index's schedule. */
const BODY_LIMIT = 5 * 1024 * 1024;
const SWEEP_EVERY_MS = 30_000;
const Done = Type.Object({ result: Type.String() });

/**
 * What happens on a host, signed by it. It is recorded before anything is done about it: a host
 * need not send anything twice.
 */
export async function webhookRoutes(app: FastifyInstance, given: WebhookOptions): Promise<void> {
  const { webhook, config } = given;
  const options = { ...given, questions: questionsOf(given) };
  withoutKey(app);
  const sweeper = repeat(
    SWEEP_EVERY_MS,
    async stopping => {
      if (webhook.secret(config)) await finishDeliveries(options, app.log, stopping);
    },
    error => app.log.warn({ err: error }, 'deliveries were not looked through'),
  );
  app.addHook('onClose', () => sweeper.stop());
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  ); // the signature is of the bytes
  app.post<{ Body: Buffer; Reply: Static<typeof Done> }>(
    webhook.path,
    {
      bodyLimit: BODY_LIMIT,
      schema: { hide: true, headers: webhook.headers, response: { 200: Done, 202: Done } },
    },
    async (request, reply) => {
      const secret = webhook.secret(config);
      if (!secret) throw new Problem('not_found', 'There is no webhook here.');
      if (!Buffer.isBuffer(request.body))
        throw new Problem('invalid_request', 'The delivery has no body.');
      const { name, id, event, news } = webhook.read(secret, request.headers, request.body);
      if (!news) return { result: 'nothing to do' };
      // Most comments are among people: they cost no query, however many come at once.
      const mention = webhook.mention(options.config);
      const ignored = news.kind === 'said' ? readComment(news, mention).ignored : undefined;
      if (ignored !== undefined) return { result: ignored };
      if (news.kind === 'said' && isTooOld(news.at)) return { result: 'too old' };
      if (!(await takeDelivery(options.pool, options.host, id, news)))
        return { result: 'taken before' };
      try {
        const result = await carryOut(options, id, news);
        request.log.info({ event, delivery: name, result }, 'delivery');
        return { result };
      } catch (error) {
        request.log.warn({ event, delivery: name, err: error }, 'delivery, to be tried again');
        return await reply.code(202).send({ result: 'to be tried again' });
      }
    },
  );
}

/** Opened again if the secret is another one: the host's credentials are, too. */
function questionsOf({ webhook, ...deps }: WebhookOptions): DeliveryDeps['questions'] {
  let opened: { secret: string | undefined; questions: ReturnType<HostWebhook['open']> };
  return () => {
    const secret = webhook.secret(deps.config);
    if (opened?.secret !== secret) opened = { secret, questions: webhook.open(deps) };
    return opened.questions;
  };
}

/** An instruction without a time that we can read could be of any age. */
function isTooOld(at: string): boolean {
  const age = Date.now() - Date.parse(at);
  return !(age < MAX_AGE_DAYS * 86_400_000);
}
