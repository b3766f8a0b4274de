import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Payload } from '@temporalio/common';
import fastify from 'fastify';
import type { EncryptionCodec } from '../../shared/secrets/payload-codec.ts';

const MAX_BODY = 32 * 1024 * 1024;
const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });
const Payloads = Type.Object({
  payloads: Type.Array(
    Type.Object({
      metadata: Type.Optional(Type.Record(Type.String(), Base64)),
      data: Type.Optional(Base64),
    }),
  ),
});

/**
 * Temporal's protocol for remote codecs, for this machine alone: while it runs, its users can decrypt.
 * Pages of other origins than `uis` get no answer, and neither does a name that another site points
 * here.
 */
export async function startCodecServer(
  codec: EncryptionCodec,
  { port, uis }: { port: number; uis: readonly string[] },
): Promise<{ url: string; close(): Promise<void> }> {
  const app = fastify({ bodyLimit: MAX_BODY }).withTypeProvider<TypeBoxTypeProvider>();
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    const isOurs = ['127.0.0.1', 'localhost'].includes(request.hostname);
    if (!isOurs || (origin !== undefined && !uis.includes(origin))) return reply.code(403).send();
    reply.headers({
      ...(origin !== undefined && { 'access-control-allow-origin': origin }),
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, x-namespace, authorization',
      'access-control-allow-private-network': 'true',
      vary: 'origin',
    });
    return request.method === 'OPTIONS' ? reply.code(204).send() : undefined;
  });
  app.options('/*', (_, reply) => reply.code(204).send());
  for (const verb of ['encode', 'decode'] as const)
    app.post(`/${verb}`, { schema: { body: Payloads } }, async ({ body }) => {
      const changed = await codec[verb](body.payloads.map(fromJson));
      return { payloads: changed.map(toJson) };
    });
  const url = await app.listen({ host: '127.0.0.1', port });
  return { url, close: () => app.close() };
}

interface JsonPayload {
  metadata?: Record<string, string>;
  data?: string;
}

function fromJson({ metadata = {}, data = '' }: JsonPayload): Payload {
  const entries = Object.entries(metadata);
  return {
    metadata: Object.fromEntries(
      entries.map(([key, value]) => [key, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(data, 'base64'),
  };
}

function toJson({ metadata, data }: Payload): JsonPayload {
  const entries = Object.entries(metadata ?? {});
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return {
    metadata: Object.fromEntries(entries.map(([key, value]) => [key, base64(value)])),
    ...(data && { data: base64(data) }),
  };
}
