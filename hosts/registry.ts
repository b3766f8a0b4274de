import { RepositoryError } from './repository-error.ts';
import type { RepositoryAddress, RepositoryHost } from './host.ts';

const MISSING: Record<RepositoryAddress['host'], string> = {
  local: 'set LOCAL_HOST_URL and LOCAL_HOST_TOKEN on the worker',
  github: 'set GITHUB_TOKEN, or GITHUB_APP_ID with GITHUB_APP_PRIVATE_KEY, on the worker',
};

/**
 * From the hosts that this worker is configured for, the function that finds the one an address
 * lies on. It throws `credentials_refused`, naming the settings, where there is none.
 */
export function registerHosts(
  hosts: Partial<Record<RepositoryAddress['host'], RepositoryHost>>,
): (address: RepositoryAddress) => RepositoryHost {
  return address => {
    const host = hosts[address.host];
    if (host) return host;
    throw new RepositoryError(
      'credentials_refused',
      `${address.repository} is on a repository host that this worker is not configured for: ${MISSING[address.host]}.`,
    );
  };
}
