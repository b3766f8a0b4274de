import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';
import { Problem } from '../../../shared/errors.ts';

/**
 * Addresses of this machine, of private networks and of cloud machines' metadata: not for strangers
 * to reach through us.
 */
const INTERNAL_V4 = subnets('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
]);
/**
 * All but what is handed out to the public (2000::/3), and of that what wraps IPv4 addresses. A
 * list of its own: in one list, `::/3` would hold all of IPv4 too.
 */
const INTERNAL_V6 = subnets('ipv6', [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 32],
  ['2002::', 16],
]);

function subnets(
  family: 'ipv4' | 'ipv6',
  networks: [network: string, prefix: number][],
): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}

export function isPublicAddress(address: string): boolean {
  return address.includes(':')
    ? !INTERNAL_V6.check(address, 'ipv6')
    : !INTERNAL_V4.check(address, 'ipv4');
}

/**
 * Git's settings for reading a repository from an address that somebody typed into the dashboard:
 * https only, without credentials, at public addresses only, those looked up here and no others,
 * and without being led elsewhere. Throws `invalid_request`. The operator's `docent project add`
 * has none of these limits.
 */
export async function importSettings(address: string): Promise<string[]> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' || url.username || url.password)
    throw refused('must be an https:// address without a user name or password');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => {
    throw refused(`names a host that cannot be found: ${host}`);
  });
  if (found.length === 0 || !found.every(each => isPublicAddress(each.address))) {
    throw refused(
      'names a host in a private network; an operator can add it with "docent project add"',
    );
  }
  const addresses = found
    .map(({ address: each, family }) => (family === 6 ? `[${each}]` : each))
    .join(',');
  return [
    `http.curloptResolve=${url.hostname}:${url.port || '443'}:${addresses}`,
    // This also ignores the other places that a server names for objects.
    'http.followRedirects=false',
    'http.proxy=',
    ...['http', 'ssh', 'file'].map(protocol => `protocol.${protocol}.allow=never`),
    // A source that says nothing for half a minute is given up.
    'http.lowSpeedLimit=1000',
    'http.lowSpeedTime=30',
  ];
}

function refused(message: string): Problem {
  return new Problem('invalid_request', `url ${message}.`, {
    errors: [{ path: 'source.url', message }],
  });
}
