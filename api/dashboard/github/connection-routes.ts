import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { OrganizationParams } from '../../../shared/dashboard/people.ts';
import {
  BackFromGitHub,
  GitHubAddress,
  GitHubConnection,
  GitHubRepositoryList,
  GitHubRepositoryQuery,
  GitHubReturned,
  InspectQuery,
  LeaveForGitHub,
  RepositoryInspection,
} from '../../../shared/dashboard/github.ts';
import { gitHubCallback } from '../../../shared/dashboard/links.ts';
import {
  beginWay,
  type GitHubWay,
  keepProofs,
  takeWay,
} from '../../../shared/db/github/installations.ts';
import { transaction } from '../../../shared/db/pool.ts';
import { Problem } from '../../../shared/errors.ts';
import type { AppCredentials } from '../../../hosts/github/app.ts';
import { appOf } from '../../../hosts/github/open.ts';
import { gitHubSite } from '../../../hosts/github/site.ts';
import type { DashboardDeps } from '../deps.ts';
import { readConnection } from './connection.ts';
import { claim, installationRoutes, whose } from './installation-routes.ts';
import { shownToPeople } from '../project/hosts.ts';
import { inspectForProject } from './project-repository.ts';
import { pageOf, ReachableRepositories } from '../../../hosts/github/reachable-repositories.ts';
import {
  authorizeUrl,
  type GitHubUserClient,
  proveInstallations,
  sentenceFor,
  withUserToken,
} from './user-authorization.ts';

/** Connecting GitHub to an organization, and what it can choose from there. */
export const gitHubRoutes: FastifyPluginAsyncTypebox<DashboardDeps> = async (app, deps) => {
  const owner = { role: 'owner' } as const;
  const reachable = new ReachableRepositories(deps);
  await app.register(installationRoutes, { ...deps, reachable });

  app.get(
    '/organizations/:organization/github',
    { config: owner, schema: { params: OrganizationParams, response: { 200: GitHubConnection } } },
    request => readConnection(deps, reachable, whose(request)),
  );

  app.post(
    '/organizations/:organization/github/leave',
    {
      config: owner,
      schema: {
        params: OrganizationParams,
        body: LeaveForGitHub,
        response: { 200: GitHubAddress },
      },
    },
    async request => ({
      url: await leave(deps, request, { ...whose(request), purpose: request.body.to }),
    }),
  );

  app.post(
    '/organizations/:organization/github/back',
    {
      config: owner,
      schema: {
        params: OrganizationParams,
        body: BackFromGitHub,
        response: { 200: GitHubReturned },
      },
    },
    async request => {
      const { state, code, installationId, error } = request.body;
      const way = await takeWay(deps.pool, state.slice(state.indexOf('.') + 1), whose(request));
      if (error !== undefined)
        throw new Problem('conflict', sentenceFor(error, gitHubCallback(deps.publicUrl)));
      if (!way)
        throw new Problem(
          'not_permitted',
          'This way back from GitHub was used already, has run out, or was begun in another browser: connect again.',
        );
      // Whoever installs an App has proved nothing yet: anybody can write such an address.
      if (way.purpose === 'install')
        return {
          continueAt: await leave(deps, request, {
            ...whose(request),
            purpose: 'authorize',
            installationId,
          }),
          connected: null,
        };
      if (code === undefined)
        throw new Problem(
          'conflict',
          'GitHub sent no code along: connect again, and allow it there.',
        );
      const connected = await prove(deps, way, state, code);
      reachable.forget(way.organizationId);
      return { continueAt: null, connected };
    },
  );

  app.get(
    '/organizations/:organization/github/repositories',
    {
      config: owner,
      schema: {
        params: OrganizationParams,
        querystring: GitHubRepositoryQuery,
        response: { 200: GitHubRepositoryList },
      },
    },
    async ({ membership, query }) =>
      pageOf(await reachable.list(membership.organization.id).catch(shownToPeople), query),
  );

  app.get(
    '/organizations/:organization/github/repository',
    {
      config: owner,
      schema: {
        params: OrganizationParams,
        querystring: InspectQuery,
        response: { 200: RepositoryInspection },
      },
    },
    ({ membership, query: { repository, ...wanted } }) =>
      inspectForProject(deps, reachable, membership.organization.id, repository, wanted),
  );
};

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
      'Nobody can connect GitHub here: GITHUB_APP_CLIENT_ID and GITHUB_APP_CLIENT_SECRET of an App are not set.',
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
  await claim(deps, way.organizationId, only);
  return only.account;
}
