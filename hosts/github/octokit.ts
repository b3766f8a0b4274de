import { Octokit } from '@octokit/rest';
import { fetchWhole } from './fetch.ts';

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Octokit with one token. It retries nothing and holds nothing back: retries are Temporal's, with
 * the time that GitHub names, and no limiter is shared between tenants.
 */
export function openOctokit(apiUrl: string, token: string): Octokit {
  return new Octokit({
    baseUrl: apiUrl,
    auth: token,
    userAgent: 'docent',
    log: SILENT,
    request: { fetch: fetchWhole, log: SILENT },
  });
}
