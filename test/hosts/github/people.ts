import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { installationAnswer, repositoryAnswer } from './answers.ts';
import type { Answer, Call } from './call.ts';
import { checkRequest } from './published/validate.ts';

import { type AppManifest, newToken, type People, type Repository, type State } from './state.ts';

const ALL = { contents: 'write', pull_requests: 'write', metadata: 'read' };

/** GitHub's pages and endpoints beside the REST API. False: none of them. */
export async function personRequest(
  state: State,
  web: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url ?? '', web);
  const isPost = request.method === 'POST';
  const creating = /^(?:\/organizations\/([^/]+))?\/settings\/apps\/new$/.exec(pathname);
  const created = /\/app-manifests\/([^/]+)\/conversions$/.exec(pathname)?.[1];
  if (pathname === '/login/oauth/authorize' && isPost)
    authorize(state.people, await form(request), response);
  else if (pathname === '/login/oauth/authorize')
    page(response, `Authorize Docent as ${state.people.signedIn}`, searchParams, [
      'Authorize',
      'Cancel',
    ]);
  else if (pathname === '/apps/docent/installations/new' && isPost)
    install(state, await form(request), response);
  else if (pathname === '/apps/docent/installations/new')
    page(response, 'Install Docent', searchParams, ['Install']);
  else if (creating && isPost)
    createApp(state.people, creating[1], searchParams, await form(request), response);
  else if (created !== undefined && isPost) convert(state.people, created, response);
  else if (pathname === '/login/oauth/access_token')
    exchange(state, JSON.parse(await text(request)) as Record<string, string>, response);
  else if (
    request.method === 'DELETE' &&
    pathname.endsWith(`/applications/${state.people.clientId}/token`)
  )
    revoke(
      state,
      request.headers.authorization,
      JSON.parse(await text(request)) as Record<string, string>,
      response,
    );
  else return false;
  return true;
}

function authorize(
  { clientId, callbackUrl, codes, signedIn }: People,
  asked: URLSearchParams,
  response: ServerResponse,
): void {
  const back = (answer: Record<string, string>): void =>
    redirect(response, callbackUrl, { ...answer, state: asked.get('state') ?? '' });
  if (asked.get('client_id') !== clientId) return void response.writeHead(404).end();
  if (asked.get('redirect_uri') !== callbackUrl) return back({ error: 'redirect_uri_mismatch' });
  if (asked.get('button') === 'Cancel')
    return back({
      error: 'access_denied',
      error_description: 'The user has denied your application access.',
    });
  const code = randomBytes(10).toString('hex');
  codes.push({ code, login: signedIn, challenge: asked.get('code_challenge') ?? '', used: false });
  return back({ code });
}

function install(state: State, asked: URLSearchParams, response: ServerResponse): void {
  const { installsOn, callbackUrl } = state.people;
  const id = 1000 + state.installations.length;
  state.installations.push({
    id,
    account: installsOn[0]?.owner ?? '',
    repositories: installsOn.map(each => each.id),
    permissions: ALL,
    suspended: false,
  });
  redirect(response, callbackUrl, {
    installation_id: String(id),
    setup_action: 'install',
    state: asked.get('state') ?? '',
  });
}

/** First the page with the manifest, then its button. */
function createApp(
  people: People,
  account: string | undefined,
  query: URLSearchParams,
  asked: URLSearchParams,
  response: ServerResponse,
): void {
  const state = query.get('state') ?? asked.get('state') ?? '';
  const posted = asked.get('manifest') ?? '';
  if (asked.get('button') !== 'Create GitHub App') {
    const fields = new URLSearchParams({ state, manifest: posted });
    return page(response, 'Create GitHub App', fields, ['Create GitHub App']);
  }
  const manifest = JSON.parse(posted) as AppManifest;
  const code = randomBytes(20).toString('hex');
  people.manifests.push({ code, account, manifest, used: false });
  people.callbackUrl = manifest.callback_urls[0] ?? '';
  redirect(response, manifest.redirect_url, { code, state });
}

function convert(
  { manifests, clientId, clientSecret, appKeys }: People,
  code: string,
  response: ServerResponse,
): void {
  const answer = (status: number, body: object): void =>
    void response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(body));
  const found = manifests.find(each => each.code === code && !each.used);
  if (!found) return answer(404, { message: 'Not Found' });
  found.used = true;
  answer(201, {
    id: appKeys.id,
    slug: 'docent',
    name: found.manifest.name,
    html_url: 'https://github.example.com/apps/docent',
    client_id: clientId,
    client_secret: clientSecret,
    webhook_secret: found.manifest.hook_attributes ? appKeys.webhookSecret : null,
    pem: appKeys.pem,
    permissions: found.manifest.default_permissions,
    events: found.manifest.default_events ?? [],
  });
}

/** As GitHub does, with status 200 whatever is wrong. */
function exchange(state: State, asked: Record<string, string>, response: ServerResponse): void {
  const { clientId, clientSecret, callbackUrl, codes } = state.people;
  const answer = (body: object): void =>
    void response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(body));
  if (asked['client_id'] !== clientId || asked['client_secret'] !== clientSecret)
    return answer({ error: 'incorrect_client_credentials' });
  if (asked['redirect_uri'] !== callbackUrl) return answer({ error: 'redirect_uri_mismatch' });
  const challenge = createHash('sha256')
    .update(asked['code_verifier'] ?? '')
    .digest('base64url');
  const found = codes.find(
    each => each.code === asked['code'] && !each.used && each.challenge === challenge,
  );
  if (!found)
    return answer({
      error: 'bad_verification_code',
      error_description: 'The code passed is incorrect or expired.',
    });
  found.used = true;
  const token = newToken(state, 'ghu', [], {});
  token.login = found.login;
  return answer({
    access_token: token.value,
    expires_in: 28_800,
    token_type: 'bearer',
    scope: '',
    refresh_token: `ghr_${randomBytes(18).toString('hex')}`,
    refresh_token_expires_in: 15_811_200,
  });
}

function revoke(
  state: State,
  authorization: string | undefined,
  asked: Record<string, string>,
  response: ServerResponse,
): void {
  const { clientId, clientSecret } = state.people;
  if (authorization !== `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`)
    return void response.writeHead(404).end();
  checkRequest('DELETE', `/applications/${clientId}/token`, asked);
  for (const token of state.tokens) if (token.value === asked['access_token']) token.revoked = true;
  response.writeHead(204).end();
}

/**
 * Answers of the REST API to people's tokens, and to tokens that list; undefined: not one of these.
 */
export function peopleAnswer(state: State, { path, query, token, web }: Call): Answer | undefined {
  const own = /^\/user\/installations\/(\d+)\/repositories$/.exec(path)?.[1];
  if (!/^\/(user\/(installations|repos)|installation\/repositories)/.test(path)) return undefined;
  if (!token) return { status: 401, body: { message: 'Bad credentials' } };
  const { login = '' } = token;
  const mine = (repository: Repository): boolean => roleOf(repository, login) !== undefined;
  if (path === '/user/installations') {
    const shown = state.installations.filter(({ repositories }) =>
      state.repositories.some(each => repositories.includes(each.id) && mine(each)),
    );
    return listed(query, shown, all => ({
      total_count: shown.length,
      installations: all.map(installationAnswer),
    }));
  }
  if (own !== undefined) {
    const installation = state.installations.find(({ id }) => id === Number(own));
    const shown = state.repositories.filter(
      each => installation?.repositories.includes(each.id) && mine(each),
    );
    const show = (repository: Repository): unknown =>
      repositoryAnswer(
        repository,
        web,
        ['admin', 'maintain', 'write'].includes(roleOf(repository, login) ?? ''),
      );
    return listed(query, shown, all => ({
      total_count: shown.length,
      repositories: all.map(show),
    }));
  }
  const opened = state.repositories.filter(
    ({ id }) => token.repositories === 'all' || token.repositories.includes(id),
  );
  if (path === '/user/repos')
    return listed(query, opened, all => all.map(each => repositoryAnswer(each, web, true)));
  return listed(query, opened, all => ({
    total_count: opened.length,
    repositories: all.map(each => repositoryAnswer(each, web, true)),
  }));
}

function roleOf({ owner, roles }: Repository, login: string): string | undefined {
  return owner === login ? 'admin' : roles[login];
}

function listed<T>(query: URLSearchParams, all: T[], body: (page: T[]) => unknown): Answer {
  const size = Number(query.get('per_page') ?? 30);
  const number = Number(query.get('page') ?? 1);
  return {
    status: 200,
    body: body(all.slice((number - 1) * size, number * size)),
    ...(all.length > number * size && { next: number + 1 }),
  };
}

function page(
  response: ServerResponse,
  title: string,
  fields: URLSearchParams,
  buttons: string[],
): void {
  const escaped = (value: string): string =>
    value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const inputs = [...fields]
    .map(
      ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
    )
    .join('');
  const button = (name: string): string => `<button name="button" value="${name}">${name}</button>`;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    `<!doctype html><html lang="en"><title>GitHub</title><main><h1>${escaped(title)}</h1>` +
      `<form method="post">${inputs}${buttons.map(button).join('')}</form></main></html>`,
  );
}

function redirect(response: ServerResponse, to: string, query: Record<string, string>): void {
  response.writeHead(302, { location: `${to}?${new URLSearchParams(query).toString()}` }).end();
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function form(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await text(request));
}
