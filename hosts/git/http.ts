import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { LONGEST_WAIT_MS, RepositoryError } from '../repository-error.ts';
import { endsWithFlush } from './packets.ts';
import type { GitRemote } from './remote.ts';

const MAX_REDIRECTS = 3;
/** Bytes; a repository with 100,000 refs lists them in 8 MB. */
const MAX_REF_LIST = 64 * 1024 * 1024;

/**
 * isomorphic-git's HTTP client: adds the remote's credentials and turns every failure into a
 * `RepositoryError`. A redirect is followed within the host only: the credentials are for that host
 * and nobody else.
 */
export function gitHttp(remote: GitRemote, signal: AbortSignal): HttpClient {
  return { request: request => send(remote, signal, request) };
}

async function send(
  remote: GitRemote,
  signal: AbortSignal,
  request: GitHttpRequest,
): Promise<GitHttpResponse> {
  const authorization = await remote.authorization();
  const body = request.body && Buffer.concat(await chunksOf(request.body));
  let url = request.url;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(url, {
      method: request.method ?? 'GET',
      headers: { ...request.headers, ...(authorization && { authorization }) },
      redirect: 'manual',
      signal,
      ...(body && { body }),
    }).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new RepositoryError(
        'repository_unreachable',
        `${remote.name} cannot be reached: ${networkReason(cause)}.`,
      );
    });
    const location =
      response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) {
      await refuseFailures(remote, response);
      return {
        url,
        statusCode: response.status,
        statusMessage: response.statusText,
        headers: Object.fromEntries(response.headers),
        body: listsRefs(request, body)
          ? await wholeRefList(remote, signal, response)
          : bodyOf(remote, signal, response),
      };
    }
    await response.body?.cancel();
    const target = new URL(location, url);
    if (target.origin !== new URL(url).origin || redirects === MAX_REDIRECTS) {
      throw new RepositoryError(
        'repository_not_found',
        `${remote.name} answers with a redirect to ${target.host}, which is not followed: ` +
          "name the repository's present address.",
      );
    }
    url = target.href;
  }
}

async function refuseFailures(remote: GitRemote, response: Response): Promise<void> {
  if (response.status === 200) return;
  await response.body?.cancel();
  const { status } = response;
  if (status === 401 || status === 403) {
    throw new RepositoryError(
      'credentials_refused',
      `${remote.name} refuses the credentials (${status}): ` +
        'check the token and what it may do there.',
    );
  }
  if (status === 404 || status === 410 || status === 451) {
    throw new RepositoryError(
      'repository_not_found',
      `${remote.name} is not found, or the credentials may not see it (${status}).`,
    );
  }
  if (status === 429) {
    const seconds = Number(response.headers.get('retry-after'));
    throw new RepositoryError(
      'repository_rate_limited',
      `${remote.name} asks to slow down (429): try again later.`,
      seconds > 0 ? { retryAfterMs: Math.min(seconds * 1000, LONGEST_WAIT_MS) } : {},
    );
  }
  throw new RepositoryError(
    status >= 500 ? 'repository_failing' : 'repository_unreachable',
    `${remote.name} answers with status ${status}: try again later.`,
  );
}

function listsRefs({ url }: GitHttpRequest, body: Buffer | undefined): boolean {
  return url.includes('/info/refs?') || body?.includes('command=ls-refs') === true;
}

/**
 * Reads a list of refs to its end before anything is made of it. The packet reader takes a broken
 * connection for the end of the list: "no such branch" and "no commit yet" would be concluded from
 * half an answer.
 */
async function wholeRefList(
  remote: GitRemote,
  signal: AbortSignal,
  response: Response,
): Promise<AsyncIterableIterator<Uint8Array>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bodyOf(remote, signal, response)) {
    chunks.push(chunk);
    if ((size += chunk.length) > MAX_REF_LIST)
      throw new RepositoryError('repository_unreachable', `${remote.name} lists too many refs.`);
  }
  const list = Buffer.concat(chunks);
  if (!endsWithFlush(list))
    throw new RepositoryError(
      'repository_unreachable',
      `${remote.name} sent only a part of its list of branches: try again later.`,
    );
  return only(list);
}

async function* only(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}

async function* bodyOf(
  remote: GitRemote,
  signal: AbortSignal,
  response: Response,
): AsyncIterableIterator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) yield chunk as Uint8Array;
  } catch (cause) {
    signal.throwIfAborted();
    throw new RepositoryError(
      'repository_unreachable',
      `The connection to ${remote.name} broke: ${networkReason(cause)}.`,
    );
  }
}

/** The system's code only (ECONNREFUSED): messages of the network layer may quote the request. */
function networkReason(error: unknown): string {
  const { cause, code = (cause as { code?: unknown } | undefined)?.code } = error as {
    cause?: unknown;
    code?: unknown;
  };
  return typeof code === 'string' ? code : 'the connection failed';
}

async function chunksOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks;
}
