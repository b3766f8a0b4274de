import { devNull } from 'node:os';
import type { GuardedSource } from '../../../hosts/host-definition.ts';
import { Problem } from '../../../shared/errors.ts';
import {
  AddressRefused,
  type MayReach,
  resolvePublicAddress,
} from '../../../shared/outgoing/public-address.ts';

/**
 * A repository at an address that a person typed into the dashboard, and how git must read it:
 * https only, at the addresses looked up here, without redirects and without the operator's
 * credentials. Throws `invalid_request`. The operator's `docent project add` has none of these
 * limits.
 */
export async function guardedSource(address: string, mayReach: MayReach): Promise<GuardedSource> {
  const { url, addresses } = await resolvePublicAddress(address, mayReach).catch(
    (error: unknown) => {
      throw error instanceof AddressRefused ? refused(error.message) : error;
    },
  );
  const pinned = addresses
    .map(({ address: each, family }) => (family === 6 ? `[${each}]` : each))
    .join(',');
  return {
    url: url.href,
    settings: [
      `http.curloptResolve=${url.hostname}:${url.port || '443'}:${pinned}`,
      // This also ignores the other places that a server names for objects.
      'http.followRedirects=false',
      'http.proxy=',
      'credential.helper=',
      ...['http', 'ssh', 'file'].map(protocol => `protocol.${protocol}.allow=never`),
      // Git gives up on a source that is silent for half a minute.
      'http.lowSpeedLimit=1000',
      'http.lowSpeedTime=30',
    ],
    environment: {
      GIT_ALLOW_PROTOCOL: 'https', // git prefers it to the settings of the same meaning
      GIT_TERMINAL_PROMPT: '0',
      HOME: devNull, // .netrc and .gitconfig there can contain the operator's credentials
      XDG_CONFIG_HOME: devNull,
    },
  };
}

function refused(message: string): Problem {
  return new Problem('invalid_request', `url ${message}.`, {
    errors: [{ path: 'source.url', message }],
  });
}
