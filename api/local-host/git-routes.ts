import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findRepository, type LocalRepositoryRow } from '../../db/local-host/local-host.ts';
import { Problem } from '../../shared/errors.ts';
import { flushPacket, packet } from '../../hosts/git/packets.ts';
import { isRepositoryName } from '../../hosts/local/schemas.ts';
import { problemHeaders, toProblem } from '../plugins/problems.ts';
import { hasToken } from './access.ts';
import { type LocalHostContext, repositoryFolder } from '../../hosts/local/context.ts';
import {
  advertisement,
  ANY_COMMIT,
  endedWell,
  endService,
  isVersion2,
  runService,
  type Service,
} from './git-service.ts';
import { bodyOf } from './request-body.ts';
import { readPush, refusal, refusedReport } from './push-commands.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

type RepositoryRequest = FastifyRequest<{ Params: { repository: string } }>;

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
  const capabilities = new Capabilities();

  app.get(
    '/git/:repository/info/refs',
    { schema: { hide: true } },
    (request: RepositoryRequest, reply) => listRefs(host, token, capabilities, request, reply),
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
      .headers(problemHeaders(problem))
      .type('text/plain; charset=utf-8')
      .send(`${problem.message}\n`);
  });
}

async function listRefs(
  host: LocalHostContext,
  token: string,
  capabilities: Capabilities,
  request: RepositoryRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { service } = request.query as { service?: string };
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack')
    throw new Problem(
      'invalid_request',
      'This host supports only the smart git protocol: use git 1.6.6 or newer.',
    );
  const { repository, settings } = await admit(host, token, request, service);
  const ask = () => advertisement(host, repository, service, settings, reply);
  const list =
    service === 'git-upload-pack' && isVersion2(reply, settings)
      ? await capabilities.of(repositoryFolder(host, repository.name), ask)
      : await ask();
  const head = Buffer.concat([packet(`# service=${service}\n`), flushPacket]);
  return reply
    .type(`application/x-${service}-advertisement`)
    .header('cache-control', 'no-cache')
    .send(Buffer.concat([head, list]));
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
  repositoryFolder(host, name); // throws where another API has it
  // A worker may need the commit that a job began on after its branch was rewritten; others see
  // what branches and tags hold.
  return {
    repository,
    settings: [trusted ? ANY_COMMIT : 'uploadpack.allowReachableSHA1InWant=true'],
  };
}

function stream(reply: FastifyReply, type: string, output: Readable): FastifyReply {
  return reply.type(type).header('cache-control', 'no-cache').send(output);
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

/** More repositories than one host is asked for in a while. */
const MOST_KEPT = 1_000;

/**
 * What git offers to a client of version 2 of its protocol: a list of capabilities that follows
 * from git and the repository's configuration, and names no branch. So git is asked once for each
 * state of the configuration, and not before every fetch.
 */
class Capabilities {
  readonly #kept = new Map<string, { config: string; list: Buffer }>();

  /** The list of the repository in `folder`; `ask` has git print it. */
  async of(folder: string, ask: () => Promise<Buffer>): Promise<Buffer> {
    const { mtimeMs, size } = await stat(join(folder, 'config'));
    const config = `${mtimeMs} ${size}`;
    const known = this.#kept.get(folder);
    if (known?.config === config) return known.list;
    const list = await ask();
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(folder, { config, list });
    return list;
  }
}
