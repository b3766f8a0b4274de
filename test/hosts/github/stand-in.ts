import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Call } from './call.ts';
import { refusePush, serveGit } from './git-backend.ts';
import { personRequest } from './people.ts';
import { checkRequest, publishedAnswer, Unpublished } from './published/validate.ts';
import { addRepository, endPull, git } from './repositories.ts';
import { answer } from './rest.ts';
import {
  type Fault,
  findRepository,
  mayOn,
  newState,
  newToken,
  type Repository,
  repositoryAt,
  type State,
  tokenOf,
} from './state.ts';

const API = '/api/v3';
export const ALL = {
  contents: 'write',
  pull_requests: 'write',
  metadata: 'read',
  workflows: 'write',
  administration: 'write',
};

/**
 * An Enterprise-like GitHub: git over HTTP and the REST operations that Docent uses, with tokens,
 * an App and faults.
 */
export interface GitHubStandIn {
  state: State;
  webUrl: string;
  apiUrl: string;
  appId: string;
  /** PEM. */
  privateKey: string;
  addRepository(fullName: string, files: Record<string, string>): Repository;
  /** A person's token for everything. */
  personalToken(permissions?: Record<string, string>): string;
  /** Installs the App on repositories; returns the installation's id. */
  install(repositories: Repository[], permissions?: Record<string, string>): number;
  fail(fault: Fault): void;
  merge(repository: Repository, number: number): void;
  close(repository: Repository, number: number): void;
  git(repository: Repository, ...args: string[]): string;
  stop(): Promise<void>;
}

export async function startGitHub(): Promise<GitHubStandIn> {
  const state = newState();
  const folder = mkdtempSync(join(tmpdir(), 'docent-github-'));
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const server = createServer((request, response) => {
    handle(state, createPublicKey(publicKey), webUrl, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  state.people.appKeys.pem = privateKey;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const webUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    state,
    webUrl,
    apiUrl: `${webUrl}${API}`,
    appId: '7',
    privateKey,
    addRepository: (fullName, files) => addRepository(state, folder, fullName, files),
    personalToken: (permissions = ALL) => newToken(state, 'ghp', 'all', permissions).value,
    install(repositories, permissions = ALL) {
      const id = 1000 + state.installations.length;
      state.installations.push({
        id,
        account: repositories[0]?.owner ?? 'acme',
        repositories: repositories.map(each => each.id),
        permissions,
        suspended: false,
      });
      return id;
    },
    fail: fault => {
      state.faults.push({ times: 1, ...fault });
    },
    merge: (repository, number) => endPull(repository, number, true),
    close: (repository, number) => endPull(repository, number, false),
    git,
    stop: async () => {
      await stop(server);
      rmSync(folder, { recursive: true, force: true });
      if (state.unpublished.length > 0) throw new Unpublished(state.unpublished.join('\n'));
    },
  };
}

async function handle(
  state: State,
  key: KeyObject,
  web: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams, search } = new URL(request.url ?? '', web);
  const method = request.method ?? 'GET';
  state.requests.push(`${method} ${pathname}`);
  const about = repositoryAt(state, pathname);
  const fault = state.faults.find(
    each =>
      (each.times ?? 1) > 0 &&
      each.path.test(pathname) &&
      (each.method ?? method) === method &&
      (each.of ?? about) === about,
  );
  if (fault) fault.times = (fault.times ?? 1) - 1;
  if (fault?.hangs) return;
  if (fault && !fault.after && !fault.cut) return sendFault(response, fault);
  if (pathname === '/api/graphql') return markReady(state, request, response);
  if (await personRequest(state, web, request, response)) return;
  if (!pathname.startsWith(`${API}/`))
    return gitRequest(state, request, response, pathname, search.slice(1));
  const text = await read(request);
  const call: Call = {
    method,
    path: pathname.slice(API.length),
    query: searchParams,
    body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
    token: tokenOf(state, request.headers.authorization),
    asApp: signedByApp(key, request.headers.authorization),
    web,
  };
  const { status, body, location, next } = asPublished(state, call);
  if (fault?.cut) return sendHalf(response, JSON.stringify(body));
  if (fault) return sendFault(response, fault);
  if (next) searchParams.set('page', String(next));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...(location && { location: `${web}${API}${location}` }),
    ...(next && { link: `<${web}${pathname}?${searchParams.toString()}>; rel="next"` }),
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

/** The one mutation of GraphQL that Docent asks for. */
async function markReady(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { query, variables } = JSON.parse(await read(request)) as {
    query: string;
    variables: { id: string };
  };
  const [, id, number] = /^PR_(\d+)_(\d+)$/.exec(variables.id) ?? [];
  const repository = state.repositories.find(each => each.id === Number(id));
  const pull = repository?.pulls.find(each => each.number === Number(number));
  const token = tokenOf(state, request.headers.authorization);
  const isAllowed =
    token && repository && mayOn(token, repository, 'pull_requests', 'write') && pull;
  if (isAllowed && query.includes('markPullRequestReadyForReview(')) pull.draft = false;
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(
    JSON.stringify(
      isAllowed
        ? { data: { markPullRequestReadyForReview: { pullRequest: { isDraft: pull.draft } } } }
        : { errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }] },
    ),
  );
}

/**
 * The answer, checked against GitHub's published schemas. What breaks them is a refusal that nobody
 * retries, and fails the test again at its end.
 */
function asPublished(state: State, call: Call): Answer {
  try {
    checkRequest(call.method, call.path, call.body);
    const { body, ...rest } = answer(state, call);
    return { ...rest, body: publishedAnswer(call.method, call.path, rest.status, body) };
  } catch (error) {
    if (!(error instanceof Unpublished)) throw error;
    state.unpublished.push(error.message);
    return { status: 400, body: { message: `The stand-in is not GitHub: ${error.message}` } };
  }
}

function gitRequest(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
  query: string,
): void | Promise<void> {
  const [, fullName = '', rest = ''] = /^\/([^/]+\/[^/]+?)\.git\/(.+)$/.exec(pathname) ?? [];
  const repository = findRepository(state, fullName);
  const token = tokenOf(state, request.headers.authorization);
  const plain = (status: number, text: string, headers = {}): void =>
    void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(text);
  if (!token)
    return plain(401, 'Bad credentials\n', { 'www-authenticate': 'Basic realm="GitHub"' });
  if (!repository || !mayOn(token, repository, 'contents', 'read'))
    return plain(404, 'Repository not found.\n');
  const present = `${repository.owner}/${repository.name}`;
  if (present.toLowerCase() !== fullName.toLowerCase())
    return plain(301, '', { location: `/${present}.git/${rest}${query && `?${query}`}` });
  const push = rest === 'git-receive-pack' || query.includes('service=git-receive-pack');
  if (push && repository.archived)
    return plain(403, 'This repository was archived so it is read-only.\n');
  if (push && !mayOn(token, repository, 'contents', 'write'))
    return plain(403, 'Write access to repository not granted.\n');
  if (rest === 'git-receive-pack' && repository.refusePush !== undefined)
    return refusePush(request, response, repository.refusePush);
  return serveGit(request, response, repository, rest, query);
}

/** Status 0 cuts the connection. */
function sendFault(
  response: ServerResponse,
  {
    status,
    message = 'Server Error',
    body = { message, documentation_url: 'https://docs.github.com/rest' },
    headers = {},
  }: Fault,
): void {
  if (status === 0) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

function sendHalf(response: ServerResponse, text: string): void {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

function signedByApp(key: KeyObject, authorization: string | undefined): boolean {
  const [head = '', body = '', signature = ''] = (authorization ?? '')
    .replace(/^bearer /i, '')
    .split('.');
  if (
    !signature ||
    !verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))
  )
    return false;
  const { iss, iat, exp } = JSON.parse(Buffer.from(body, 'base64url').toString()) as {
    iss: string;
    iat: number;
    exp: number;
  };
  const now = Date.now() / 1000;
  return iss === '7' && iat <= now && exp > now && exp - iat <= 600;
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
}
