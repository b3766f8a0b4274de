import { type Static, Type } from '@sinclair/typebox';
import type { Preview } from '../webhook.ts';

/** Of the deliveries about deployments and commit statuses, what is read. */
const Repository = Type.Object({ id: Type.Integer(), full_name: Type.String() });
const link = Type.Optional(Type.Union([Type.String(), Type.Null()]));

export const DeploymentStatusEvent = Type.Object({
  repository: Repository,
  deployment: Type.Object({
    sha: Type.String(),
    ref: Type.String(),
    production_environment: Type.Optional(Type.Boolean()),
  }),
  deployment_status: Type.Object({
    state: Type.String(),
    environment_url: link,
    updated_at: Type.String(),
  }),
});
export const StatusEvent = Type.Object({
  repository: Repository,
  sha: Type.String(),
  context: Type.String(),
  state: Type.String(),
  target_url: link,
  branches: Type.Array(Type.Object({ name: Type.String() })),
  updated_at: Type.String(),
});

/**
 * Services whose commit statuses link to the preview itself, by context and host. Any other status
 * links to a log or a dashboard.
 */
const SERVICES: readonly [context: RegExp, host: RegExp][] = [
  [/^netlify\//i, /\.netlify\.app$/],
  [/^vercel\b/i, /\.vercel\.app$/],
  [/^cloudflare[ -]pages\b/i, /\.pages\.dev$/],
  [/^docs\/readthedocs\b/i, /\.(?:readthedocs\.build|readthedocs\.io)$/],
  [/^mintlify\b/i, /\.mintlify\.(?:app|dev|site)$/],
  [/^render\b/i, /\.onrender\.com$/],
  [/^aws amplify\b/i, /\.amplifyapp\.com$/],
];

/** A deployment of a pull request that has succeeded and names its address. */
export function deployedPreview({
  repository,
  deployment: { sha, ref, production_environment: isProduction },
  deployment_status: { state, environment_url: address, updated_at: at },
}: Static<typeof DeploymentStatusEvent>): Preview | undefined {
  const url = webAddress(address);
  if (state !== 'success' || isProduction || url === undefined) return undefined;
  return { kind: 'preview', repository, commit: sha, branches: [ref], url, from: 'deployment', at };
}

export function statusPreview({
  repository,
  sha,
  context,
  state,
  target_url: address,
  branches,
  updated_at: at,
}: Static<typeof StatusEvent>): Preview | undefined {
  const url = webAddress(address);
  if (state !== 'success' || url === undefined) return undefined;
  const { hostname } = new URL(url);
  if (!SERVICES.some(([name, host]) => name.test(context) && host.test(hostname))) return undefined;
  const names = branches.map(({ name }) => name);
  return { kind: 'preview', repository, commit: sha, branches: names, url, from: 'status', at };
}

const LONGEST = 2_000;

/** The address as a browser opens it; undefined: it is none of the web, or has credentials. */
function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, username, password, href } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' && href.length <= LONGEST ? href : undefined;
}
