import { createPrivateKey } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { FastifyRequest } from 'fastify';
import type { AppManifest, NewApp } from '../contract/github.ts';
import { gitHubCallback } from '../../../shared/links.ts';
import { recordAudit } from '../../../db/audit/audit-log.ts';
import { beginWay } from '../../../db/github/installations.ts';
import { transaction } from '../../../db/pool.ts';
import { Problem } from '../../../shared/errors.ts';
import { isPublicAddress } from '../../../shared/outgoing/public-address.ts';
import { fetchWithin } from '../../../hosts/github/fetch.ts';
import { gitHubSite } from '../../../hosts/github/site.ts';
import { gitHubWebhook } from '../../../hosts/github/webhook.ts';
import { type CreatedApp, keepApp } from '../../../hosts/github/stored-app.ts';
import { actorOf } from '../../audit.ts';
import type { GitHubDeps } from './connection.ts';
import { requireMayCreateApp } from './may-create-app.ts';
import { whose } from './installation-routes.ts';

/** Of GitHub's answer, what is kept. */
const Conversion = Type.Object({
  id: Type.Integer(),
  slug: Type.String({ pattern: '^[A-Za-z0-9][\\w-]{0,99}$' }),
  client_id: Type.String({ minLength: 1 }),
  client_secret: Type.String({ minLength: 1 }),
  webhook_secret: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  pem: Type.String({ minLength: 1 }),
});
type Conversion = Static<typeof Conversion>;

const MAX_NAME = 34;

/**
 * Where the browser posts the manifest of a new App, for everybody in this installation. Throws 403
 * and 409.
 */
export async function beginApp(
  deps: GitHubDeps,
  request: FastifyRequest,
  { account }: NewApp,
): Promise<AppManifest> {
  await requireMayCreateApp(deps, request.signedIn.user.id);
  const { webUrl } = gitHubSite(deps.config.GITHUB_API_URL);
  const { slug } = request.membership.organization;
  const state = `${slug}.${await beginWay(deps.pool, { ...whose(request), purpose: 'create_app' })}`;
  const of = account === undefined ? '' : `/organizations/${encodeURIComponent(account)}`;
  return {
    url: `${webUrl}${of}/settings/apps/new?state=${encodeURIComponent(state)}`,
    manifest: JSON.stringify(manifestOf(deps.publicUrl)),
  };
}

/**
 * Exchanges GitHub's code, which it accepts once and for an hour, for the App, and stores it. Throws
 * 403, 409 and 503.
 */
export async function finishApp(
  deps: GitHubDeps,
  request: FastifyRequest,
  code: string,
): Promise<void> {
  await requireMayCreateApp(deps, request.signedIn.user.id);
  const { slug, ...app } = await convert(deps, code);
  const { organization } = request.membership;
  await transaction(deps.pool, async tx => {
    if (!(await keepApp(tx, deps.config.ENCRYPTION_KEY, app)))
      throw new Problem(
        'conflict',
        `Another App was created meanwhile, and is used. Delete ${slug} on GitHub.`,
      );
    await recordAudit(tx, organization.id, {
      action: 'host.app_created',
      actor: actorOf(request),
      subject: { kind: 'app', id: app.appId, name: slug },
    });
  });
  await deps.storedApp.read();
}

/** https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */
function manifestOf(publicUrl: string) {
  const callback = gitHubCallback(publicUrl);
  const { hostname } = new URL(publicUrl);
  return {
    name: `Docent ${hostname}`.slice(0, MAX_NAME),
    url: publicUrl,
    redirect_url: callback,
    callback_urls: [callback],
    setup_url: callback,
    public: false,
    request_oauth_on_install: false,
    default_permissions: {
      contents: 'write',
      pull_requests: 'write',
      metadata: 'read',
      deployments: 'read',
      statuses: 'read',
    },
    // GitHub refuses a webhook that it cannot reach.
    ...(isReachable(hostname) && {
      hook_attributes: { url: `${publicUrl}${gitHubWebhook.path}`, active: true },
      default_events: [
        'push',
        'pull_request',
        'issue_comment',
        'pull_request_review',
        'pull_request_review_comment',
        'deployment_status',
        'status',
      ],
    }),
  };
}

/** As far as the name tells. */
function isReachable(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (/^[\d.]+$|:/.test(address)) return isPublicAddress(address);
  return address.includes('.') && !/\.(localhost|local|internal)$/.test(address);
}

async function convert(
  { config }: GitHubDeps,
  code: string,
): Promise<CreatedApp & { slug: string }> {
  const { apiUrl } = gitHubSite(config.GITHUB_API_URL);
  const response = await fetchWithin(
    `${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`,
    { method: 'POST', headers: { accept: 'application/vnd.github+json' } },
  ).catch(() => {
    throw new Problem('unavailable', 'GitHub does not answer: create the App again in a moment.');
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || !Value.Check(Conversion, body) || !isPrivateKey(body.pem))
    throw new Problem(
      response.status >= 500 ? 'unavailable' : 'conflict',
      `GitHub did not hand out the App (status ${response.status}): delete it there if it exists, ` +
        'and create it again.',
    );
  return {
    appId: String(body.id),
    slug: body.slug,
    privateKey: body.pem,
    clientId: body.client_id,
    clientSecret: body.client_secret,
    // A webhook with an empty secret would be anybody's.
    webhookSecret: body.webhook_secret || null,
  };
}

/** With another one no worker could start. */
function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
