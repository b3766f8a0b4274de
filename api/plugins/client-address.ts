import { isIP } from 'node:net';

const UNKNOWN_ADDRESS = '0.0.0.0';

/**
 * An IPv4 address that came in over IPv6 as plain IPv4, without a zone: the form that Postgres'
 * `inet` compares.
 */
export function plainAddress(address: string): string {
  // Some proxies report a port as well, and a header may contain anything.
  const bare = address
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
  const plain = bare.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(plain) === 0 ? UNKNOWN_ADDRESS : plain;
}

/**
 * What limits count an address under: IPv6 by /64, since a client that has one address there has
 * all of them.
 */
export function addressScope(ip: string): string {
  const address = plainAddress(ip);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest);
  }
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
