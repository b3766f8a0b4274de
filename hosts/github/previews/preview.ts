import { type Static, Type } from '@sinclair/typebox';
import type { Preview } from '../../webhook.ts';

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
  deployment,
  deployment_status: status,
}: Static<typeof DeploymentStatusEvent>): Preview | undefined {
  const url = deploymentUrl(deployment, status);
  if (url === undefined) return undefined;
  const { sha: commit, ref } = deployment;
  const at = status.updated_at;
  return { kind: 'preview', repository, commit, branches: [ref], url, from: 'deployment', at };
}

export function statusPreview(event: Static<typeof StatusEvent>): Preview | undefined {
  const url = statusUrl(event);
  if (url === undefined) return undefined;
  const { repository, sha: commit, updated_at: at } = event;
  const branches = event.branches.map(({ name }) => name);
  return { kind: 'preview', repository, commit, branches, url, from: 'status', at };
}

export function deploymentUrl(
  { production_environment: isProduction }: { production_environment?: boolean | undefined },
  { state, environment_url: url }: { state: string; environment_url?: string | null | undefined },
): string | undefined {
  return state === 'success' && !isProduction ? webAddress(url) : undefined;
}

export function statusUrl({
  context,
  state,
  target_url: address,
}: {
  context: string;
  state: string;
  target_url?: string | null | undefined;
}): string | undefined {
  const url = state === 'success' ? webAddress(address) : undefined;
  if (url === undefined) return undefined;
  const { hostname } = new URL(url);
  return SERVICES.some(([name, host]) => name.test(context) && host.test(hostname))
    ? url
    : undefined;
}

const LONGEST = 2_000;

/** The address as a browser opens it; undefined: it is none of the web, or has credentials. */
function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, username, password, href } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' && href.length <= LONGEST ? href : undefined;
}
