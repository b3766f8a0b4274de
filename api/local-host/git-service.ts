import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { addAbortListener, once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { LocalRepositoryRow } from '../../db/local-host/local-host.ts';
import { Problem } from '../../shared/errors.ts';
import { type LocalHostContext, repositoryFolder } from '../../hosts/local/context.ts';
import { spawnGit } from '../../hosts/git/git-command.ts';
import { responseEnd } from '../plugins/response-end.ts';

export type Service = 'git-upload-pack' | 'git-receive-pack';

export const ANY_COMMIT = 'uploadpack.allowAnySHA1InWant=true';

/** Git's side of one request; its complaints go to the log. */
export function runService(
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
    isVersion2(reply, settings) ? { GIT_PROTOCOL: 'version=2' } : {},
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
export function isVersion2({ request }: FastifyReply, settings: string[]): boolean {
  return request.headers['git-protocol'] === 'version=2' && settings.includes(ANY_COMMIT);
}

/** Complete or not at all: a client must not mistake half a list for the whole. */
export async function advertisement(
  host: LocalHostContext,
  repository: LocalRepositoryRow,
  service: Service,
  settings: string[],
  reply: FastifyReply,
): Promise<Buffer> {
  const child = runService(host, repository, service, settings, ['--advertise-refs'], reply);
  child.stdin.end();
  return await readWhole(child);
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
export function endedWell(child: ChildProcessWithoutNullStreams): Readable {
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
export function endService(child: ReturnType<typeof runService>, error: unknown): void {
  child.kill();
  if (error instanceof Problem) child.stdout.destroy(error);
}
