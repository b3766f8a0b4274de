import type { FastifyRequest } from 'fastify';
import type { BackFromGitHub, GitHubReturned } from '../contract/github.ts';
import { gitHubCallback } from '../../../shared/links.ts';
import { beginWay, type GitHubWay, keepProofs, takeWay } from '../../../db/github/installations.ts';
import { transaction } from '../../../db/pool.ts';
import { Problem } from '../../../shared/errors.ts';
import type { AppCredentials } from '../../../hosts/github/app.ts';
import { appOf } from '../../../hosts/github/open.ts';
import { gitHubSite } from '../../../hosts/github/site.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { type GitHubDeps, readConnection } from './connection.ts';
import { beginApp, finishApp } from './create-app.ts';
import { claimInstallations, whose } from './installation-routes.ts';
import { removeApp } from './remove-app.ts';
import { shownToPeople } from '../project/hosts.ts';
import {
  authorizeUrl,
  type GitHubUserClient,
  proveInstallations,
  sentenceFor,
  withUserToken,
} from './user-authorization.ts';

/** Connecting GitHub to an organization: its state, and the way to GitHub and back. */
export function connectionRoutes(deps: GitHubDeps) {
  return {
    'GET /organizations/:organization/github': request =>
      readConnection(deps, deps.reachable, whose(request)),

    'POST /organizations/:organization/github/app': request =>
      beginApp(deps, request, request.body),

    'DELETE /organizations/:organization/github/app/:appId': async request => {
      await removeApp(deps, request, request.params.appId);
      deps.reachable.forget();
      return await readConnection(deps, deps.reachable, whose(request));
    },

    'POST /organizations/:organization/github/leave': async request => ({
      url: await leave(deps, request, { ...whose(request), purpose: request.body.to }),
    }),

    'POST /organizations/:organization/github/back': request =>
      comeBack(deps, request, request.body),
  } satisfies Partial<Handlers>;
}

async function comeBack(
  deps: GitHubDeps,
  request: FastifyRequest,
  { state, code, installationId, error }: BackFromGitHub,
): Promise<GitHubReturned> {
  const who = whose(request);
  const way = await takeWay(deps.pool, state.slice(state.indexOf('.') + 1), who);
  if (error !== undefined)
    throw new Problem('conflict', sentenceFor(error, gitHubCallback(deps.publicUrl)));
  if (!way)
    throw new Problem(
      'not_permitted',
      'This GitHub authorization was already used, has expired, or started in another browser: ' +
        'connect again.',
    );
  // Installing an App proves nothing yet: anybody can write such an address.
  if (way.purpose === 'install') {
    const next = { ...who, purpose: 'authorize', installationId } as const;
    return { continueAt: await leave(deps, request, next), connected: null };
  }
  if (code === undefined)
    throw new Problem('conflict', 'GitHub sent no code: connect again, and allow it there.');
  if (way.purpose === 'create_app') {
    await finishApp(deps, request, code);
    deps.reachable.forget(way.organizationId);
    // The App is there in any case: it can also be installed later.
    const next = { ...who, purpose: 'install' } as const;
    return { continueAt: await leave(deps, request, next).catch(() => null), connected: null };
  }
  const connected = await prove(deps, request, way, state, code);
  deps.reachable.forget(way.organizationId);
  return { continueAt: null, connected };
}

/** The App and its client. Throws 409 where the operator has not set them. */
function requireClient({ config, pool, publicUrl }: DashboardDeps): {
  app: AppCredentials;
  client: GitHubUserClient;
} {
  const app = appOf(config, pool);
  const { GITHUB_APP_CLIENT_ID: clientId, GITHUB_APP_CLIENT_SECRET: clientSecret } = config;
  if (!app || !clientId || !clientSecret)
    throw new Problem(
      'conflict',
      'GitHub cannot be connected here: ' +
        'GITHUB_APP_CLIENT_ID and GITHUB_APP_CLIENT_SECRET of an App are not set.',
    );
  return {
    app,
    client: {
      clientId,
      clientSecret,
      site: gitHubSite(config.GITHUB_API_URL),
      redirectUri: gitHubCallback(publicUrl),
    },
  };
}

/** Begins a way to GitHub and back; where it leads to. */
async function leave(
  deps: DashboardDeps,
  { membership }: FastifyRequest,
  way: GitHubWay,
): Promise<string> {
  const { app, client } = requireClient(deps);
  const installUrl =
    way.purpose === 'install'
      ? `${(await app.describe().catch(shownToPeople)).url}/installations/new`
      : undefined;
  // The page that GitHub leads back to learns from it which organization this is about.
  const state = `${membership.organization.slug}.${await beginWay(deps.pool, way)}`;
  return installUrl === undefined
    ? authorizeUrl(client, state)
    : `${installUrl}?state=${encodeURIComponent(state)}`;
}

/**
 * Asks GitHub what its user may give, and connects it where there is no choice to make. Returns the
 * account that was connected.
 */
async function prove(
  deps: DashboardDeps,
  request: FastifyRequest,
  way: GitHubWay,
  state: string,
  code: string,
): Promise<string | null> {
  const { app, client } = requireClient(deps);
  const shown = await withUserToken(client, state, code, token =>
    proveInstallations(app, client.site, token),
  ).catch(shownToPeople);
  await transaction(deps.pool, tx => keepProofs(tx, way, shown));
  const wanted =
    way.installationId === undefined ? shown : shown.filter(({ id }) => id === way.installationId);
  const [only, ...others] = wanted;
  if (!only || others.length > 0 || only.refusal !== null) return null;
  await claimInstallations(deps, request, only);
  return only.account;
}
