import { isIP } from 'node:net';

/** Endings that nobody can register in the public DNS. */
const PRIVATE_ENDINGS = ['localhost', 'local', 'internal'];

/**
 * Whether a `Host` header names this machine as its users do. A page on the web can point a name of
 * its own at any address and then reads what answers there as its own (DNS rebinding). It can
 * point no IP address, no name without a dot, and none of ours.
 */
export function isOwnHost(header: string | undefined, names: ReadonlySet<string>): boolean {
  if (header === undefined) return true; // no browser leaves it out
  const host = header.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 || names.has(host)) return true;
  if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host)) return false;
  return !host.includes('.') || PRIVATE_ENDINGS.some(ending => host.endsWith(`.${ending}`));
}

/** The host names of addresses and of a comma-separated list. */
export function hostNames(
  urls: readonly (string | undefined)[],
  list: string,
): ReadonlySet<string> {
  const named = urls.filter(url => url !== undefined && URL.canParse(url));
  return new Set([
    ...named.map(url => new URL(url as string).hostname),
    ...list
      .split(',')
      .map(name => name.trim().toLowerCase())
      .filter(name => name !== ''),
  ]);
}
