import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { addAbortListener, once } from 'node:events';
import { pipeline as connect, Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findRepository, type LocalRepositoryRow } from '../../shared/db/local-host/local-host.ts';
import { Problem } from '../../shared/errors.ts';
import { flushPacket, packet } from '../../hosts/git/packets.ts';
import { isRepositoryName } from '../../hosts/local/schemas.ts';
import { responseEnd } from '../plugins/response-end.ts';
import { toProblem } from '../plugins/problems.ts';
import { hasToken } from './access.ts';
import { type LocalHostContext, repositoryFolder } from '../../hosts/local/context.ts';
import { spawnGit } from '../../hosts/local/git-command.ts';
import { readPush, refusal, refusedReport } from './push-commands.ts';

type Service = 'git-upload-pack' | 'git-receive-pack';
type RepositoryRequest = FastifyRequest<{ Params: { repository: string } }>;

const ANY_COMMIT = 'uploadpack.allowAnySHA1InWant=true';
/** Bytes, also after inflating: enough for 100,000 commits that the client has. */
const MAX_NEGOTIATION = 8 * 1024 * 1024;
const MAX_PUSH = 512 * 1024 * 1024;

/**
 * Git over HTTP at `/git/<name>.git`: anyone can read public repositories; everything else requires
 * the token.
 */
export async function gitRoutes(
  app: FastifyInstance,
  options: { host: LocalHostContext; token: string },
): Promise<void> {
  const { host, token } = options;
  for (const service of ['git-upload-pack', 'git-receive-pack']) {
    app.addContentTypeParser(`application/x-${service}-request`, (_request, payload, done) =>
      done(null, payload),
    );
  }
  answerInPlainText(app);

  app.get(
    '/git/:repository/info/refs',
    { schema: { hide: true } },
    async (request: RepositoryRequest, reply) => {
      const { service } = request.query as { service?: string };
      if (service !== 'git-upload-pack' && service !== 'git-receive-pack')
        throw new Problem(
          'invalid_request',
          'This host supports only the smart git protocol: use git 1.6.6 or newer.',
        );
      const { repository, settings } = await admit(host, token, request, service);
      const head = Buffer.concat([packet(`# service=${service}\n`), flushPacket]);
      const child = runService(host, repository, service, settings, ['--advertise-refs'], reply);
      child.stdin.end();
      // Complete or not at all: a client must not mistake half a list for the whole.
      const list = await readWhole(child);
      return reply
        .type(`application/x-${service}-advertisement`)
        .header('cache-control', 'no-cache')
        .send(Buffer.concat([head, list]));
    },
  );

  app.post(
    '/git/:repository/git-upload-pack',
    { schema: { hide: true }, bodyLimit: MAX_NEGOTIATION },
    async (request: RepositoryRequest, reply) => {
      const { repository, settings } = await admit(host, token, request, 'git-upload-pack');
      const body = bodyOf(request, MAX_NEGOTIATION);
      const child = runService(host, repository, 'git-upload-pack', settings, [], reply);
      pipeline(body, child.stdin).catch((error: unknown) => endService(child, error));
      return stream(reply, 'application/x-git-upload-pack-result', endedWell(child));
    },
  );

  app.post(
    '/git/:repository/git-receive-pack',
    { schema: { hide: true }, bodyLimit: MAX_PUSH },
    (request: RepositoryRequest, reply) => receivePush(host, token, request, reply),
  );
}

/** Git shows a sentence that comes as plain text, and asks for a password on a Basic challenge. */
function answerInPlainText(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    if (problem.status >= 500) request.log.error({ err: error }, 'a git request failed');
    if (problem.code === 'unauthorized') reply.header('www-authenticate', 'Basic realm="Docent"');
    return reply
      .code(problem.status)
      .headers(problem.headers)
      .type('text/plain; charset=utf-8')
      .send(`${problem.message}\n`);
  });
}

async function receivePush(
  host: LocalHostContext,
  token: string,
  request: RepositoryRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { repository, settings } = await admit(host, token, request, 'git-receive-pack');
  const push = await readPush(bodyOf(request, MAX_PUSH));
  if (push.commands.some(command => refusal(repository, command) !== undefined)) {
    request.raw.resume();
    return await reply
      .type('application/x-git-receive-pack-result')
      .send(refusedReport(repository, push));
  }
  const child = runService(host, repository, 'git-receive-pack', settings, [], reply);
  pipeline(push.replay, child.stdin).catch(() => child.kill());
  child.once('close', code => {
    if (code !== 0) return;
    const refs = push.commands.map(command => command.ref);
    announce(host, request, repository.name, refs);
  });
  return stream(reply, 'application/x-git-receive-pack-result', endedWell(child));
}

/**
 * Finds the repository and checks the caller's right to use it. Without a token, a private one gets
 * the same answer as one that does not exist.
 */
async function admit(
  host: LocalHostContext,
  token: string,
  request: RepositoryRequest,
  service: Service,
): Promise<{ repository: LocalRepositoryRow; settings: string[] }> {
  const name = request.params.repository.replace(/\.git$/, '');
  const repository = isRepositoryName(name) ? await findRepository(host.pool, name) : undefined;
  const trusted = hasToken(request, token);
  if (!trusted && !(repository?.public && service === 'git-upload-pack')) {
    throw new Problem(
      'unauthorized',
      "This repository requires the host's token: send it as the password, with any user name.",
    );
  }
  if (!repository) throw new Problem('not_found', `There is no repository ${name} on this host.`);
  // A worker may need the commit that a job began on after its branch was rewritten; others see
  // what branches and tags hold.
  return {
    repository,
    settings: [trusted ? ANY_COMMIT : 'uploadpack.allowReachableSHA1InWant=true'],
  };
}

function runService(
  host: LocalHostContext,
  repository: LocalRepositoryRow,
  service: Service,
  settings: string[],
  flags: string[],
  reply: FastifyReply,
) {
  const child = spawnGit(
    settings,
    [
      service.replace(/^git-/, ''),
      '--stateless-rpc',
      ...flags,
      repositoryFolder(host, repository.name),
    ],
    protocolOf(reply, settings),
  );
  child.stderr.on('data', (text: Buffer) =>
    reply.log.info(
      { service, repository: repository.name },
      text.toString('utf8').trim().slice(0, 500),
    ),
  );
  // Git may refuse early and stop reading; its answer says why.
  child.stdin.on('error', () => undefined);
  child.on('error', error => child.stdout.destroy(error));
  // A complete push is carried out even if the client has left; a fetch is not.
  if (service === 'git-upload-pack') addAbortListener(responseEnd(reply), () => child.kill());
  return child;
}

/**
 * Version 2 of the protocol, if the client asks for it: it can answer with an empty list. It serves
 * any object by its id, so only clients that may read every object get it.
 */
function protocolOf({ request }: FastifyReply, settings: string[]): Record<string, string> {
  const asked = request.headers['git-protocol'];
  return asked === 'version=2' && settings.includes(ANY_COMMIT) ? { GIT_PROTOCOL: asked } : {};
}

function stream(reply: FastifyReply, type: string, output: Readable): FastifyReply {
  return reply.type(type).header('cache-control', 'no-cache').send(output);
}

/** All that git prints; throws if git fails. */
async function readWhole(child: ChildProcessWithoutNullStreams): Promise<Buffer> {
  const ended = once(child, 'close');
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`git ended with ${code ?? 'a signal'} before its list was whole`);
  return Buffer.concat(chunks);
}

/**
 * What git prints, as it arrives. If git was killed, the connection breaks, so that the client does
 * not mistake a part for the whole. A git that refuses says so in its output.
 */
function endedWell(child: ChildProcessWithoutNullStreams): Readable {
  const ended = once(child, 'close');
  return Readable.from(
    (async function* () {
      yield* child.stdout as AsyncIterable<Buffer>;
      const [code] = (await ended) as [number | null];
      if (code === null) throw new Error('git was killed before its answer was whole');
    })(),
    { objectMode: false },
  );
}

/** Ends a git whose request failed. A `Problem` becomes the answer; other errors do not. */
function endService(child: ReturnType<typeof runService>, error: unknown): void {
  child.kill();
  if (error instanceof Problem) child.stdout.destroy(error);
}

/** The inflated body. Fails with `payload_too_large` if either form is over `limit` bytes. */
function bodyOf(request: FastifyRequest, limit: number): Readable {
  if (Number(request.headers['content-length']) > limit) throw tooLarge();
  const body = request.body as Readable;
  const bounded = new BoundedStream(limit);
  // An error of any stream ends the others, and reaches the reader.
  return request.headers['content-encoding'] === 'gzip'
    ? connect(body, createGunzip(), bounded, () => undefined)
    : connect(body, bounded, () => undefined);
}

class BoundedStream extends Transform {
  #left: number;

  constructor(limit: number) {
    super();
    this.#left = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#left -= chunk.length;
    if (this.#left >= 0) return done(null, chunk);
    done(tooLarge());
  }
}

function tooLarge(): Problem {
  return new Problem('payload_too_large', 'The request is larger than this host accepts.');
}

function announce(
  host: LocalHostContext,
  request: FastifyRequest,
  repository: string,
  refs: string[],
): void {
  for (const ref of refs) {
    if (!ref.startsWith('refs/heads/')) continue;
    host
      .onBranchMoved?.(repository, ref.slice('refs/heads/'.length))
      .catch((error: unknown) =>
        request.log.error({ err: error, repository }, 'a push could not be announced'),
      );
  }
}
