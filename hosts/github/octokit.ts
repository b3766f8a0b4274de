import { Octokit } from '@octokit/rest';
import { fetchWhole } from './fetch.ts';

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** How an App signs its requests. */
interface AppAuth {
  authStrategy: unknown;
  auth: object;
}

/**
 * Octokit with one token, or as an App. It retries nothing and holds nothing back: retries are Temporal's, with
 * the time that GitHub names, and no limiter is shared between tenants.
 */
export function openOctokit(apiUrl: string, auth: string | AppAuth): Octokit {
  return new Octokit({
    baseUrl: apiUrl,
    ...(typeof auth === 'string' ? { auth } : auth),
    userAgent: 'docent',
    log: SILENT,
    request: { fetch: fetchWhole, log: SILENT },
  });
}
