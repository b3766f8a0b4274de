import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { closeServer, listen } from '../../../offline-model/protocol/http.ts';

/** A cloud in front of a model stand-in that speaks the Messages API. */
export interface Cloud {
  url: string;
  /** Paths of the calls, in order. */
  paths: string[];
  /** Bodies as the cloud got them: the model is in the path, not here. */
  bodies: Record<string, unknown>[];
  /** Betas of the last call, in its body (Bedrock) or its header (Vertex). */
  betas: unknown;
  /** Refusals and faults of the next calls, in order. */
  faults: Fault[];
  close(): Promise<void>;
}

/** A refusal by status, or an exception in the stream after its first event. */
export type Fault = { status: number; body: unknown } | { exception: string };

export const AWS = { accessKeyId: 'AKIATESTTESTTEST', secretAccessKey: 'aws-secret-of-the-test' };
export const REGION = 'eu-west-1';
export const GOOGLE_PROJECT = 'acme-docs';
export const GOOGLE_TOKEN = 'google-token-of-the-test';

/** Bedrock's runtime: InvokeModel, SigV4, answers as AWS event streams. */
export function startBedrock(target: string): Promise<Cloud> {
  return startCloud(target, async (request, response, cloud, body) => {
    const [, model, verb] = /^\/model\/([^/]+)\/(invoke(?:-with-response-stream)?)$/.exec(
      request.url ?? '',
    ) ?? ['', '', ''];
    if (!verb) return send(response, 404, { message: `no such operation: ${request.url}` });
    const wrong = wrongSignature(request, body);
    if (wrong) return send(response, 403, { message: wrong });
    const parsed = JSON.parse(body) as Record<string, unknown>;
    if (!('anthropic_version' in parsed) || 'model' in parsed || 'stream' in parsed)
      return send(response, 400, { message: 'Malformed input request' });
    cloud.bodies.push(parsed);
    cloud.betas = parsed['anthropic_beta'];
    const fault = cloud.faults.shift();
    if (fault && 'status' in fault) return send(response, fault.status, fault.body);
    const stream = verb !== 'invoke';
    const answer = await ask(target, { ...parsed, model: decodeURIComponent(model), stream });
    if (!stream) return send(response, answer.status, await answer.json());
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    for (const event of (await answer.text()).split('\n\n').filter(Boolean)) {
      const data = /^data: (.*)$/m.exec(event)?.[1] ?? '';
      const bytes = JSON.stringify({ bytes: Buffer.from(data).toString('base64') });
      response.write(frame({ ':event-type': 'chunk', ':message-type': 'event' }, bytes));
      if (!fault) continue;
      const headers = { ':exception-type': fault.exception, ':message-type': 'exception' };
      response.write(frame(headers, JSON.stringify({ message: 'later' })));
      break;
    }
    response.end();
  });
}

/** Vertex: rawPredict and streamRawPredict with a bearer token that its own token service gave. */
export function startVertex(target: string): Promise<Cloud> {
  return startCloud(target, async (request, response, cloud, body) => {
    if (request.url === '/token')
      return body.includes('subject_token=identity-of-the-test')
        ? send(response, 200, {
            access_token: GOOGLE_TOKEN,
            issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
            token_type: 'Bearer',
            expires_in: 3600,
          })
        : send(response, 400, { error: 'invalid_grant' });
    const of = `/v1/projects/${GOOGLE_PROJECT}/locations/europe-west1/publishers/anthropic/models/`;
    const [model = '', verb] = (request.url ?? '').replace(of, '').split(':');
    if (!request.url?.startsWith(of) || !/^(stream)?rawPredict$/i.test(verb ?? ''))
      return send(response, 404, { error: { code: 404, status: 'NOT_FOUND' } });
    if (request.headers.authorization !== `Bearer ${GOOGLE_TOKEN}`)
      return send(response, 401, { error: { code: 401, status: 'UNAUTHENTICATED' } });
    const parsed = JSON.parse(body) as Record<string, unknown>;
    if (!('anthropic_version' in parsed) || 'model' in parsed)
      return send(response, 400, { error: { code: 400, status: 'INVALID_ARGUMENT' } });
    cloud.bodies.push(parsed);
    cloud.betas = String(request.headers['anthropic-beta']).split(',');
    const fault = cloud.faults.shift();
    if (fault && 'status' in fault) return send(response, fault.status, fault.body);
    const answer = await ask(target, { ...parsed, model });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
    });
    response.end(await answer.text());
  });
}

type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  cloud: Cloud,
  body: string,
) => Promise<void> | void;

async function startCloud(target: string, handle: Handler): Promise<Cloud> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      if (request.url !== '/token') cloud.paths.push(request.url ?? '');
      await handle(request, response, cloud, body);
    })().catch((error: Error) => response.destroy(error));
  });
  const cloud: Cloud = {
    ...{ url: '', paths: [], bodies: [], betas: undefined, faults: [] },
    close: () => closeServer(server),
  };
  cloud.url = await listen(server, '127.0.0.1', 0);
  return cloud;
}

function ask(target: string, body: Record<string, unknown>): Promise<Response> {
  return fetch(`${target}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'k' },
    body: JSON.stringify(body),
  });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** A message of the AWS event stream encoding: lengths and headers, each with its checksum. */
function frame(headers: Record<string, string>, payload: string): Buffer {
  const all = { ...headers, ':content-type': 'application/json' };
  const encoded = Buffer.concat(
    Object.entries(all).map(([name, value]) => {
      const head = Buffer.from([name.length, ...Buffer.from(name), 7, 0, value.length]);
      return Buffer.concat([head, Buffer.from(value)]);
    }),
  );
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + encoded.length + body.length, 0);
  prelude.writeUInt32BE(encoded.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, encoded, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(message));
  return Buffer.concat([message, checksum]);
}

/** What is wrong with a request's Signature Version 4, computed from what came in. */
function wrongSignature(request: IncomingMessage, body: string): string | undefined {
  const [, scope, signedHeaders = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  if (!scope) return 'Missing Authentication Token';
  const [keyId, date = '', ...place] = scope.split('/');
  if (keyId !== AWS.accessKeyId) return 'The security token included in the request is invalid.';
  if (place.join('/') !== `${REGION}/bedrock/aws4_request`) return 'Credential scope is wrong.';
  const sha = (data: string) => createHash('sha256').update(data).digest('hex');
  const hmac = (key: string | Buffer, data: string) =>
    createHmac('sha256', key).update(data).digest();
  const path = (request.url ?? '').split('/').map(encodeURIComponent).join('/');
  const headers = signedHeaders
    .split(';')
    .map(name => `${name}:${String(request.headers[name])}\n`);
  const canonical = ['POST', path, '', headers.join(''), signedHeaders, sha(body)].join('\n');
  const time = String(request.headers['x-amz-date']);
  const toSign = ['AWS4-HMAC-SHA256', time, [date, ...place].join('/'), sha(canonical)].join('\n');
  const key = place.reduce<Buffer>(hmac, hmac(`AWS4${AWS.secretAccessKey}`, date));
  return hmac(key, toSign).toString('hex') === signature
    ? undefined
    : 'The request signature we calculated does not match the signature you provided.';
}
