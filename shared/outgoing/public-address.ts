import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { ConfigError } from '../errors.ts';

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

/** Which addresses a caller may make us connect to. */
export type MayReach = (address: string) => boolean;

/**
 * Public addresses, and the private networks that the operator allows (ALLOWED_PRIVATE_NETWORKS).
 * Throws `ConfigError` if one is not a network.
 */
export function reachableAddresses(privateNetworks: string): MayReach {
  const allowed = new BlockList();
  for (const network of privateNetworks.split(',').map(each => each.trim())) {
    if (network === '') continue;
    const [address = '', bits] = network.split('/');
    const family = isIP(address);
    const prefix = bits === undefined ? (family === 6 ? 128 : 32) : Number(bits);
    if (family === 0 || !(prefix >= 1 && prefix <= (family === 6 ? 128 : 32)))
      throw new ConfigError(
        `ALLOWED_PRIVATE_NETWORKS must be addresses or ranges such as 10.1.0.0/16; got "${network}".`,
      );
    allowed.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  }
  return address =>
    isPublicAddress(address) || allowed.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/** An address that is safe to connect to, provided that only these IP addresses are used. */
export interface PublicAddress {
  url: URL;
  addresses: LookupAddress[];
}

/** Why an address is refused: the second half of a sentence that begins with its name. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * Checks an address that a person other than the operator chose, before the API connects to it. Use
 * `url` of the result, never the text: two parsers can read two hosts in one text
 * (`https://a\@b/`). Connect to `addresses` and follow no redirect. Throws `AddressRefused`.
 */
export async function resolvePublicAddress(
  text: string,
  mayReach: MayReach,
): Promise<PublicAddress> {
  const url = parse(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await lookup(host, { all: true }).catch(() => {
    throw new AddressRefused(`names a host that cannot be found: ${host}`);
  });
  if (addresses.length === 0 || !addresses.every(each => mayReach(each.address)))
    throw new AddressRefused(
      'names a host in a private network; an operator can add it with "docent project add", ' +
        'or allow the network in ALLOWED_PRIVATE_NETWORKS',
    );
  return { url, addresses };
}

/** One sentence for all that is not such an address: it must not tell what the disk contains. */
function parse(text: string): URL {
  const isPlain = /^https:\/\/[^/\\\s\p{C}][^\\\s\p{C}]*$/iu.test(text) && URL.canParse(text);
  const parsed = isPlain ? new URL(text) : undefined;
  // A host that ends in a dot is another name to curl, which would look it up again.
  if (!parsed || parsed.username || parsed.password || parsed.hostname.endsWith('.'))
    throw new AddressRefused(
      'must be an https:// address without a user name, password, space or backslash',
    );
  return parsed;
}
