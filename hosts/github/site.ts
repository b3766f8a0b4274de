import { ConfigError } from '../../shared/errors.ts';

/** As the database names GitHub. */
export const KIND = 'github';

/**
 * Where GitHub is: the public one, an Enterprise server, or another host that speaks the same API.
 */
export interface GitHubSite {
  /** Of the REST API, without a trailing slash. */
  apiUrl: string;
  /** What people open and git clones from, without a trailing slash. */
  webUrl: string;
}

/**
 * The site of an API address. `https://api.github.com` goes with `https://github.com`,
 * `https://HOST/api/v3` with `https://HOST`. Throws `ConfigError` if it is not an address.
 */
export function gitHubSite(apiUrl: string): GitHubSite {
  if (!URL.canParse(apiUrl))
    throw new ConfigError(
      `GITHUB_API_URL must be an address such as https://HOST/api/v3; got "${apiUrl}".`,
    );
  const url = new URL(apiUrl);
  const path = url.pathname.replace(/\/+$/, '');
  const port = url.port && `:${url.port}`;
  const host = `${url.hostname.replace(/^api\./, '')}${port}`;
  const webUrl = `${url.protocol}//${host}${path.replace(/\/api\/v\d+$/, '')}`;
  return { apiUrl: `${url.protocol}//${url.host}${path}`, webUrl };
}

/** A type, not an interface: Octokit's parameters want an index signature. */
export type RepositoryName = { owner: string; repo: string };

/**
 * "owner/name" in its parts; undefined where it is not that (also `.` and `..`, which would climb
 * in paths).
 */
export function repositoryName(repository: string): RepositoryName | undefined {
  const [, owner = '', repo = ''] = /^([\w.-]{1,100})\/([\w.-]{1,100})$/.exec(repository) ?? [];
  const climbs = [owner, repo].some(part => part === '' || part === '.' || part === '..');
  return climbs ? undefined : { owner, repo };
}

/**
 * "owner/name" of an address that people copy: https or ssh, with or without `.git`; undefined
 * where it lies elsewhere.
 */
export function repositoryAt(site: GitHubSite, address: string): string | undefined {
  const { host, hostname } = new URL(site.webUrl);
  const plain = address
    .trim()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  const starts = [
    `${site.webUrl}/`,
    `https://${host}/`,
    `git@${hostname}:`,
    `ssh://git@${hostname}/`,
  ];
  const start = starts.find(each => plain.toLowerCase().startsWith(each.toLowerCase()));
  const name = start === undefined ? undefined : plain.slice(start.length);
  return name !== undefined && repositoryName(name) ? name : undefined;
}
